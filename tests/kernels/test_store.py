"""The store of machine code: files of others, damaged ones and those of other kernels are never run."""

import os
import stat
import time

import pytest

from bielle.kernels import lazy, store

CODE, NAME = bytes(range(256)) * 40, "some.kernel-0123456789abcdef"
posix = pytest.mark.skipif(not hasattr(os, "geteuid"), reason="users have no numbers here")


@pytest.fixture
def place(tmp_path, monkeypatch):
    monkeypatch.setenv("BIELLE_CACHE_DIR", str(tmp_path / "root"))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "home"))
    monkeypatch.setattr(store, "_said", set())
    place = store.folder("key")
    assert not place.exists()
    assert store.writable(place)
    return place


@pytest.fixture
def file(place):
    store.write(place, NAME, "symbol", CODE)
    (path,) = place.iterdir()
    return path


def test_what_is_written_is_read(place, file):
    assert store.read(place, NAME) == ("symbol", CODE)
    assert store.holds(place, NAME)
    assert file.name == f"{NAME}.o"
    assert store.read(place, "another-0123456789abcdef") is None
    store.write(place, NAME, "other", CODE[::-1])
    assert store.read(place, NAME) == ("other", CODE[::-1])


@posix
def test_nobody_else_can_read_or_write_there(place, file):
    assert stat.S_IMODE(place.stat().st_mode) == 0o700
    assert stat.S_IMODE(file.stat().st_mode) == 0o600


def test_every_damaged_byte_is_seen(place, file):
    """Also in the name and the symbol."""
    whole = file.read_bytes()
    for k in [*range(160), *range(160, len(whole), 997)]:
        for bit in (1, 0x80):
            file.write_bytes(whole[:k] + bytes([whole[k] ^ bit]) + whole[k + 1 :])
            assert store.read(place, NAME) is None
    for n in (0, 1, 63, 64, 65, 100, len(whole) - 1):
        file.write_bytes(whole[:n])
        assert store.read(place, NAME) is None
    file.write_bytes(whole + b"\0")
    assert store.read(place, NAME) is None


def test_code_of_another_kernel_is_not_taken(place, file):
    file.rename(place / "another-0123456789abcdef.o")
    assert store.read(place, "another-0123456789abcdef") is None


@posix
@pytest.mark.parametrize("mode", [0o620, 0o602, 0o666])
def test_a_file_that_others_may_write_to_is_not_read(place, file, mode, capsys):
    file.chmod(mode)
    assert store.read(place, NAME) is None
    assert store.read(place, NAME) is None
    told = capsys.readouterr().err
    assert told.count("is not used, because others may write to it") == 1
    store.write(place, NAME, "symbol", CODE)  # compiled again, it takes the place of that one
    assert store.read(place, NAME) == ("symbol", CODE)


@posix
def test_a_file_of_another_user_is_not_read(place, file, monkeypatch, capsys):
    monkeypatch.setattr(store, "_users", lambda: {987654})
    assert store.read(place, NAME) is None
    assert "is not used, because it belongs to another user" in capsys.readouterr().err


@posix
@pytest.mark.parametrize("mode", [0o770, 0o777])
def test_a_folder_that_others_may_write_to_is_not_used(place, mode, tmp_path, capsys):
    place.chmod(mode)
    own = store.folder("key")
    assert own == tmp_path / "home" / "bielle" / "kernels-key"
    assert store.folder("key") == own
    assert capsys.readouterr().err.count("kernels-key is not used, because others may write to it") == 1
    store.writable(own)
    own.chmod(mode)
    assert store.folder("key") is None
    store.write(None, NAME, "symbol", CODE)
    assert store.read(None, NAME) is None


def test_without_a_place_to_write_to(tmp_path, monkeypatch):
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("BIELLE_CACHE_DIR", str(tmp_path / "file" / "folder"))
    assert not store.writable(store.folder("key"))
    store.write(store.folder("key"), NAME, "symbol", CODE)
    assert store.read(store.folder("key"), NAME) is None


def test_where_users_have_no_numbers(place, file, monkeypatch):
    monkeypatch.delattr(os, "geteuid", raising=False)
    file.chmod(0o666)
    assert store.read(place, NAME) == ("symbol", CODE)


def test_a_write_that_fails_leaves_nothing(place, file, monkeypatch):
    def fails(*_):
        raise OSError

    monkeypatch.setattr(os, "replace", fails)
    store.write(place, NAME, "new", b"code")
    monkeypatch.undo()
    assert [path.name for path in place.iterdir()] == [f"{NAME}.o"]


def test_what_nobody_uses_is_removed(place, file):
    store.write(place, "new-0123456789abcdef", "symbol", CODE)
    long_ago = time.time() - 100 * 86400
    (old := place.parent / "kernels-old").mkdir(mode=0o700)
    (old / "some.o").write_bytes(b"")
    (place / "notes.txt").write_text("of the user")
    for path in (file, old / "some.o", place / "notes.txt"):
        os.utime(path, (long_ago, long_ago))
    assert store.read(place, NAME) is not None  # which is a use
    assert store.clean() == 1
    assert not old.exists()
    assert {path.name for path in place.iterdir()} == {f"{NAME}.o", "new-0123456789abcdef.o", "notes.txt"}


def test_kernels_that_cannot_be_kept_are_not_promised(monkeypatch, capsys, tmp_path):
    """A cache below a file can be neither made nor written, not even by root."""
    (tmp_path / "file").write_text("")
    monkeypatch.setattr(lazy, "_said", [])
    for folder, words in (("fine", "Later runs start at once"), ("file/cache", "they cannot be kept in")):
        monkeypatch.setenv("BIELLE_CACHE_DIR", str(tmp_path / folder))
        lazy._said.clear()
        lazy._say("a kernel")
        assert words in capsys.readouterr().err
