"""What tests of several folders share."""

import signal

import pytest


@pytest.fixture
def usual_ctrl_c():
    """SIGINT raises KeyboardInterrupt, as in a terminal; who runs the tests may have it ignored."""
    previous = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, previous)


def pytest_collection_modifyitems(items):
    """Tests with a browser, which draws with the processor, one after the other and first: two at once take each other's time."""
    browsing = [item for item in items if "browser" in getattr(item, "fixturenames", ())]
    for item in browsing:
        item.add_marker(pytest.mark.xdist_group("browser"))
    chosen = set(map(id, browsing))
    items[:] = browsing + [item for item in items if id(item) not in chosen]


NO_BROWSER = "no Chromium: apt-get install chromium, or name another in BIELLE_CHROMIUM"


def pytest_terminal_summary(terminalreporter):
    """Say it loudly if nobody has looked at the studio."""
    left_out = [report for report in terminalreporter.stats.get("skipped", []) if NO_BROWSER in str(report.longrepr)]
    if left_out:
        terminalreporter.write_line(f"{len(left_out)} tests of the studio's page were NOT run: {NO_BROWSER}.", red=True, bold=True)
