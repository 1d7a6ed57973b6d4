"""One note and what it is tied to: reading, metadata, links, neighbours.

Texts are read from disk when they are asked for; the index tells only where names lead and who links here. A note that
is not as the index knows it is indexed again on the way. A link that leads nowhere is an error: never another part.
"""

import json
import re
from contextlib import suppress

from deepseedian.errors import BadInput, DeepseedianError, NotFound
from deepseedian.notes import links, markup, paths
from deepseedian.notes.links import Link
from deepseedian.notes.markup import Page
from deepseedian.notes.searching import Searching, os_path, shortened
from deepseedian.notes.tree import Source

READ_LINES, READ_CHARS, RAW_CHARS, EXCERPT_CHARS = 100, 16_000, 12_000, 6000
HEADINGS, TAGS, LINKS, BACKLINKS, RELATED = 80, 40, 40, 30, 8
VALUE_CHARS, TITLE_CHARS = 500, 200
LINK_POINTS, MOST_TAGS = 4, 3


FINDS = "notes_search finds notes by words and names"
_OTHER = re.compile(r"\.[A-Za-z0-9]{1,5}$")


class Asking(Searching):
    """Questions about one note. Each raises BadInput for a path or link against the rules, NotFound for what is not there."""

    def read(self, path: str, offset: int = 1) -> dict[str, object]:
        """{"path","offset","lines","text","nextOffset","revision"}: numbered lines. Raw files: their beginning as it is."""
        source = self._now(path)
        if not paths.is_note(source.path):
            return _raw(source)
        lines = source.lines
        if not 1 <= offset <= max(1, len(lines)):
            raise BadInput(f"{source.path} has {len(lines)} lines", "offset is a line, counted from 1")
        text, end = _numbered(lines, offset - 1)
        after = end + 1 if end < len(lines) else None
        return {"path": source.path, "offset": offset, "lines": len(lines), "text": text, "nextOffset": after, "revision": source.revision}

    def metadata(self, path: str) -> dict[str, object]:
        """Properties, headings, tags, links and backlinks of a note, each with how many there are in all."""
        source = self._now(path, (paths.NOTE,))
        page = markup.parsed(source.lines)
        out = list(dict.fromkeys((link.target, link.part) for link in page.links if link.target))
        back = self._backlinks(source.path)
        whole: dict[str, list[object]] = {
            "headings": [{"level": one.level, "text": shortened(one.text, TITLE_CHARS), "line": one.line}
                         for one in page.headings[:HEADINGS]],
            "tags": [shortened(tag, TITLE_CHARS) for tag in page.tags[:TAGS]],
            "links": [self._out(target, part, source.path) for target, part in out[:LINKS]],
            "backlinks": [{"path": one, "line": line} for one, line in back[:BACKLINKS]]}
        properties = {name: shortened(value, VALUE_CHARS) for name, value in page.header.properties.items()}
        totals = {"headings": len(page.headings), "tags": len(page.tags), "links": len(out), "backlinks": len(back)}
        faults = [{"line": line, "code": code, "message": message} for line, code, message in page.faults]
        return _shrunk(self._told({
            "path": source.path, "title": paths.title(source.path), "lines": len(source.lines), "revision": source.revision,
            "properties": properties, **whole, "totals": totals, "problems": faults}))

    def resolve(self, link: str, source: str = "") -> dict[str, object]:
        """{"path","kind","line","endLine","text","truncated","revision"}: what a link shows. `kind` is note, heading, block or raw."""
        found = _written(link)
        if found.target:
            path = self._destination(found, paths.checked(source) if source else "")
        elif source:
            path = paths.checked(source)
        else:
            raise BadInput("a link within a note needs the note it stands in", "give the note's path as source")
        return self._part(self._held(path), found.part)

    def related(self, path: str) -> dict[str, object]:
        """{"path","related":[{"path","title","points","reasons"}]}: notes one link away, and with tags in common."""
        source = self._now(path, (paths.NOTE,))
        page = markup.parsed(source.lines)
        points: dict[str, dict[str, int]] = {}
        for target in dict.fromkeys(link.target for link in page.links if link.target):
            if (one := self._leads(target, source.path)) and paths.is_note(one):
                points.setdefault(one, {})["this note links to it"] = LINK_POINTS
        for one, _ in self._backlinks(source.path):
            points.setdefault(one, {})["it links to this note"] = LINK_POINTS
        for one, tags in self._alike(source.path, page.tags).items():
            points.setdefault(one, {})[f"tags in common: {', '.join(tags)}"] = min(len(tags), MOST_TAGS)
        points.pop(source.path, None)
        best = sorted(points, key=lambda one: (-sum(points[one].values()), one))[:RELATED]
        return self._told({"path": source.path, "related": [
            {"path": one, "title": paths.title(one), "points": sum(points[one].values()), "reasons": list(points[one])} for one in best]})

    # Finding and reading the file

    def _now(self, path: str, extensions: tuple[str, ...] = (paths.NOTE, *paths.RAW)) -> Source:
        return self._held(paths.checked(path, extensions))

    def _held(self, path: str) -> Source:
        """The file as it is; a name that differs in case or Unicode form alone is found. Raises NotFound with names that are alike."""
        source = self._looked(path)
        if source is None:
            same = self.rows("SELECT path, raw FROM notes WHERE key = ? ORDER BY path LIMIT 1", (paths.key(path),))
            source = self.tree.read(os_path(*same[0])) if same else None
        if source is None:
            near = self.rows("SELECT path FROM notes WHERE name = ? ORDER BY length(path), path LIMIT 3", (paths.key(paths.title(path)),))
            names = ", ".join(row[0] for row in near)
            raise NotFound(f"there is no note {path}", f"there is {names}" if names else FINDS)
        with suppress(DeepseedianError, OSError):  # what was asked for is here, whatever the index does
            known = self.rows("SELECT sha FROM notes WHERE path = ?", (source.path,))
            if not known or known[0][0] != source.sha:
                self._catch_up(frozenset({path}))
        return source

    def _looked(self, path: str) -> Source | None:
        raw = self.rows("SELECT path, raw FROM notes WHERE path = ? AND raw IS NOT NULL", (path,))
        return self.tree.read(os_path(*raw[0]) if raw else path)

    # Links

    def _leads(self, target: str, source: str) -> str | None:
        named = self.rows("SELECT path FROM notes WHERE name = ?", (links.name_of(target),))
        return links.chosen((row[0] for row in named), target, source)

    def _destination(self, link: Link, source: str) -> str:
        """Raises NotFound when it leads nowhere."""
        path = self._leads(link.target, source)
        if path is not None:
            return path
        for there in (link.target, f"{link.target}{paths.NOTE}"):  # not indexed yet
            if paths.askable(there) and self.tree.find(there):
                return there
        foreign = _OTHER.search(link.target)
        raise NotFound(f"{link.target} leads to no note", "only notes, .base and .canvas files are read" if foreign else FINDS)

    def _out(self, target: str, part: str, source: str) -> dict[str, object]:
        shown = shortened(target + (f"#{part}" if part else ""), TITLE_CHARS)
        return {"link": shown, "path": self._leads(target, source)}

    def _backlinks(self, path: str) -> list[tuple[str, int]]:
        """Notes that link here, with the line of the first such link, by path."""
        name = paths.key(paths.title(path))
        candidates = [row[0] for row in self.rows("SELECT path FROM notes WHERE name = ?", (name,))]
        rows = self.rows("""SELECT notes.path, target, line FROM links JOIN notes ON notes.id = links.note
            WHERE links.name = ? ORDER BY notes.path, line""", (name,))
        found: dict[str, int] = {}
        for source, target, line in rows:
            if source != path and source not in found and links.chosen(candidates, target, source) == path:
                found[source] = line
        return list(found.items())

    def _alike(self, path: str, tags: tuple[str, ...]) -> dict[str, list[str]]:
        """Notes with tags in common, those with most of them."""
        keys = [paths.key(tag) for tag in tags[:TAGS]]
        marks = ", ".join("?" * len(keys))
        rows = self.rows(f"""SELECT path, count(*), group_concat(value, char(10)) FROM facts JOIN notes ON notes.id = facts.note
            WHERE facts.name = '#' AND value IN ({marks}) AND path != ? GROUP BY notes.id
            ORDER BY min(count(*), {MOST_TAGS}) DESC, path LIMIT 5000""", (*keys, path)) if keys else []
        return {one: sorted(str(shortened(tag, TITLE_CHARS)) for tag in values.split("\n"))[:MOST_TAGS] for one, _, values in rows}

    def _part(self, source: Source, part: str) -> dict[str, object]:
        if not paths.is_note(source.path):
            return _raw(source)
        lines = source.lines
        page = markup.parsed(lines)
        begin, end = _place(page, source.path, part)
        while end - 1 > begin and not lines[end - 2].strip():
            end -= 1
        text = "\n".join(lines[begin - 1: end - 1])
        kind = "note" if not part else "block" if part.startswith("^") else "heading"
        return _cut({"path": source.path, "title": paths.title(source.path), "kind": kind, "line": begin, "endLine": max(begin, end - 1),
                     "text": text[:EXCERPT_CHARS], "truncated": len(text) > EXCERPT_CHARS, "revision": source.revision})


