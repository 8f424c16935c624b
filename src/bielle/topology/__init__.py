"""Graphs without physics: elimination order of the sparse matrix, spanning forest, loops, connected groups.

May import ``kernels`` (for compiled loops) and nothing else of bielle.
"""
