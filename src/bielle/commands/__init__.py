"""The commands of ``bielle``, a module for each group. They import what they need when they are called."""
