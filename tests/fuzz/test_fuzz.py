"""Some hundred mutated files of every format: no crash, no hang, no flood of memory, no error of another kind than bielle's own."""

import pytest

from .campaign import FORMATS, campaign


@pytest.mark.parametrize("format", FORMATS)
def test_mutated_files_are_read_or_refused(format):
    report = campaign(format, 200, seed=20)
    assert not report.bad, str(report)
    assert report.counts["valid"] + report.counts["refused"] == 200
    assert min(report.counts["valid"], report.counts["refused"]) >= 10, "the mutations are too coarse, or too fine"


@pytest.mark.slow
@pytest.mark.timeout(3600)
@pytest.mark.parametrize("format", FORMATS)
def test_many_mutated_files_are_read_or_refused(format):
    report = campaign(format, 5000, seed=21)
    assert not report.bad, str(report)
