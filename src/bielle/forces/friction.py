"""The law of dry friction: an effort of given size against the motion."""

import math

from ..kernels.lazy import helper

__all__ = ["friction"]


@helper
def friction(p, rate):
    """−T tanh(rate/s) with T, s the first two of p; its damping −∂/∂rate = (T/s) (1 − tanh²), and the power lost, T rate tanh(rate/s)."""
    tanh = math.tanh(rate / p[1])
    return -p[0] * tanh, p[0] / p[1] * (1.0 - tanh * tanh), p[0] * rate * tanh
