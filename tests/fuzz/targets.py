"""Fuzzing: whatever bytes come in, only our own errors come out, in bounded time, and what we promise holds.

    python -m tests.fuzz.targets NAME [--seconds N] [--corpus FOLDER] [--plain]

With atheris the program under test is instrumented and inputs are grown for coverage; without it (or with
--plain) the stored corpus and random changes of it are tried, so that every target runs everywhere. A fault ends
with a traceback, the input and another exit status than 0. Each input may use 200 ms of processor time; time and
not clock is counted, since continuous integration shares its machine.
"""

import argparse
import asyncio
import json
import os
import random
import shutil
import signal
import sys
import tempfile
import time
from collections.abc import Callable
from contextlib import nullcontext, suppress
from pathlib import Path

try:
    import atheris
except ImportError:
    atheris = None

with atheris.instrument_imports(include=["deepseedian"]) if atheris and "--plain" not in sys.argv else nullcontext():
    from deepseedian.api.app import create
    from deepseedian.api.host import Host
    from deepseedian.config.layers import VAULT_FILE, Config
    from deepseedian.config.settings import checked
    from deepseedian.core import comment, markup, operation, review_note, statement
    from deepseedian.core.proposal import Draft
    from deepseedian.core.snapshot import sha256
    from deepseedian.errors import BadInput, DeepseedianError
    from deepseedian.memory import consolidation, importing
    from deepseedian.models.chat import loads
    from deepseedian.notes import markup as notes_markup
    from deepseedian.notes import tree, words
    from deepseedian.sidecar import Sidecar, initialise
    from deepseedian.store import chats, foreign, journal, proposals, session_erasing, state
    from deepseedian.store.commit import RECORD, RECORD_VERSION, Commit
    from deepseedian.store.disk import Disk
    from deepseedian.store.seam import Seam
    from deepseedian.store.session_log import Log, Message, encoded

CORPUS = Path(__file__).parent / "corpus"
SECONDS = 0.2
PATH = "topics/x.md"
Target = Callable[[bytes], None]
_folder = Path()


class TooSlow(BaseException):
    """An input used more than its processor time."""


def scan(data: bytes) -> None:
    """The marker scanner never raises, and its blocks lie in order inside the file and read back the same."""
    found = markup.scan(data, PATH)
    at = 0
    for block in found.blocks:
        assert at <= block.start < block.meta < block.meta_end <= block.text <= block.text_end <= block.end <= len(data), block
        assert data[block.text: block.text_end].decode() == block.entry.text
        at = block.end
    assert 0 <= found.room <= len(data)
    assert all(1 <= problem.line <= data.count(b"\n") + 1 for problem in found.problems)


def splice(data: bytes) -> None:
    """Add, rewrite, remove: every byte outside the entry stays, and undo gives the very bytes back."""
    if not data:
        return
    kind, data = data[0] % 4, data[1:]
    blocks = markup.scan(data, PATH).blocks
    if kind and not blocks:
        return
    with suppress(DeepseedianError):
        block = operation.find(data, blocks[len(data) % len(blocks)].entry) if kind else None
        planned = _planned(kind, data, block)
        after, done = operation.planned({PATH: data}, planned)
        new = after.get(PATH, data)
        assert new is not None
        if len({item.entry.id for item in blocks}) == len(blocks):  # an entry that stands twice is changed in both places
            _check_outside(kind, data, new, block, blocks)
        back, _ = operation.planned({PATH: new}, [item.inverse() for item in reversed(done)])
        assert back.get(PATH, new) == data, (data, new, back)


def _planned(kind: int, data: bytes, block: markup.Block | None) -> list[operation.Operation]:
    if block is None:
        return [operation.add(PATH, {"id": "9" * 36}, "new text\n```", family="deepseedian")]
    entry = block.entry
    if kind == 1:
        return [operation.rewrite(data, entry, text="other\n\ntext", meta={"updatedAt": "t"})]
    if kind == 2:
        return [operation.rewrite(data, entry, meta={"pinned": True, "source": None})]
    return operation.remove(data, entry)


