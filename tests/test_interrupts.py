"""Ctrl-C held back, wherever it comes."""

import signal
import sys

import pytest

from bielle import interrupts
from bielle.interrupts import Interrupts


def pressed_at(moment, work):
    """Do work, and press Ctrl-C before the so-manieth line that is run in the module; whether there were so many."""
    count = 0

    def look(frame, event, argument):
        nonlocal count
        if frame.f_code.co_filename != interrupts.__file__:
            return None
        if event == "line":
            count += 1
            if count == moment:
                signal.raise_signal(signal.SIGINT)
        return look

    sys.settrace(look)
    try:
        work()
    finally:
        sys.settrace(None)
    return count >= moment


def test_it_may_come_before_any_line(usual_ctrl_c):
    """Whatever has happened, the next piece of work is whole, Ctrl-C takes effect after it, and is not raised twice."""
    moment, more = 0, True
    while more:
        moment += 1
        held, done = Interrupts(), []

        def work(held=held, done=done):
            with held:
                done.append("begun")
                with held:
                    done.append("within")
                done.append("over")

        try:
            more = pressed_at(moment, work)
            assert not more
        except KeyboardInterrupt:
            assert done in ([], ["begun", "within", "over"])
        assert signal.getsignal(signal.SIGINT) is signal.default_int_handler
        done.clear()
        work()
        assert done == ["begun", "within", "over"]
        with pytest.raises(KeyboardInterrupt), held:
            signal.raise_signal(signal.SIGINT)
            done.append("whole")
        assert done[-1] == "whole"
    assert moment > 10
