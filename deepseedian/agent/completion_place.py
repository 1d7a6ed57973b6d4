"""Where no completion is asked for, as far as the text around the cursor shows it.

An editor knows its whole note and refuses much more (links, headings, tags, HTML); this is what holds for every caller:
no call is made from inside front matter, code, math or a table. Where the text was cut and could mean either, the editor's
word counts.
"""

import re

from deepseedian.agent.completion import Given

_FENCE = re.compile(r"[ \t>]*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+)?(`{3,}|~{3,})[ \t]*(.*)$")
_ITEM = re.compile(r"[ \t>]*(?:[-*+]|\d{1,9}[.)])[ \t]")
_DELIMITER = re.compile(r"[ \t>]*+\|?[ \t]*+:?-++:?[ \t]*+(?:\|[ \t]*+:?-++:?[ \t]*+)*+\|?[ \t]*+$")
_DEEP = re.compile(r"(?: {4}| {0,3}\t)")
_PARTED = re.compile(r"\n[ \t>]*\n")
_TICKS = re.compile("`+")
_ESCAPED = re.compile(r"\\.")


def refused(asked: Given) -> str:
    """front_matter, code, math or table; empty where a completion may be asked for."""
    lines = asked.before.split("\n")
    if asked.whole and _in_front_matter(lines):
        return "front_matter"
    prose, fenced = _prose(lines, asked.whole)
    if fenced or _FENCE.match(lines[-1]) or _indented(lines, asked.whole):
        return "code"
    block, rest = _block(prose), _PARTED.split(asked.after)[0]
    if _in_table(block, rest):
        return "table"
    open_code, bare = _without_code("\n".join(block))
    if open_code:
        return "code"
    blocks = _PARTED.split("\n".join(prose)) if asked.whole else []
    displayed = sum(_without_code(text)[1].count("$$") for text in blocks) % 2
    return "math" if displayed or _in_math(bare, rest) else ""


def _in_front_matter(lines: list[str]) -> bool:
    first, *more = lines
    return first.lstrip("\ufeff").rstrip() == "---" and not any(line.rstrip() in ("---", "...") for line in more[:-1])


def _prose(lines: list[str], whole: bool) -> tuple[list[str], bool]:
    """The lines that are no fenced code, and whether the last one is within such code.

    In a text that was cut a bare fence may as well end a block that began before it, so only one that names its language begins one.
    """
    found: list[str] = []
    mark = info = ""
    for line in lines[:-1]:
        fence = _FENCE.match(line)
        if fence and "`" in fence[2] and fence[1][0] == "`":
            fence = None  # code within a line
        if fence and (not mark or (fence[2] and not info and not whole)):
            mark, info = fence[1], fence[2]
            found.append("")
        elif fence and fence[1].startswith(mark) and not fence[2].strip():
            mark = info = ""
        elif not mark:
            found.append(line)
    return [*found, lines[-1]], bool(mark and (whole or info))


def _indented(lines: list[str], whole: bool) -> bool:
    """Code by indentation: four columns after an empty line, unless they belong to a list item above."""
    if not _DEEP.match(lines[-1]):
        return False
    for at in range(len(lines) - 2, -1, -1):
        line = lines[at]
        if line.strip() and (_ITEM.match(line) or not _DEEP.match(line)):
            return not _ITEM.match(line) and any(not between.strip() for between in lines[at + 1:-1])
    return whole


def _block(lines: list[str]) -> list[str]:
    """The lines up to the cursor that no empty line parts from it."""
    found: list[str] = []
    for line in reversed(lines):
        if not line.strip(" \t>") and found:
            break
        found.append(line)
    return found[::-1]


def _in_table(block: list[str], rest: str) -> bool:
    ends = rest.split("\n")
    if block[-1].lstrip(" \t>").startswith("|"):
        return True
    above = any("|" in line and _DELIMITER.match(line) for line in block[:-1])
    below = len(ends) > 1 and "|" in ends[1] and _DELIMITER.match(ends[1]) and "|" in block[-1] + ends[0]
    return bool(above or below)


def _without_code(text: str) -> tuple[bool, str]:
    """Whether code is open at the end of this text, and the text without what is code or escaped."""
    found, at = "", 0
    while at < len(text):
        if text[at] == "\\":
            at += 2
            found += "x"
        elif text[at] == "`":
            run, *later = _TICKS.finditer(text, at)
            close = next((one for one in later if len(one[0]) == len(run[0])), None)
            if not close:
                return True, found
            found, at = found + "x", close.end()
        else:
            found, at = found + text[at], at + 1
    return False, found


def _in_math(block: str, rest: str) -> bool:
    """Whether a single dollar sign is open; an amount of money that nothing closes is none."""
    text = re.sub(r"\$\$.*?\$\$", "x", block, flags=re.S)
    begun = -1
    for sign in re.finditer(r"(?<!\$)\$(?!\$)", text):
        left, right = text[sign.start() - 1: sign.start()], text[sign.end(): sign.end() + 1]
        if begun >= 0 and left.strip() and not right.isdigit():
            begun = -1
        elif begun < 0 and (not right or right.strip()):
            begun = sign.end()
    if begun < 0:
        return False
    return not text[begun: begun + 1].isdigit() or "$" in _ESCAPED.sub("", rest)
