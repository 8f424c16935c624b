"""XML as a tree of elements that know their line, read without anything that could be executed or blown up.

Document types and entities are refused where they begin, so that nothing is ever expanded; size, depth and number of elements are bounded.
Every message begins with the file and the line: ``robot.urdf:42: joint 'elbow': …``.
"""

from __future__ import annotations

import difflib
import math
import re
from collections.abc import Iterable, Iterator

from ..errors import FileError, unknown
from ..mechanism.files import path_text, read_bytes
from ..mechanism.vectors import shown

__all__ = ["MAX_ATTRIBUTES", "MAX_BYTES", "MAX_DEPTH", "MAX_ELEMENTS", "MAX_TAG", "Element", "Notes", "parse", "source_and_content"]

MAX_BYTES = 32 * 2**20  #: largest file that is read unless told otherwise
MAX_DEPTH = 64  #: of elements in elements
MAX_ELEMENTS = 200_000
MAX_ATTRIBUTES = 1000  #: of one element
MAX_TAG = 2**20  #: bytes between < and >
_PIECE = 2**16  # bytes that are parsed at a time

Notes = dict[str, list[int]]  #: what was passed over, and on which lines

_MOST_NOTES = 200  # different names that are passed over
_SLIP = 0.75  # how alike two words are if one is a slip for the other
_NUMBER = re.compile(r"[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?")


class Element:
    """A tag with its attributes and children; ``owner`` is how messages call the named thing it belongs to, such as "link 'arm'"."""

    __slots__ = ("attributes", "children", "line", "notes", "owner", "source", "tag")

    def __init__(self, tag: str, attributes: dict[str, str], line: int, source: str, notes: Notes) -> None:
        self.tag, self.attributes, self.line, self.source, self.notes = tag, attributes, line, source, notes
        self.owner = ""
        self.children: list[Element] = []

    @property
    def where(self) -> str:
        """What messages begin with."""
        return f"{self.source}:{self.line}: {self.owner}" if self.owner else f"{self.source}:{self.line}: <{self.tag}>"

    def error(self, text: str) -> FileError:
        """The error that says what is wrong with this element."""
        own = "" if self.owner.startswith(f"{self.tag} ") or not self.owner else f"<{self.tag}>: "
        return FileError(f"{self.where}: {own}{text}")

    # -- children

    def all(self, tag: str) -> Iterator[Element]:
        """The children with that tag."""
        return (child for child in self.children if child.tag == tag)

    def one(self, tag: str) -> Element | None:
        """The child with that tag, if there is one; two are refused."""
        found = list(self.all(tag))
        if len(found) > 1:
            raise found[1].error(f"there is one on line {found[0].line} already. Remove one of them.")
        return found[0] if found else None

    def need(self, tag: str) -> Element:
        """The child with that tag."""
        found = self.one(tag)
        if found is None:
            raise self.error(f"the element <{tag}> is missing. Add it.")
        return found

    def check(
        self, attributes: Iterable[str], children: Iterable[str] = (), ignored: Iterable[str] = (), refused: Iterable[str] = ()
    ) -> None:
        """Look at the names of attributes and children.

        Those that are ``ignored``, or have a prefix ('drake:…'), speak to other programs. Those that are ``refused`` carry mechanics
        that would be missing. One that is nearly a known one that is not there is a slip of the pen and refused; of others a note is
        taken.
        """
        known, refused = [*attributes], {*refused}
        for name, value in self.attributes.items():
            if name in refused and value.strip() not in ("", "0", "0.0", "false", "none"):
                raise self.error(f"the attribute '{name}' carries mechanics that are not read and would be missing. Remove it.")
            if name not in known and name not in refused and ":" not in name and name != "xmlns":
                self._pass_over(
                    "attribute", name, [k for k in known if k not in self.attributes], f"attribute '{name[:80]}' of <{self.tag}>"
                )
        known, ignored = [*children], {*ignored}
        absent = [k for k in known if all(child.tag != k for child in self.children)]
        for child in self.children:
            if child.tag in refused:
                raise child.error("it carries mechanics that are not read and would be missing. Remove it.")
            if child.tag not in known and child.tag not in ignored and ":" not in child.tag:
                child._pass_over("element", child.tag, absent, f"<{child.tag[:80]}>")

    def _pass_over(self, what: str, name: str, known: list[str], noted: str) -> None:
        if noted not in self.notes:
            if difflib.get_close_matches(name, known, n=1, cutoff=_SLIP):
                raise self.error(str(unknown(what, name, known)).replace("There", "there", 1))
            if len(self.notes) >= _MOST_NOTES:
                raise self.error(f"there are more than {_MOST_NOTES} names in it that mean nothing here. Is it another format?")
        self.notes.setdefault(noted, []).append(self.line)

    # -- attributes

    def text(self, name: str) -> str:
        """An attribute that must be there."""
        found = self.attributes.get(name)
        if found is None:
            raise self.error(f"the attribute '{name}' is missing. Add it.")
        if not found.strip():
            raise self.error(f"the attribute '{name}' is empty. Give it a value.")
        return found.strip()

    def numbers(self, name: str, count: int, default: tuple[float, ...] | None = None) -> tuple[float, ...]:
        """``count`` finite numbers; without a default they must be there."""
        if default is not None and name not in self.attributes:
            return default
        text = self.text(name)
        words = text.split()
        if len(words) != count:
            expected = "one number" if count == 1 else f"{count} numbers"
            raise self.error(
                f"the attribute '{name}' must be {expected}, got {shown(text)}. Write {'them' if count > 1 else 'it'} in full."
            )
        return tuple(self._number(name, word) for word in words)

    def number(self, name: str, default: float | None = None) -> float:
        """One finite number."""
        return self.numbers(name, 1, None if default is None else (default,))[0]

    def _number(self, name: str, word: str) -> float:
        value = float(word) if _NUMBER.fullmatch(word) else math.nan
        if not math.isfinite(value):
            raise self.error(f"the attribute '{name}' must be made of finite numbers, got {shown(word)}. Correct it.")
        return value