def _check_outside(kind: int, data: bytes, new: bytes, block: markup.Block | None, blocks: tuple[markup.Block, ...]) -> None:
    before, after = _common(data, new)
    if block is None:
        assert before + after >= len(data), (data, new)
        return
    first = min(item.start for item in blocks) if kind == 3 else block.start  # a removal may close the entry before it
    kept = data[:first].rstrip(b" \t\r\n") if kind == 3 else data[:first]  # and takes the blank lines at the file's end with it
    assert before >= len(kept), (data, new)
    rest = data[block.end:].lstrip(b" \t\r\n") if kind == 3 else data[block.end:]
    assert new.endswith(rest), (data, new)


def _common(old: bytes, new: bytes) -> tuple[int, int]:
    """How many bytes at the beginning and, of the rest, at the end are the same."""
    before = _same(old, new)
    return before, _same(old[before:][::-1], new[before:][::-1])


def _same(first: bytes, second: bytes) -> int:
    shorter = min(len(first), len(second))
    return next((at for at in range(shorter) if first[at] != second[at]), shorter)


def state_file(data: bytes) -> None:
    """What is accepted can be written again and says the same."""
    with suppress(BadInput):
        found = state.decoded(data)
        assert state.decoded(state.encoded(found)) == found


def journal_file(data: bytes) -> None:
    with suppress(DeepseedianError):
        found = journal.decoded(data)
        journal.stacks(found)
        journal.ours(found)
        kept = journal.decoded(journal.encoded(found))
        assert not kept or kept == found[-len(kept):]


def proposals_file(data: bytes) -> None:
    with suppress(DeepseedianError):
        found = proposals.decoded(data)
        assert proposals.decoded(proposals.encoded(found)) == tuple(found) or len(found) > proposals.MOST_DECIDED
        if found:
            review_note.render(found, "en", "now").encode()


def transaction(data: bytes) -> None:
    """A synced record is untrusted: recovery touches nothing outside, and ends with one of our errors at worst."""
    root, device = _folder / "transaction/memory", "device"
    if not root.exists():
        (root / "topics").mkdir(parents=True)
        (_folder / "transaction/outside.md").write_bytes(b"outside")
    there = root / "topics/a.md"
    there.write_bytes(b"old a\n")
    (root / RECORD).write_bytes(_signed(data) if data[:1] == b"!" else data)
    with suppress(DeepseedianError):
        Commit(root, device, Disk(), lambda: None).recover(clean=True)
        assert not (root / RECORD).exists()
    assert there.read_bytes() == b"old a\n" if there.exists() else sha256(b"old a\n").encode() in data  # taken away by who knew it
    assert (_folder / "transaction/outside.md").read_bytes() == b"outside"
    for path in root.glob("transaction*.json"):
        path.unlink()


def _signed(data: bytes) -> bytes:
    """The files of a record in an envelope that is in order, so that what lies behind the checksum is reached."""
    try:
        files = [_named(file, index) for index, file in enumerate(json.loads(data[1:]))]
        body = {"version": RECORD_VERSION, "device": "device", "token": "t", "files": files}
        checksum = sha256(json.dumps(body, ensure_ascii=False, sort_keys=True).encode())
        return json.dumps(body | {"checksum": checksum}, ensure_ascii=False).encode()
    except (ValueError, TypeError, AttributeError, RecursionError):
        return data[1:]


def _named(file: dict[str, object], index: int) -> dict[str, object]:
    """With the temporary name that a commit gives it, where the input names none: records with wrong ones are soon done with."""
    folder = str(file.get("path")).rpartition("/")[0]
    old, new = (str(file.get(key))[:12] or "none" for key in ("old", "new"))
    return {"temporary": f"{folder}/.deepseedian-device-t-{index}-{old}-{new}.tmp".removeprefix("/")} | file


ROUTES = (("POST", "/v1/recall"), ("POST", "/v1/entries"), ("PATCH", "/v1/entries/{id}"), ("POST", "/v1/observe"),
          ("POST", "/v1/proposals"), ("POST", "/v1/proposals/{id}/decision"), ("POST", "/v1/check"), ("PUT", "/v1/settings/language"),
          ("POST", "/v1/undo"), ("GET", "/v1/search?{query}"), ("DELETE", "/v1/entries/{query}"), ("GET", "/v1/history?{query}"))


