"""Reads mutated files one after the other, within limits: ``python -m tests.fuzz.worker FORMAT SEED FIRST LAST FOLDER``.

It tells the number of each file before it reads it, so that whoever started it knows which one it died of; then what came of it.
"""

import json
import resource
import signal
import sys
import traceback
import warnings
from pathlib import Path
from typing import Any

import bielle as bl
from bielle.errors import BielleError
from bielle.live.session import LiveSession

from . import corpus
from .mutations import case

SECONDS = 5.0  #: of CPU that reading a file may take
MEMORY = 500 * 2**20  #: bytes that it may take beyond those of this process before
RUNNING = 2.0  #: seconds of CPU after which a run is interrupted


def _used() -> int:
    """Bytes of address space of this process."""
    return int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()


def _interrupt(*_: Any) -> None:
    raise KeyboardInterrupt


def _run(loaded: Any) -> None:
    """What people do with what they have loaded; Ctrl-C after a while must end it."""
    signal.signal(signal.SIGPROF, _interrupt)
    signal.setitimer(signal.ITIMER_PROF, RUNNING, 0.5)
    try:
        if isinstance(loaded, bl.Mechanism):
            loaded.report()
            for solver in (None, "auto"):
                loaded.simulate(0.02, solver, samples=3)
        elif isinstance(loaded, LiveSession):
            loaded.advance(0.01)
            loaded.replay()
        else:
            loaded.table()
    except KeyboardInterrupt:
        pass
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0.0)
        signal.signal(signal.SIGPROF, signal.SIG_DFL)


def _outcome(load: Any, path: Path, run: bool) -> tuple[str, str]:
    """One word, and what there is to say about it."""
    doing = "loading"
    try:
        loaded = load(path)
        if run:
            doing = "running"
            _run(loaded)
        return "valid", ""
    except BaseException as error:
        chain, each = [], error
        while each is not None:
            chain.append(each)
            each = each.__cause__ or each.__context__
        if any(isinstance(each, MemoryError) for each in chain):
            return "memory", doing
        if isinstance(error, BielleError):
            return "refused", ""
        return "foreign", f"{doing}: {''.join(traceback.format_exception(error))[-2000:]}"


def main(format: str, seed: int, first: int, last: int, folder: Path) -> None:
    warnings.simplefilter("ignore")
    originals = sorted(folder.glob(f"*.{format}"))
    load, path = corpus.LOADERS[format], folder / f"case-{first}" / f"mutated.{format}"
    path.parent.mkdir(exist_ok=True)
    for original in originals:  # everything is imported and compiled before it counts
        _run(load(original))
    resource.setrlimit(resource.RLIMIT_AS, (_used() + MEMORY, resource.RLIM_INFINITY))
    for number in range(first, last):
        content = case(format, originals, seed, number)
        path.write_bytes(content)
        print(number, flush=True)
        run = number % 10 == 0
        signal.setitimer(signal.ITIMER_VIRTUAL, SECONDS + (2 * RUNNING if run else 0.0))  # ends the process
        outcome = _outcome(load, path, run)
        signal.setitimer(signal.ITIMER_VIRTUAL, 0.0)
        print(json.dumps(outcome), flush=True)


if __name__ == "__main__":
    main(sys.argv[1], *map(int, sys.argv[2:5]), Path(sys.argv[5]))  # type: ignore[arg-type]
