"""The workloads of bielle's benchmarks, built and run in other multibody programs, so that speed and error are compared like for like."""
