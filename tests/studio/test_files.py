"""Files: save, reload, open, replay to the same bits; dropped on the page, whole or garbage."""

import numpy as np
import pytest
from playwright.sync_api import expect

import bielle as bl


def _bits(live):
    state = live.state
    return [np.asarray(x).tobytes() for x in (state.time, state.q, state.v, state.work, state.lam, state.memory)]


def test_save_reload_open_replay(begin, sit):
    """A session with a cut in it is saved, the page reloaded, something else opened, then the file again: the same bits, replayed too."""
    desk = sit(begin("interactive_pendulum"))
    desk.press("time.play")
    desk.until_time(0.3)
    desk.part("tree.elbow").click(button="right")
    desk.press("menu.edit.cut")
    desk.until_gone("elbow")
    desk.until_time(desk.live.time + 0.2)
    desk.pause()
    bits = _bits(desk.live)
    desk.key("Control+s")
    desk.save_as("mine.session")
    desk.page.reload()
    desk.ready()
    assert desk.names("joints") == ["pivot"]  # the session outlives the page
    desk.key("Control+o")
    desk.press("example.four_bar")
    desk.until("store.scene.value.title !== 'interactive pendulum'")
    expect(desk.part("start")).to_have_count(0)
    desk.key("Control+o")
    desk.press("file.mine.session")
    desk.until("store.scene.value.file === 'mine.session' && store.scene.value.joints.length === 1")
    assert _bits(desk.live) == bits
    assert _bits(desk.live.replay()) == bits


def test_save_as_yaml(begin, sit):
    """The mechanism as it stands, readable by anything; a name that leads out of the folder is refused where it is typed."""
    desk = sit(begin("four_bar"))
    desk.key("Control+Shift+s")
    desk.part("save.name").fill("../out.yaml")
    desk.press("save.ok")
    expect(desk.part("refusal")).to_contain_text("is no name of a file")
    expect(desk.part("save.name")).to_have_attribute("aria-invalid", "true")
    expect(desk.notice("error")).to_have_count(0)
    desk.part("save.name").fill("mine.yaml")
    expect(desk.part("refusal")).to_have_count(0)
    desk.press("save.ok")
    expect(desk.part("save.name")).to_have_count(0)
    saved = bl.load(desk.studio.server.folder.path / "mine.yaml")
    assert list(saved.bodies) == list(desk.live.mechanism.bodies)


def _drop(desk, name, content):
    data = desk.page.evaluate_handle(
        """([name, content]) => {
            const data = new DataTransfer();
            data.items.add(new File([content], name));
            return data;
        }""",
        [name, content],
    )
    canvas = desk.part("canvas")
    canvas.dispatch_event("dragover", {"dataTransfer": data})
    expect(desk.part("dropping")).to_be_visible()
    canvas.dispatch_event("drop", {"dataTransfer": data})
    expect(desk.part("dropping")).to_have_count(0)


def test_dropped_file(begin, sit, tmp_path):
    """A model that is dropped on the page is opened."""
    path = tmp_path / "model.yaml"
    bl.examples.get("slider_crank").build().save(path)
    desk = sit(begin("double_pendulum"))
    _drop(desk, "model.yaml", path.read_text())
    desk.until_there(*bl.examples.get("slider_crank").build().bodies)
    assert set(desk.names("bodies")) == set(bl.examples.get("slider_crank").build().bodies)
    desk.press("time.play")
    desk.until_time(0.1)


