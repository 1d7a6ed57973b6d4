"""A note's Markdown: headings, links, tags and blocks with their lines.

markdown-it says what is code, and what is a heading; two rules of our own read what Obsidian adds within a line,
[[links]] and #tags, so that neither counts in code, comments or behind a backslash.
"""

import logging
import re
from dataclasses import dataclass
from functools import lru_cache

from markdown_it import MarkdownIt
from markdown_it.rules_inline import StateInline
from markdown_it.token import Token

from deepseedian.notes import header, links
from deepseedian.notes.header import Header
from deepseedian.notes.links import Link

logging.getLogger("markdown_it").setLevel(logging.INFO)  # at DEBUG it tells of every rule it tries at every line

PARSE_LIMIT = 1_000_000
LINK_LIMIT = 1200
_WIKI = re.compile(rf"(!?)\[\[([^\[\]\n]{{1,{LINK_LIMIT}}})\]\]")
# What ends a tag: space and punctuation, the one of Chinese too; joined emoji stay whole.
_TAG = re.compile("#([^\\s!\"#$%&'()*+,.:;<=>?@^`{|}~\\[\\]\\\\\u2000-\u200c\u200e-\u206f\u2e00-\u2e7f\u3000-\u303f"
                  "\uff00-\uff0f\uff1a-\uff20\uff3b-\uff40\uff5b-\uff65]+)")
_BLOCK_ID = re.compile(r"(?:^|\s)\^([A-Za-z0-9-]{1,100})[ \t]*$")
_MARKS = re.compile(r"[!\"#$%&()*+,.:;<=>?@^`{|}~/\[\]\\\s]+")


@dataclass(frozen=True, slots=True)
class Heading:
    level: int
    text: str
    line: int


@dataclass(frozen=True, slots=True)
class Page:
    """What a note holds. Lines count from 1, front matter included; a block's end is the line after it."""

    header: Header
    headings: tuple[Heading, ...]
    tags: tuple[str, ...]
    links: tuple[Link, ...]
    blocks: dict[str, tuple[int, int]]
    lines: int
    faults: tuple[tuple[int, str, str], ...]

    def section(self, part: str) -> tuple[int, int] | None:
        """The lines of a heading with all below it; `Heading#Sub` is a Sub within Heading. None when there is none."""
        whole = self._one(part, 1, self.lines + 1)
        if whole or "#" not in part:
            return whole
        begin, end = 1, self.lines + 1
        if not part.strip("# "):
            return None
        for step in filter(str.strip, part.split("#")):
            found = self._one(step, begin, end)
            if found is None:
                return None
            begin, end = found[0] + 1, found[1]
        return begin - 1, end

    def _one(self, text: str, begin: int, end: int) -> tuple[int, int] | None:
        within = [heading for heading in self.headings if begin <= heading.line < end]
        same = [at for at, heading in enumerate(within) if heading.text == text.strip()]
        alike = same or [at for at, heading in enumerate(within) if (key := heading_key(text)) and heading_key(heading.text) == key]
        if not alike:
            return None
        first = within[alike[0]]
        after = (heading.line for heading in within[alike[0] + 1:] if heading.level <= first.level)
        return first.line, next(after, end)


def heading_key(text: str) -> str:
    """A heading as links name it: no marks, no case."""
    return _MARKS.sub(" ", text).strip().casefold()


def parsed(lines: list[str]) -> Page:
    """A note by its lines. Any text gives a page."""
    head = header.read(lines)
    body = "\n".join(lines[head.lines:])
    faults = list(head.faults)
    if len(body) > PARSE_LIMIT:
        faults.append((0, "note_large", f"headings, links and tags after {PARSE_LIMIT} characters are not seen"))
        body = body[:PARSE_LIMIT]
    reader = _Reading(head.lines)
    reader.run(_reader().parse(body))
    fronted = [] if head.faults and not head.properties else [
        links.wiki(match[2], at, False) for at, line in enumerate(lines[:head.lines], 1) for match in _WIKI.finditer(line)]
    tags = dict.fromkeys([*head.tags(), *reader.tags])
    return Page(head, tuple(reader.headings), tuple(tags), (*fronted, *reader.links), reader.blocks, len(lines), tuple(faults))


