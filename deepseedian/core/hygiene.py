"""Text that may not become memory because it is no statement: damaged, repeated, data, or memory itself coming back.

Such text comes from models and hosts that pass on raw material. It is refused when it is proposed and again when an
approval would write it; the owner's own act of saving a text is never refused for it.
"""

import re

from deepseedian.core.unseen import UNSEEN

SHOWN = 3
LONGEST = 2000
_LATIN = re.compile("[\u0080-\u00ff\u0152\u0153\u0160\u0161\u0178\u017d\u017e\u0192\u02c6\u02dc\u2013-\u2122]{2,40}")
_WIDE = re.compile("[\u3040-\u30ff\u3400-\u9fff\ue000-\uf8ff\u00a4\u20ac]{4,40}")
_KNOWN = re.compile("\ufffd|锟斤拷|锟斤|烫烫烫|屯屯屯|脨脢")
_AGAIN = re.compile(r"(?=(\S.{1,39}?)(?:[ \t,，、。.;；\n]{0,2}\1){3})")
_BLOB = re.compile(r"(?<![\w/.%+-])[A-Za-z0-9+/_-]{48,}={0,2}(?![\w/])|\b(?:[0-9a-fA-F]{2}[ :]){16,}|\b(?:0x)?[0-9a-fA-F]{65,}\b")
_JSON = re.compile(
    r"\A\s{0,20}(?:\{\s{0,20}(?:\"|$)|\[\s{0,20}(?:[\"{]|\[\s{0,9}[\"\d{\[]))|"
    r"[{,]\s{0,9}\"[\w -]{1,40}\"\s{0,9}:\s{0,9}[\"\d\[{tfn]")
_SCORES = re.compile(
    r"\b(?:score|similarity|relevance|confidence|cosine|distance|recall_?count|rank|weight|promoted)[\"']?\s{0,9}[=:]\s{0,9}\d{0,9}\.\d+|"
    r"\[(?:score|confidence|sim)[^\]]{0,20}\d\]", re.I)
_OURS = re.compile(r"<!-- ?/?(?:deepseedian|deepsidian)-|^- \[[^\]\n]{1,120}\] .{0,2000}\(\d{4}-\d\d-\d\d, [0-9a-fA-F-]{36}\)[ \t]*$|"
                   r"\"(?:summary|revision)\" ?:|^={3} ?(?:(?:end of )?memory )?[0-9a-f]{8,64}(?: \(data\))?(?: ?={3})?[ \t]*$", re.M)


def fault(text: str) -> str:
    """Why a text is no statement, in words; empty when it may be one."""
    text = text[:LONGEST]
    if _OURS.search(text):
        return "it is memory's own text coming back"
    if _JSON.search(text):
        return "it is raw data"
    if _SCORES.search(text):
        return "it holds the scores of a ranking"
    if any(_mixed(found[0]) for found in _BLOB.finditer(text)):
        return "it holds a block of encoded data"
    if garbled(text):
        return "its characters are damaged"
    return "it says the same over and over" if stutters(text) else ""


def _mixed(run: str) -> bool:
    """Whether a long run is encoded data rather than a very long word or a path."""
    classes = (any(char.isdigit() for char in run), any(char.isupper() for char in run), any(char.islower() for char in run))
    return all(classes) or (len(run) >= 65 and classes[0]) or " " in run or ":" in run


def garbled(text: str) -> bool:
    """Whether bytes of one encoding were read as another: CafÃ©, 浣犲ソ."""
    return (_KNOWN.search(text) is not None or any(_was_utf8(found[0], "cp1252") for found in _LATIN.finditer(text))
            or any(_was_utf8(found[0], "gb18030") for found in _WIDE.finditer(text)))


def _was_utf8(run: str, encoding: str) -> bool:
    """Whether the run, read in that encoding, is UTF-8 that says something else; the last character may be torn."""
    try:
        data = run.encode(encoding)
    except UnicodeEncodeError:
        try:
            data = run.encode("latin-1") if encoding == "cp1252" else b""
        except UnicodeEncodeError:
            return False
    if not data or data.isascii():
        return False
    for cut in range(3):
        try:
            said = data[: len(data) - cut].decode()
        except UnicodeDecodeError:
            continue
        return bool(said) and (encoding == "cp1252" or sum("\u3000" <= char <= "\u9fff" for char in said) * 2 > len(said))
    return False


def stutters(text: str) -> bool:
    """Whether a phrase stands there four times in a row; laughter and ruled lines are none."""
    return any(len({char for char in found[1] if char.isalnum()}) > 1 for found in _AGAIN.finditer(text))


def hidden(text: str) -> tuple[str, ...]:
    """The characters in a text that hide or reorder it, by their numbers, each once."""
    return tuple(dict.fromkeys(f"U+{ord(found[0]):04X}" for found in UNSEEN.finditer(text)))[:SHOWN]