def source_and_content(path_or_text: object, name: str, max_bytes: int) -> tuple[str, str | None, str | bytes]:
    """How messages call it, its path (None for text) and its content; what begins with '<' is text, everything else a path."""
    if isinstance(path_or_text, str | bytes):
        mark = "<" if isinstance(path_or_text, str) else b"<"
        begin = path_or_text.lstrip()[:4].lstrip("\ufeff" if isinstance(path_or_text, str) else b"\xef\xbb\xbf")  # type: ignore[arg-type]
        if begin[:1] == mark:  # after the mark of the order of bytes, if there is one
            if len(path_or_text) > max_bytes:
                raise FileError(f"{name}: it is longer than {max_bytes} bytes. If it is meant to be, say so: max_bytes=….")
            return name, None, path_or_text
    path = path_text(path_or_text)
    return path, path, read_bytes(path, max_bytes)


def parse(content: str | bytes, source: str, notes: Notes | None = None) -> Element:
    """The root of a document; ``notes``: those of another that it is part of."""
    from xml.parsers import expat

    if isinstance(content, str):
        parser, data = expat.ParserCreate("utf-8"), content.encode("utf-8", "surrogatepass")
    else:
        parser, data = expat.ParserCreate(), content
    notes = {} if notes is None else notes
    document = Element("", {}, 1, source, notes)
    stack, count = [document], 0

    def begin(tag: str, attributes: dict[str, str]) -> None:
        nonlocal count
        count += 1
        line = parser.CurrentLineNumber
        if len(stack) > MAX_DEPTH:
            raise FileError(f"{source}:{line}: <{tag[:80]}>: it is nested more than {MAX_DEPTH} levels deep. Check the closing tags.")
        if count > MAX_ELEMENTS:
            raise FileError(
                f"{source}:{line}: <{tag[:80]}>: there are more than {MAX_ELEMENTS} elements. Build so large a mechanism in Python."
            )
        if len(attributes) > MAX_ATTRIBUTES:
            raise FileError(f"{source}:{line}: <{tag[:80]}>: it has {len(attributes)} attributes. At most {MAX_ATTRIBUTES} are read.")
        element = Element(tag, attributes, line, source, notes)
        stack[-1].children.append(element)
        stack.append(element)

    def end(tag: str) -> None:
        stack.pop()

    def refuse(*_: object) -> None:
        raise FileError(
            f"{source}:{parser.CurrentLineNumber}: document types and entities (<!DOCTYPE …>, <!ENTITY …>) are not read. Remove them."
        )

    parser.StartElementHandler, parser.EndElementHandler = begin, end
    parser.StartDoctypeDeclHandler = parser.EntityDeclHandler = refuse
    try:
        for start in range(0, len(data), _PIECE):
            parser.Parse(data[start : start + _PIECE], False)
            if start + _PIECE - parser.CurrentByteIndex > MAX_TAG + _PIECE:  # what began there has no end yet
                raise FileError(
                    f"{source}:{parser.CurrentLineNumber}: a tag or comment is longer than {MAX_TAG} bytes. Is it another format?"
                )
        parser.Parse(b"", True)
    except expat.ExpatError as error:
        raise FileError(
            f"{source}:{error.lineno}: it is not XML: {expat.ErrorString(error.code)}, column {error.offset + 1}. Correct it there."
        ) from None
    except FileError:
        raise
    except (LookupError, ValueError) as error:  # an encoding that Python does not know, or that has several bytes for a character
        raise FileError(f"{source}:1: it is not XML: {error}. Save it as UTF-8.") from None
    return document.children[0]