def _place(page: Page, path: str, part: str) -> tuple[int, int]:
    """The lines of a part of a note, the end not included. Raises NotFound."""
    if not part:
        return 1, page.lines + 1
    if part.startswith("^"):
        found = page.blocks.get(part[1:].casefold())
        if found is None:
            raise NotFound(f"{path} has no block {part}", f"its blocks: {_some('^' + name for name in page.blocks)}")
        return found
    section = page.section(part)
    if section is None:
        raise NotFound(f"{path} has no heading {part}", f"its headings: {_some(heading.text for heading in page.headings)}")
    return section


def _some(names: object) -> str:
    found = list(names)  # type: ignore[call-overload]
    return ", ".join(name[:80] for name in found[:12]) + (" …" if len(found) > 12 else "") if found else "it has none"


def _written(text: str) -> Link:
    """A link in any form: `[[…]]`, `![[…]]`, `[…](…)`, or its target alone. Raises BadInput."""
    bare = text.strip()
    if not bare or len(bare) > markup.LINK_LIMIT:
        raise BadInput(f"a link has 1 to {markup.LINK_LIMIT} characters", "such as [[note]], [[note#heading]] or [[note#^block]]")
    if any(char < " " or "\x7f" <= char < "\xa0" or "\ud800" <= char <= "\udfff" for char in bare):
        raise BadInput("the link holds control characters", "such as [[note]], [[note#heading]] or [[note#^block]]")
    found = markup.first_link(bare)
    if found is None:
        if links.SCHEME.match(bare) or bare.startswith("[") or "](" in bare:
            raise BadInput(f"{bare[:200]} is no link to a note", "such as [[note]], [[note#heading]] or [text](note.md)")
        found = links.wiki(bare)
    if "\\" in found.target:
        raise BadInput("the link holds a backslash", "folders are parted by /")
    if not found.target and not found.part:
        raise BadInput("the link names nothing", "such as [[note]], [[note#heading]] or [[note#^block]]")
    return found


