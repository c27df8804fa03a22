"""Bytes of a note to its text."""

import codecs

_UTF_16 = {codecs.BOM_UTF16_LE: "utf-16-le", codecs.BOM_UTF16_BE: "utf-16-be"}


def decode(raw: bytes) -> str | None:
    """The text of UTF-8, of UTF-16 with a byte order mark, or of legacy 8-bit bytes; line ends become ``\\n``.

    A character that was cut off at the end is left out. None when a NUL tells that it is no text.
    """
    text = _text(raw)
    return None if "\0" in text else text.replace("\r\n", "\n").replace("\r", "\n")


def _text(raw: bytes) -> str:
    utf_16 = _UTF_16.get(raw[:2])
    if utf_16:
        return codecs.getincrementaldecoder(utf_16)("replace").decode(raw[2:])
    raw = raw.removeprefix(codecs.BOM_UTF8)
    try:
        return codecs.getincrementaldecoder("utf-8")().decode(raw)
    except UnicodeDecodeError:
        return _damaged_utf_8(raw) or _legacy(raw)


def _damaged_utf_8(raw: bytes) -> str | None:
    """UTF-8 with a few broken bytes, or None when the broken ones are not the few."""
    text = raw.decode("utf-8", "replace")
    broken = text.count("\ufffd")
    sound = len(text) - broken - len(text.encode("ascii", "ignore"))
    return text if sound > broken else None


def _legacy(raw: bytes) -> str:
    try:
        return raw.decode("cp1252")
    except UnicodeDecodeError:
        return raw.decode("latin-1")
