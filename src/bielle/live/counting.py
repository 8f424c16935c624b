"""How many values a text in MessagePack holds, before any of them is made."""

__all__ = ["count"]

# of each first byte: how many bytes follow it at once, and how many of these are the length of what comes then
_FIXED = {0xC0: 0, 0xC2: 0, 0xC3: 0, 0xCA: 4, 0xCB: 8, 0xCC: 1, 0xCD: 2, 0xCE: 4, 0xCF: 8, 0xD0: 1, 0xD1: 2, 0xD2: 4, 0xD3: 8}
_FIXED |= {0xD4: 2, 0xD5: 3, 0xD6: 5, 0xD7: 9, 0xD8: 17}  # extensions
_FIXED |= {byte: byte - 0xA0 for byte in range(0xA0, 0xC0)}  # short texts
_FIXED |= dict.fromkeys((*range(0x80), *range(0xE0, 0x100)), 0)  # small integers
_BYTES = {0xC4: (1, 0), 0xC5: (2, 0), 0xC6: (4, 0), 0xC7: (1, 1), 0xC8: (2, 1), 0xC9: (4, 1), 0xD9: (1, 0), 0xDA: (2, 0), 0xDB: (4, 0)}
_MANY = {0xDC: (2, 1), 0xDD: (4, 1), 0xDE: (2, 2), 0xDF: (4, 2)}  # length of the number of items, and values of each


def count(content: bytes, most: int) -> int:
    """The number of values, or one beyond ``most`` that says that there are more. What is no MessagePack ends the count."""
    found, pending, place, end = 0, 1, 0, len(content)
    while pending and place < end and found <= most:
        byte = content[place]
        place, pending, found = place + 1, pending - 1, found + 1
        if byte in _FIXED:
            place += _FIXED[byte]
        elif 0x80 <= byte < 0xA0:
            pending += 2 * (byte - 0x80) if byte < 0x90 else byte - 0x90
        elif byte in _BYTES:
            size, more = _BYTES[byte]
            place += size + more + int.from_bytes(content[place : place + size])
        elif byte in _MANY:
            size, each = _MANY[byte]
            pending += each * int.from_bytes(content[place : place + size])
            place += size
        else:
            break
    return found