def _numbered(lines: list[str], begin: int) -> tuple[str, int]:
    """Lines with their numbers and where the next page begins. A line that is a page by itself is cut."""
    shown: list[str] = []
    chars = said = 0
    end = begin
    for end in range(begin, min(len(lines), begin + READ_LINES)):
        line = f"{end + 1}\t{lines[end]}"
        cost, spoken = len(line) + 1, len(json.dumps(line, ensure_ascii=False))
        if chars + cost > READ_CHARS or said + spoken > paths.JSON_LIMIT - 2000:
            break
        shown.append(line)
        chars, said = chars + cost, said + spoken
    else:
        end = min(len(lines), begin + READ_LINES)
    if not shown and end < len(lines):
        shown, end = [_fitting(f"{end + 1}\t{lines[end]}")], end + 1
    return "\n".join(shown), end


def _fitting(line: str) -> str:
    cut = line[:READ_CHARS - 1]
    while len(json.dumps(cut, ensure_ascii=False)) > paths.JSON_LIMIT - 2000:
        cut = cut[:len(cut) * 3 // 4]
    return cut + "…"


def _raw(source: Source) -> dict[str, object]:
    """A file whose text is shown as it is; nothing in it is carried out."""
    return _cut({"path": source.path, "title": paths.title(source.path), "kind": "raw", "line": 1, "endLine": len(source.lines),
                 "text": source.text[:RAW_CHARS], "truncated": len(source.text) > RAW_CHARS, "revision": source.revision})


def _cut(document: dict[str, object]) -> dict[str, object]:
    """A text full of characters that JSON writes longer is cut once more."""
    while paths.size(document) > paths.JSON_LIMIT:
        text = str(document["text"])
        document["text"], document["truncated"] = text[:len(text) * 3 // 4], True
    return document


def _shrunk(document: dict[str, object]) -> dict[str, object]:
    """Metadata that is not too long: the longest of its parts lose their last quarter until it fits."""
    parts = ("headings", "links", "backlinks", "tags", "properties", "problems")
    while paths.size(document) > paths.JSON_LIMIT:
        longest = max(parts, key=lambda part: paths.size(document[part]))
        held = document[longest]
        if isinstance(held, dict):
            document[longest] = dict(list(held.items())[:len(held) * 3 // 4])
        elif isinstance(held, list):
            document[longest] = held[:len(held) * 3 // 4]
        document["truncated"] = True
    return document
