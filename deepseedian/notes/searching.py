"""Search over the words of all notes, and the query over what is known about them.

Search: notes with all the words before those with some, within that BM25 with weights by place. A note whose name or
alias is the question stands first, one whose path holds the question as it is written is found too, words or not.
The snippet is read from the file at that moment. Ties go by path, so that an answer is the same every time.
"""

import json
from collections.abc import Sequence
from dataclasses import dataclass

from deepseedian.errors import BadInput, DeepseedianError, NotFound
from deepseedian.notes import paths
from deepseedian.notes.kept import Kept, spoken
from deepseedian.notes.tree import Source
from deepseedian.notes.words import WEIGHTS, Question, question, snippet

QUERY_LIMIT = 1000
MOST_HITS = 20
SHOWN_PROPERTIES, SHOWN_VALUE, SHOWN_CHARS, SHOWN_TAGS, PAGE_CHARS = 12, 200, 1400, 40, 18_000


@dataclass(frozen=True, slots=True)
class Hit:
    """`rank` sorts: the best is the least."""

    path: str
    raw: str
    score: float
    rank: tuple[int, int, float, str]


class Searching(Kept):
    """Questions to the index."""

    def search(self, query: str, offset: int = 0, limit: int = 8, folder: str = "") -> dict[str, object]:
        """{"query","total","offset","nextOffset","results":[{"path","title","line","snippet","score"}]}. Raises BadInput."""
        if not query.strip() or len(query) > QUERY_LIMIT:
            raise BadInput(f"a query has 1 to {QUERY_LIMIT} characters", "ask for words of a note, its name, or a tag")
        offset, limit = page(offset, limit, MOST_HITS)
        asked, folder = question(query), paths.checked_folder(folder)
        hits = self._hits(asked, folder)
        shown = [(hit, self._text(hit)) for hit in hits[offset: offset + limit]]
        if gone := frozenset(hit.raw for hit, source in shown if source is None):
            self._catch_up(gone)
            hits = self._hits(asked, folder)
            shown = [(hit, self._text(hit)) for hit in hits[offset: offset + limit]]
        if not hits and folder:
            self._check_folder(folder)
        results = [_shown(hit, source, asked) for hit, source in shown if source is not None]
        after = offset + limit if offset + limit < len(hits) else None
        found: dict[str, object] = {"query": paths.whole(query), "total": len(hits), "offset": offset, "nextOffset": after}
        return fitted(self._told(found | {"results": results}), "results", offset)

    def _told(self, found: dict[str, object]) -> dict[str, object]:
        """With a word on what is not indexed yet."""
        if not self.built:
            found["indexing"] = dict(zip(("done", "of"), self._progress, strict=True))
        return found

    def _text(self, hit: Hit) -> Source | None:
        try:
            return self.tree.read(hit.raw)
        except DeepseedianError:
            return Source(hit.path, "", (0, 0, 0), "", "") if self.tree.find(hit.raw) else None

    def _catch_up(self, raw: frozenset[str]) -> None:
        """These files are not what the index says. While it is being built it gets there by itself."""
        if self.built and self._following.acquire(blocking=False):
            self._following.release()
            self.refresh(raw)

    def _hits(self, asked: Question, folder: str) -> list[Hit]:
        where, values = _within(folder)
        found = {note: (path, raw, score) for note, path, raw, score in self._scores(asked.any, where, values)}
        whole = set(found)
        if len(asked.terms) > 1:
            whole = {row[0] for row in self.rows("SELECT rowid FROM words WHERE words MATCH ?", (asked.all,))}
        exact = set()
        for note, path, raw, same in self._named(asked.plain, where, values):
            found.setdefault(note, (path, raw, 0.0))
            whole.add(note)
            if same:
                exact.add(note)
        hits = [Hit(path, os_path(path, raw), 0.0 - score, (note not in exact, note not in whole, score, path))
                for note, (path, raw, score) in found.items()]
        return sorted(hits, key=lambda hit: hit.rank)

    def _scores(self, match: str, where: str, values: Sequence[object]) -> list[tuple[int, str, bytes | None, float]]:
        """SQLite's score is the less the better."""
        weights = ", ".join(map(str, WEIGHTS))
        return self.rows(f"""SELECT notes.id, path, raw, bm25(words, {weights}) FROM words JOIN notes ON notes.id = words.rowid
            WHERE words MATCH ? {where}""", (match, *values)) if match else []

    def _named(self, plain: str, where: str, values: Sequence[object]) -> list[tuple[int, str, bytes | None, int]]:
        """Notes whose path or other name holds the question as it is; at the end, whether one of their names is the question."""
        return self.rows(f"""SELECT notes.id, path, raw, instr(plain, ?) FROM names JOIN notes ON notes.id = names.note
            WHERE instr(plain, ?) {where}""", (f"\n{plain}\n", plain, *values)) if plain else []

    # What is known about notes

    def query(self, folder: str = "", tag: str = "", property: str = "", value: str = "", query: str = "", offset: int = 0,
              limit: int = 20) -> dict[str, object]:
        """{"total","offset","nextOffset","notes":[{"path","title","tags","properties"}]}, by path; no text is read.

        A tag is found with all below it, a property with this value or with any, the query in path and other names.
        """
        offset, limit = page(offset, limit, MOST_HITS)
        if any(len(word) > QUERY_LIMIT for word in (tag, property, value, query)):
            raise BadInput(f"a filter has at most {QUERY_LIMIT} characters", "shorten it")
        if value and not property:
            raise BadInput("a value needs its property", "name the property as well")
        where, values = self._filters(paths.checked_folder(folder), tag, property, value, query)
        total = self.rows(f"SELECT count(*) FROM notes WHERE notes.note {where}", values)[0][0]
        if not total and folder:
            self._check_folder(paths.checked_folder(folder))
        rows = self.rows(f"SELECT path, tags, properties FROM notes WHERE notes.note {where} ORDER BY path LIMIT ? OFFSET ?",
                         (*values, limit, offset))
        after = offset + limit if offset + limit < total else None
        found: dict[str, object] = {"total": total, "offset": offset, "nextOffset": after, "notes": [_about(*row) for row in rows]}
        return fitted(self._told(found), "notes", offset, PAGE_CHARS)

    def _filters(self, folder: str, tag: str, property: str, value: str, query: str) -> tuple[str, list[object]]:
        where, values = _within(folder)
        fact = "AND id IN (SELECT note FROM facts WHERE name = ? {})"
        if tag := paths.key(tag.strip().lstrip("#").rstrip("/")):
            where += fact.format("AND (value = ? OR value >= ? AND value < ?)")
            values += ["#", tag, f"{tag}/", f"{tag}0"]
        if property := paths.key(property.strip()):
            where += fact.format("AND value = ?" if value else "")
            values += [f"_{property}", spoken(value)] if value else [f"_{property}"]
        for word in paths.plain(query).split():
            where += "AND id IN (SELECT note FROM names WHERE instr(plain, ?)) "
            values.append(word)
        return where, values

    def _check_folder(self, folder: str) -> None:
        if not self.tree.is_folder(folder):
            raise NotFound(f"there is no folder {folder}", "notes_search finds notes anywhere")