def body(data: bytes) -> None:
    """Any bytes as the body (or the query) of any route: an answer by name, never an internal error."""
    if not data:
        return
    method, path = ROUTES[data[0] % len(ROUTES)]
    sidecar = _sidecar()
    known = next(iter(sidecar.store.snapshot.entries), "x")
    path = path.replace("{id}", known).replace("{query}", data[1:].hex() if "entries" in path else _percent(data[1:]))
    status, answer = _asked(sidecar, method, path, data[1:])
    assert status != 500 or b'"internal"' not in answer, (method, path, data[1:], answer)


def _percent(data: bytes) -> str:
    names = ("query=", "limit=", "offset=", "revision=")
    return names[len(data) % len(names)] + "".join(f"%{byte:02x}" for byte in data)


def _asked(sidecar: Sidecar, method: str, path: str, given: bytes) -> tuple[int, bytes]:
    app = create(Host(sidecar, "t" * 43, 1, "/run/x.sock")) if "app" not in _kept else _kept["app"]
    _kept["app"] = app
    sent: list[dict[str, object]] = []

    async def receive() -> dict[str, object]:
        return {"type": "http.request", "body": given, "more_body": False}

    async def send(message: dict[str, object]) -> None:
        sent.append(message)

    raw, _, query = path.partition("?")
    scope = {"type": "http", "asgi": {"version": "3.0"}, "http_version": "1.1", "method": method, "path": raw, "raw_path": raw.encode(),
             "query_string": query.encode(), "root_path": "", "scheme": "http", "server": ("/run/x.sock", None), "client": None,
             "headers": [(b"content-type", b"application/json")], "state": {}}
    loop = _kept.setdefault("loop", asyncio.new_event_loop())
    loop.run_until_complete(app(scope, receive, send))  # type: ignore[attr-defined,operator]
    return int(sent[0]["status"]), b"".join(bytes(message.get("body", b"")) for message in sent[1:])  # type: ignore[call-overload,arg-type]


_kept: dict[str, object] = {}
_RENEW = 300


def _sidecar() -> Sidecar:
    """One vault for some hundred inputs, then a fresh one: it must not grow for ever."""
    used = int(str(_kept.get("used", 0)))
    _kept["used"] = used + 1
    found = _kept.get("sidecar")
    if isinstance(found, Sidecar) and used % _RENEW:
        return found
    if isinstance(found, Sidecar):
        found.close()
        shutil.rmtree(found.vault.root)
    _kept.pop("app", None)
    vault = _folder / f"vault{used}"
    initialise(vault)
    made = Sidecar.open(vault, seam=Seam())
    made.remember("Release on Thursdays only.")
    made.remember("周会改到每周四下午三点", topic="work")
    _kept["sidecar"] = made
    return made


def note(data: bytes) -> None:
    """A review note: only its two lines change when a proposal is decided."""
    text = data.decode(errors="replace")
    found = review_note.parse(text)
    if found is None:
        return
    for section in found.sections:
        told = review_note.with_outcome(text, section.id, "**Approved** now")
        assert told.startswith(text[: section.boxes]) and told.endswith(text[section.boxes_end:])
    review_note.with_remark(text, "> remark")


def comments(data: bytes) -> None:
    """The JSON of a marker: what is read can be changed member by member and says what was meant."""
    text = data.decode(errors="replace")
    try:
        value = comment.loads(text)
    except BadInput:
        return
    if not isinstance(value, dict):
        return
    assert [member.key for member in comment.members(text)] == list(value)
    for key in [*list(value)[:2], "pinned"]:
        assert comment.loads(comment.merged(text, {key: [1]})) == value | {key: [1]}
        assert comment.loads(comment.merged(text, {key: None})) == {name: held for name, held in value.items() if name != key}
    written = comment.dumps(value)
    assert "--" not in written and ">" not in written and comment.loads(written) == value


def answer(data: bytes) -> None:
    """A model's answer is untrusted: bad items are dropped, good ones become proposals, memory does not change."""
    sidecar = _sidecar()
    revision = sidecar.store.snapshot.revision
    text = data.decode(errors="replace").replace("KNOWN", next(iter(sidecar.store.snapshot.entries)))
    offered = consolidation.Offered([Message("key1", "user", "Remember: release on Mondays. 记住：周会改到周五")], {"key1": "2026-01-02T03:04:05.000Z"})
    with suppress(DeepseedianError):
        drafts: list[Draft] = consolidation.checked(consolidation.items_of(loads(text)), offered, sidecar.store.snapshot)
        if drafts:
            sidecar.review.propose(drafts, "idle")
    assert sidecar.store.snapshot.revision == revision