def test_nothing_is_overwritten_without_a_word(begin, sit, tmp_path):
    """What is dropped is in no file of the folder, even if one has its name; Save asks for a name, and before it replaces a file."""
    studio = begin("double_pendulum")
    own = studio.server.folder.path / "model.yaml"
    bl.examples.get("four_bar").build().save(own)
    before = own.read_bytes()
    bl.examples.get("slider_crank").build().save(tmp_path / "foreign.yaml")
    desk = sit(studio)
    _drop(desk, "model.yaml", (tmp_path / "foreign.yaml").read_text())
    desk.until_there(*bl.examples.get("slider_crank").build().bodies)
    desk.key("Control+s")
    expect(desk.part("save.name")).to_have_value("model.yaml")
    desk.press("save.ok")
    expect(desk.part("save.exists")).to_contain_text("There is a file model.yaml already")
    expect(desk.part("save.ok")).to_have_text("Replace")
    desk.picture("replace")
    assert own.read_bytes() == before
    desk.part("save.name").fill("other.yaml")
    expect(desk.part("save.ok")).to_have_text("Save")
    desk.press("save.ok")
    desk.until("store.scene.value.file === 'other.yaml'")
    expect(desk.part("save.name")).to_have_count(0)
    assert own.read_bytes() == before
    desk.key("Control+Shift+s")
    desk.part("save.name").fill("model.yaml")
    desk.press("save.ok")
    expect(desk.part("save.exists")).to_be_visible()
    desk.press("save.ok")
    desk.until("store.scene.value.file === 'model.yaml'")
    expect(desk.part("save.name")).to_have_count(0)
    assert set(bl.load(own).bodies) == set(bl.examples.get("slider_crank").build().bodies)
    own.unlink()
    desk.key("Control+s")  # its own file: nobody asks
    desk.wait_for(own.exists)
    desk.noticed("info", "Saved as model.yaml")
    expect(desk.part("save.name")).to_have_count(0)


def test_save_right_after_a_drop(begin, sit, tmp_path):
    """The picture comes before the answer to the page that has brought the file: Save knows the name, and its dialog stays."""
    bl.examples.get("slider_crank").build().save(tmp_path / "foreign.yaml")
    desk = sit(begin("double_pendulum"))
    answers = []
    desk.page.route("**/open?*", lambda route: answers.append((route, route.fetch())))
    _drop(desk, "mine.yaml", (tmp_path / "foreign.yaml").read_text())
    desk.until_there(*bl.examples.get("slider_crank").build().bodies)
    desk.key("Control+s")
    expect(desk.part("save.name")).to_have_value("mine.yaml")
    ((route, response),) = answers
    with desk.page.expect_response("**/open?*"):
        route.fulfill(response=response)
    desk.until("store.busy.value === null")
    expect(desk.part("save.name")).to_have_value("mine.yaml")


_ROBOT = """<robot name="r"><link name="base"/><link name="arm"><inertial><mass value="1"/>
<inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial><visual><geometry><mesh filename="arm.stl"/></geometry></visual></link>
<joint name="j" type="revolute"><parent link="base"/><child link="arm"/><axis xyz="0 1 0"/>
<limit lower="-1" upper="1" effort="1" velocity="1"/></joint></robot>"""


@pytest.mark.filterwarnings("always")  # it is told in the page
def test_urdf_is_saved_as_something_else(begin, sit):
    """Formats that are only read offer a name that can be written; what is missing is told with the name of the file."""
    studio = begin("double_pendulum")
    (studio.server.folder.path / "robot.urdf").write_text(_ROBOT)
    desk = sit(studio)
    _drop(desk, "dropped.urdf", _ROBOT)
    desk.until_there("arm")
    assert "/tmp" not in desk.noticed("warning", "'dropped.urdf': ")
    desk.key("Control+s")
    expect(desk.part("save.name")).to_have_value("dropped.yaml")
    desk.key("Escape")
    desk.key("Control+o")
    desk.press("file.robot.urdf")
    desk.until("store.scene.value.file === 'robot.urdf'")
    desk.key("Control+s")
    expect(desk.part("save.name")).to_have_value("robot.yaml")
    desk.press("save.ok")
    desk.until("store.scene.value.file === 'robot.yaml'")


def test_what_cannot_be_opened_is_said_on_the_start_page(begin, sit):
    """Not behind it."""
    studio = begin("double_pendulum")
    (studio.server.folder.path / "broken.yaml").write_text("{ this is : [ not yaml")
    desk = sit(studio)
    desk.key("Control+o")
    desk.press("file.broken.yaml")
    expect(desk.part("refusal")).to_contain_text("it is not YAML")
    expect(desk.notice("error")).to_have_count(0)
    desk.key("Escape")
    desk.key("Control+o")
    expect(desk.part("refusal")).to_have_count(0)


_GARBAGE = {
    "model.yaml": ("{ this is : [ not yaml", "'model.yaml': it is not YAML"),
    "model.json": ('{"bodies": 3}', "'model.json': it is not a model of bielle"),
    "model.session": ("garbage", "'model.session': it is not a session of bielle"),
    "picture.png": ("PNG", "files that end in .png cannot be opened"),
}