def os_path(path: str, raw: bytes | None) -> str:
    """The path as the system has it."""
    return path if raw is None else raw.decode("utf-8", "surrogateescape")


def _within(folder: str) -> tuple[str, list[object]]:
    return ("AND path >= ? AND path < ? ", [f"{folder}/", f"{folder}0"]) if folder else ("", [])


def page(offset: int, limit: int, most: int) -> tuple[int, int]:
    """Raises BadInput for what is before the beginning."""
    if not 0 <= offset <= 1_000_000_000 or limit < 1:
        raise BadInput("offset counts from 0, limit from 1", "go on with nextOffset of the last page")
    return offset, min(limit, most)


def _shown(hit: Hit, source: Source, asked: Question) -> dict[str, object]:
    text, line = snippet(source.text, asked)
    return {"path": hit.path, "title": paths.title(hit.path), "line": line, "snippet": text, "score": round(hit.score, 3)}


def _about(path: str, tags: str, properties: str) -> dict[str, object]:
    """One row of a page: twelve properties, no value longer than 200 characters, 1,400 of all."""
    shown: dict[str, object] = {}
    left, held = SHOWN_CHARS, json.loads(properties)
    for name, value in list(held.items())[:SHOWN_PROPERTIES]:
        cut = shortened(value, SHOWN_VALUE)
        left -= len(name) + paths.size(cut)
        if left < 0:
            break
        shown[name] = cut
    more = {"moreProperties": len(held) - len(shown)} if len(held) > len(shown) else {}
    return {"path": path, "title": paths.title(path), "tags": json.loads(tags)[:SHOWN_TAGS], "properties": shown} | more


def shortened(value: object, most: int) -> object:
    """A value that is not too long; what is long is shown as its beginning."""
    if isinstance(value, str):
        return value if len(value) <= most else value[:most - 1] + "…"
    if paths.size(value) <= most:
        return value
    return shortened(json.dumps(value, ensure_ascii=False), most)


def fitted(document: dict[str, object], key: str, offset: int, most: int = paths.JSON_LIMIT) -> dict[str, object]:
    """An answer that is not too long: what does not fit comes with the next page."""
    items = document[key]
    assert isinstance(items, list)
    spare = most - paths.size({**document, key: []}) - 20
    kept = 0
    for item in items:
        spare -= paths.size(item) + 2
        if spare < 0 and kept:
            break
        kept += 1
    if kept < len(items):
        document[key], document["nextOffset"] = items[:kept], offset + kept
    return document
