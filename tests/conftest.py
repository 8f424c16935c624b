"""What tests of several folders share."""

import signal

import pytest


@pytest.fixture
def usual_ctrl_c():
    """SIGINT raises KeyboardInterrupt, as in a terminal; who runs the tests may have it ignored."""
    previous = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, previous)