def foreign_files(data: bytes) -> None:
    """Files of other programs: whatever stands in them, what is taken over is text that memory can hold, in nobody's name."""
    text = data.decode(errors="replace")
    pieces = [said.text for said in statement.statements(text)]
    assert all(piece.strip() for piece in pieces)
    read, _ = chats.chats(data, "")
    assert all(turn["messages"] for chat in read for turn in chat.turns)
    rows = [item.document() for item in foreign.lines(data, "x.jsonl", "").items] + [{"text": piece} for piece in pieces]
    now = "2026-01-02T03:04:05.000Z"
    for item in importing.items([*rows, text, {"text": text, "topic": text, "source": text, "createdAt": text}], "", now, "en")[0]:
        markup.check_text(item.text)
        block = markup.encode(item.meta("external"), item.text)
        (found,) = markup.scan(block, PATH).blocks
        assert found.entry.text == item.text and found.entry.meta["trust"] == "external" and item.at[4] == "-"


def session(data: bytes) -> None:
    """A conversation that syncs: what reads it never fails, nobody else's words are learned from, and erasing leaves nothing."""
    log = Log("s", "device")
    for line in data.split(b"\n"):
        log.add(line)
    known = {message.id for message in log.messages()}
    assert {message.id for message in log.contributing()} <= known
    for turn in log.turns():
        assert log.path(turn.id)[-1] == turn.id and turn.question in {"", *(message.text for message in turn.messages)}
        encoded(turn.document())
        encoded(turn.inherited_body("t", "2026"))
    encoded(log.about().document() | {"title": log.title, "stem": log.stem, "unclaimed": log.unclaimed(), "devices": sorted(log.devices())})
    left = session_erasing.cleaned("s", data, lambda key, text: text.replace("secret words", ""))
    again = Log("s", "device")
    for line in left.split(b"\n"):
        again.add(line)
    assert not any("secret words" in message.text for message in again.messages())
    assert again.fault() == log.fault() or not log.ranged


def settings(data: bytes) -> None:
    """A vault's settings that sync: each has a good value, and none may widen a permission or name an address."""
    plugin = _folder / "settings"
    plugin.mkdir(exist_ok=True)
    (plugin / VAULT_FILE).write_bytes(data)
    config = Config(plugin)
    for found in (*config.all(), *config.still().all()):
        assert checked(found.setting.name, found.value) == found.value
        assert found.setting.vault or found.origin != VAULT_FILE
    assert not config.profiles()
    with suppress(DeepseedianError):
        config.set("language", "zh")
        assert Config(plugin).text("language") == "zh"


def page(data: bytes) -> None:
    """Any file is a note with its places inside it, in words that an index can hold and a question can find."""
    text = tree.decoded(data)[0].replace("\r\n", "\n").replace("\r", "\n")  # as they are read
    lines = tree.Source("", text, (), "", "").lines
    found = notes_markup.parsed(lines)
    assert found.header.lines <= len(lines) == found.lines
    assert all(1 <= place <= len(lines) for place in (*(one.line for one in found.headings), *(one.line for one in found.links)))
    assert all(1 <= first <= after <= len(lines) + 1 for first, after in found.blocks.values())
    for heading in found.headings:
        begin, end = found.section(heading.text) or (1, len(lines) + 1)
        assert 1 <= begin < end <= len(lines) + 1
    told = (dict(found.header.properties), found.tags, [one.text for one in found.headings], [one.target for one in found.links])
    json.dumps(told, ensure_ascii=False).encode()
    words.terms(text).encode()
    shown, line = words.snippet(text, words.question(text[-40:]))
    shown.encode()
    assert 1 <= line <= max(1, len(lines))


TARGETS: dict[str, Target] = {"scan": scan, "splice": splice, "state": state_file, "journal": journal_file, "proposals": proposals_file,
                              "transaction": transaction, "body": body, "note": note, "comment": comments, "answer": answer,
                              "foreign": foreign_files, "session": session, "settings": settings, "page": page}