def first_link(text: str) -> Link | None:
    """The link that a text is, written in any of its forms; None for a bare target and for an address outside the vault."""
    reader = _Reading(0)
    reader.run(_reader().parseInline(text))
    return reader.links[0] if reader.links else None


class _Reading:
    """One pass over the tokens of a note."""

    def __init__(self, before: int) -> None:
        self._before = before
        self.headings: list[Heading] = []
        self.tags: list[str] = []
        self.links: list[Link] = []
        self.blocks: dict[str, tuple[int, int]] = {}
        self._open: list[Token] = []
        self._last: dict[int, tuple[int, int]] = {}  # by level: the block before
        self._row = 0

    def run(self, tokens: list[Token]) -> None:
        for token in tokens:
            if token.map:
                self._row = token.map[0]
            if token.type == "inline":
                self._inline(token)
            elif token.nesting == 1:
                self._open.append(token)
            elif token.nesting == -1:
                closed = self._open.pop()
                self._remember(closed, token.level)
            else:
                self._remember(token, token.level)

    def _remember(self, token: Token, level: int) -> None:
        if token.map:
            self._last[level] = (token.map[0], token.map[1])

    def _inline(self, token: Token) -> None:
        around = self._open[-1] if self._open else None
        if around is not None and around.type == "heading_open" and around.level == 0:
            text = " ".join(_BLOCK_ID.sub("", token.content).split("\n")).strip()
            self.headings.append(Heading(int(around.tag[1:]), text, self._row + self._before + 1))
        self._block(token, around)
        line = self._row + self._before + 1
        for child in token.children or ():
            if child.type == "wiki":
                self.links.append(links.wiki(child.content, line, child.info == "!"))
            elif child.type == "tag":
                self.tags.append(child.content)
            elif child.type in ("link_open", "image") and child.info != "auto":
                self._markdown(str(child.attrs.get("href") or child.attrs.get("src") or ""), line, child.type == "image")
            line += child.type in ("softbreak", "hardbreak") or child.content.count("\n") * (child.type == "html_inline")

    def _markdown(self, href: str, line: int, embed: bool) -> None:
        found = links.markdown(href, line, embed) if href else None
        if found is not None and len(href) <= LINK_LIMIT:
            self.links.append(found)

    def _block(self, token: Token, around: Token | None) -> None:
        match = _BLOCK_ID.search(token.content)
        if not match or around is None or around.map is None:
            return
        place = (around.map[0], around.map[1])
        if token.content.strip() == f"^{match[1]}":  # alone: it names what stands before it
            place = self._last.get(around.level, place)
        elif len(self._open) > 1 and (item := self._open[-2]).type == "list_item_open" and item.map:
            place = (item.map[0], item.map[1])
        self.blocks.setdefault(match[1].casefold(), (place[0] + self._before + 1, place[1] + self._before + 1))


class _Reader(MarkdownIt):
    """Addresses stay as they are written."""

    def normalizeLink(self, url: str) -> str:
        return url

    def validateLink(self, url: str) -> bool:
        return True


@lru_cache(maxsize=1)
def _reader() -> MarkdownIt:
    reader = _Reader("commonmark").enable("table")
    reader.inline.ruler.before("link", "wiki", _wiki)
    reader.inline.ruler.before("link", "tag", _tag)
    return reader


def _wiki(state: StateInline, silent: bool) -> bool:
    match = _WIKI.match(state.src, state.pos) if state.src[state.pos] in "![" else None
    if match is None or match.end() > state.posMax:
        return False
    if not silent:
        token = state.push("wiki", "", 0)
        token.content, token.info = match[2], match[1]
    state.pos = match.end()
    return True


def _tag(state: StateInline, silent: bool) -> bool:
    if state.src[state.pos] != "#" or (state.pos and not state.src[state.pos - 1].isspace()):
        return False
    match = _TAG.match(state.src, state.pos)
    if match is None or match[1].isdigit() or not match[1].strip("/") or match.end() > state.posMax:
        return False
    if not silent:
        state.push("tag", "", 0).content = match[1].strip("/")[:header.TAG_LIMIT]
    state.pos = match.end()
    return True


