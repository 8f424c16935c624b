"""Building blocks that run compiled: context slots, pointers, rotations, block-sparse factorisation, the evaluation program.

Imports nothing else of bielle but its errors. Kernels are compiled one by one on first use and called through their addresses.
"""
