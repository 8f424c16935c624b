"""What the user writes: Mechanism, Body, Joint, Force, Frame, Shape; validation; the file format.

Plain data without numerics. May import ``kernels`` and ``topology``; knows body, joint and force kinds only through the registry.
"""
