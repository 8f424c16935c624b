"""``python -m tests.fuzz --count 100000``: so many mutated files of every format (or ``--format json``); 1 if any does what none may."""

import argparse
from pathlib import Path

from .campaign import FORMATS, campaign

parser = argparse.ArgumentParser(description=__doc__)
parser.add_argument("--count", type=int, default=1000, help="files of each format")
parser.add_argument("--format", choices=FORMATS, action="append", help="all unless given")
parser.add_argument("--seed", type=int, default=1)
parser.add_argument("--first", type=int, default=0, help="number of the first file")
parser.add_argument("--keep", type=Path, default=None, help="folder for files that should not have come out as they did")
options = parser.parse_args()
reports = []
for name in options.format or FORMATS:
    reports.append(campaign(name, options.count, options.seed, first=options.first, keep=options.keep))
    print(reports[-1], flush=True)
raise SystemExit(any(report.bad for report in reports))
