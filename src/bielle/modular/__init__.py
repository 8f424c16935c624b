"""Autonomous components: which bodies are solved together, how joints between them act, steps in which every component advances itself.

May import ``kernels``, ``topology``, ``mechanism``, ``model``, and of ``integrators`` what all steps have in common.
"""
