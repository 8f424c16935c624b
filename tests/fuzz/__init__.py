"""Mutated files of every format, read in processes with limits: ``python -m tests.fuzz --count 100000``."""