def test_dropped_garbage(begin, sit):
    """What cannot be read is said, with the name of the file, and what is there stays and can run."""
    desk = sit(begin("double_pendulum"))
    before = desk.live
    for name, (content, sentence) in _GARBAGE.items():
        _drop(desk, name, content)
        expect(desk.notice("error")).to_contain_text(sentence)
        desk.press("toast.dismiss")
        expect(desk.notice("error")).to_have_count(0)
    assert desk.live is before
    assert desk.names("bodies") == ["upper", "lower"]
    desk.press("time.play")
    desk.until_time(0.05)


def test_gallery(begin, sit):
    """The start page shows the examples with pictures; one is opened with a click, in space."""
    desk = sit(begin())
    expect(desk.part("start")).to_be_visible()
    desk.until("document.querySelectorAll('[data-testid^=\"example.\"]').length > 20")
    desk.until("[...document.querySelectorAll('.card-picture img')].slice(0, 6).every(image => image.complete && image.naturalWidth > 0)")
    desk.press("example.stewart_platform")
    desk.until("!store.scene.value.planar && store.scene.value.bodies.length > 5")
    expect(desk.part("start")).to_have_count(0)
    desk.press("time.play")
    desk.until_time(0.2)
    desk.picture("space")


def test_taken_home(begin, sit):
    """Downloads: the mechanism, the session, a replay that plays anywhere; and the same as Python."""
    desk = sit(begin("four_bar"))
    desk.press("time.play")
    desk.until_time(0.2)
    for item, beginning in (("downloadMechanism", b"bielle"), ("replay", b"<!")):
        desk.press("file-menu")
        with desk.page.expect_download() as download:
            desk.press(f"menu.file.{item}")
        content = download.value.path().read_bytes()
        assert beginning in content[:200]
    desk.press("file-menu")
    desk.press("menu.file.python")
    expect(desk.part("code")).to_contain_text("import bielle")


def test_recovered_after_the_end(begin, sit):
    """Work that was not saved is on the next start page with its name and time; it is taken up by a click, or thrown away by two."""
    first = begin("interactive_pendulum")
    desk = sit(first, expected=("WebSocket",))
    desk.press("tree.elbow")
    desk.key("x")
    desk.until_gone("elbow")
    bits = _bits(desk.live)
    desk.page.goto("about:blank")
    first.close()
    desk = sit(begin())
    left = desk.part("left")
    expect(left).to_contain_text("interactive pendulum")
    expect(left).to_contain_text("today")
    desk.press("left.recover")
    desk.until_there("upper", "lower", "pivot")
    expect(desk.part("start")).to_have_count(0)
    assert desk.names("joints") == ["pivot"]
    assert _bits(desk.live) == bits
    desk.key("Control+o")
    expect(desk.part("start")).to_be_visible()
    expect(left).to_have_count(0)
    desk.press("new.planar")
    desk.until("store.scene.value.bodies.length === 0")
    desk.key("Control+o")
    desk.press("left.discard")
    expect(desk.part("left.discard")).to_contain_text("Really")
    expect(left).to_contain_text("interactive pendulum")
    desk.press("left.discard")
    expect(left).to_have_count(0)


def test_recent_files(begin, sit):
    """What was saved is on the start page, also that of the next studio, and opens by a click."""
    first = begin("double_pendulum")
    desk = sit(first, expected=("WebSocket",))
    desk.key("Control+Shift+s")
    desk.save_as("mine.yaml")
    desk.page.goto("about:blank")
    first.close()
    desk = sit(begin())
    expect(desk.part("start")).to_contain_text("Recent")
    desk.press("file.mine.yaml")
    desk.until_there("upper", "lower")
    desk.until("store.scene.value.file === 'mine.yaml'")


def test_dropped_by_somebody_who_looks_on(begin, sit):
    """The sentence is that of any edit; nothing is opened."""
    studio = begin("double_pendulum")
    sit(studio)
    other = sit(studio, expected=("403",))
    expect(other.part("banner.control")).to_be_visible()
    expect(other.part("file.save")).to_be_disabled()
    _drop(other, "model.yaml", "bielle: 1")
    expect(other.notice("error")).to_contain_text("Somebody else has the control. Take it first.")
    assert other.names("bodies") == ["upper", "lower"]