def warm(target: Target, corpus: Path) -> Target:
    """The target with its limit, once it has seen the corpus without one: whatever comes first loads modules and makes a vault.

    The first message to a conversation took all of the limit by that, though none of it was its own.
    """
    for path in sorted(corpus.iterdir()):
        target(path.read_bytes())
    return limited(target)


def limited(target: Target) -> Target:
    """The target with its limit of processor time."""
    def run(data: bytes) -> None:
        signal.setitimer(signal.ITIMER_PROF, SECONDS)
        try:
            target(data)
        finally:
            signal.setitimer(signal.ITIMER_PROF, 0)

    def late(*_: object) -> None:
        raise TooSlow(f"more than {SECONDS} s of processor time")

    signal.signal(signal.SIGPROF, late)
    return run


def hunt(target: Target, corpus: Path, grown: str, seconds: float) -> None:
    """atheris: ends the process itself, with a status of its own when it finds something."""
    options = [sys.argv[0], f"-max_total_time={max(1, int(seconds))}", "-max_len=4096", "-timeout=20", "-verbosity=1",
               f"-artifact_prefix={_folder}/", "-print_final_stats=0", *([grown] if grown else [str(_folder / "grown")]), str(corpus)]
    (_folder / "grown").mkdir()
    atheris.Setup(options, target)
    atheris.Fuzz()


def wander(target: Target, corpus: Path, seconds: float) -> int:
    """The corpus, then random changes of it; the number of inputs."""
    inputs = [path.read_bytes() for path in sorted(corpus.iterdir())]
    seed = random.randrange(1 << 32)
    chance = random.Random(seed)
    until, runs = time.monotonic() + seconds, 0
    while runs < len(inputs) or time.monotonic() < until:
        data = inputs[runs] if runs < len(inputs) else changed(chance, inputs)
        try:
            target(data)
        except BaseException:
            print(f"seed {seed}, input {data!r}", file=sys.stderr)
            raise
        runs += 1
    return runs


def changed(chance: random.Random, inputs: list[bytes]) -> bytes:
    """One input with some pieces cut, doubled, swapped for those of another, or bytes replaced."""
    data = bytearray(chance.choice(inputs))
    for _ in range(chance.randint(1, 4)):
        at = chance.randint(0, len(data))
        end = min(len(data), at + chance.choice((0, 1, 2, 8, 64)))
        other = chance.choice(inputs)
        begin = chance.randint(0, len(other))
        piece = chance.choice((b"", bytes([chance.randrange(256)]), chance.choice((b"\n", b"\r\n", b"-->", b"```", b"\\ud800", b'"', b"{", b"[", b"\0")),
                               data[at:end] * 2, other[begin: begin + chance.choice((1, 8, 64, 512))]))
        data[at:end] = piece
    return bytes(data)


def main() -> None:
    global _folder
    wanted = argparse.ArgumentParser()
    wanted.add_argument("name", choices=TARGETS)
    wanted.add_argument("--seconds", type=float, default=10.0)
    wanted.add_argument("--corpus", default="", help="a folder that grown inputs are kept in")
    wanted.add_argument("--plain", action="store_true", help="without atheris")
    given = wanted.parse_args()
    memory = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None
    folder = tempfile.mkdtemp(prefix="dsd-fuzz-", dir=memory)
    _folder = Path(folder)
    for name in ("STATE", "CONFIG", "RUNTIME"):
        os.environ[f"DEEPSEEDIAN_{name}_DIR"] = str(_folder / name)
    target, corpus = TARGETS[given.name], CORPUS / given.name
    try:
        if atheris and not given.plain:
            sys.exit(in_a_child(lambda: hunt(warm(target, corpus), corpus, given.corpus, given.seconds)))
        print(f"Done {wander(warm(target, corpus), corpus, given.seconds)} runs without atheris")
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def in_a_child(work: Callable[[], None]) -> int:
    """The exit status of a process of its own: atheris ends the one it runs in, and somebody must tidy up after it."""
    child = os.fork()
    if child == 0:
        try:
            work()
        finally:
            os._exit(1)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


if __name__ == "__main__":
    main()
