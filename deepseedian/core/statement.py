"""Statements out of Markdown as people and agents keep it: every list item, and every paragraph, under its headings.

A list item keeps what is indented below it; a block of code goes with the paragraph before it. Comments, rules and
front matter say nothing. Only blocks are looked for: what stands in a line comes back as it was written.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from markdown_it import MarkdownIt
from markdown_it.token import Token

from deepseedian.core import topic
from deepseedian.errors import BadTopic

TOPIC_CHARS = 60
_BLOCKS = ("paragraph_open", "fence", "code_block", "blockquote_open", "html_block")
_FRONT = re.compile(r"\A---[ \t]*\n(?:.*\n)*?(?:---|\.\.\.)[ \t]*(?:\n|\Z)")
_MARK = re.compile(r"[ \t]*(?:[-*+]|\d{1,9}[.)])(?:[ \t]+|$)")
_BOX = re.compile(r"\[[ xX]\][ \t]+")
_LINK = re.compile(r"!?\[([^\]\n]*)\](?:\([^()\n]*\))?")
_NO_NAME = re.compile(r'[<>:"|?*\\/\x00-\x1f\x7f-\x9f\u2028\u2029\ufeff\u200b-\u200f\u202a-\u202e\u2066-\u2069#^\[\]`~]+')


@dataclass(frozen=True, slots=True)
class Statement:
    """`line` counts from 1; `headings` are those it stands under, the outermost first, the page's own title left out."""

    text: str
    line: int
    headings: tuple[str, ...]

    @property
    def topic(self) -> str:
        """The outermost heading as a topic; empty when it stands under none that can be one."""
        return named(self.headings[0]) if self.headings else ""


def statements(text: str) -> list[Statement]:
    """Everything that a page says, in its order. Never raises."""
    text = text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")
    front = _FRONT.match(text)
    skipped = front[0].count("\n") if front else 0
    lines = text.split("\n")[skipped:]
    tokens = _blocks().parse("\n".join(lines))
    title = _title(tokens)
    found: list[Statement] = []
    stack: list[tuple[int, str]] = []
    joins = False
    for at, token in enumerate(tokens):
        kind = token.type
        if kind == "heading_open" and token.level == 0:
            level = int(token.tag[1])
            stack = [held for held in stack if held[0] < level] + ([(level, tokens[at + 1].content)] if at != title else [])
            joins = False
            continue
        for begin, said in _said(token, lines):
            headings = tuple(" ".join(name.split()) for _, name in stack)
            if joins and kind in ("fence", "code_block"):
                found[-1] = Statement(f"{found[-1].text}\n\n{said}", found[-1].line, headings)
            else:
                found.append(Statement(said, begin + skipped + 1, headings))
            joins = kind == "paragraph_open"
    return found


@lru_cache(maxsize=1)
def _blocks() -> MarkdownIt:
    """Inline text is not read, nor are definitions of links: both can be written so that reading them takes for ever."""
    return MarkdownIt("commonmark").disable(["inline", "reference"])


def _title(tokens: list[Token]) -> int:
    """Where the heading stands that names the page: its first one, when no other is of the first level; else -1."""
    heads = [at for at, token in enumerate(tokens) if token.type == "heading_open" and token.level == 0]
    first = [at for at in heads if tokens[at].tag == "h1"]
    return first[0] if len(first) == 1 and first[0] == heads[0] else -1


def _said(token: Token, lines: list[str]) -> Iterator[tuple[int, str]]:
    """The text of a block that is a statement, with its first line."""
    if token.map is None:
        return
    begin, end = token.map
    if token.type == "list_item_open" and token.level == 1:
        text = _item(lines[begin:end])
    elif token.level == 0 and token.type in _BLOCKS and not lines[begin].lstrip().startswith("<!--"):
        text = "\n".join(lines[begin:end])
    else:
        return
    text = text.strip() if token.type != "code_block" else text.strip("\n").rstrip()
    if text:
        yield begin, text


def _item(lines: list[str]) -> str:
    """A list item without its mark and the indentation that belongs to the mark."""
    mark = _MARK.match(lines[0])
    width = mark.end() if mark else 0
    rest = [line[min(width, len(line) - len(line.lstrip(" \t"))):] for line in lines[1:]]
    first = lines[0][width:]
    box = _BOX.match(first)
    return "\n".join([first[box.end():] if box else first, *rest])


def named(heading: str) -> str:
    """A heading as the name of a topic; empty when nothing of it can be one."""
    words = _NO_NAME.sub(" ", _LINK.sub(r"\1", heading).replace("*", "").replace("`", ""))
    name = " ".join(words.split())[:TOPIC_CHARS].encode(errors="ignore")[: topic.PART_BYTES].decode(errors="ignore").strip(" .~")
    try:
        return topic.checked(name)
    except BadTopic:
        return ""
