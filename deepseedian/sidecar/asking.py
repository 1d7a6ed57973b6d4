"""A turn with a model: what is asked, what it is given, the loop that answers, and what is kept of it."""

import os
import secrets
import stat
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import asdict, dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from deepseedian.agent.turn import failure, named
from deepseedian.config.files import read_regular
from deepseedian.core import secret
from deepseedian.core.injection import notice
from deepseedian.errors import BadInput, Busy, Conflict, DeepseedianError, Forbidden, ModelFailed, NotFound, TooLarge
from deepseedian.sidecar.modelling import Modelling
from deepseedian.sidecar.opened import Document
from deepseedian.sidecar.proposing import Proposing
from deepseedian.sidecar.tooling import Tooling

if TYPE_CHECKING:
    from deepseedian.agent.context import Attachment, NoteContext
    from deepseedian.agent.desk import Desk
    from deepseedian.agent.harnessed import Harnessed
    from deepseedian.agent.loop import Ended, Loop
    from deepseedian.agent.turn import Event, Running
    from deepseedian.core.snapshot import Snapshot
    from deepseedian.models.pieces import Streaming
    from deepseedian.store.session_log import About, Turn

QUESTION_LIMIT = 40_000
STOP_SECONDS = 15.0
KEPT_TURNS = 64


@dataclass(frozen=True, slots=True)
class Question:
    """One question as it was asked, checked: nothing of it changes any more while it is answered."""

    session: str
    turn: str
    parent: str
    text: str
    about: "About"
    profile: str
    note: "NoteContext"
    attachments: "tuple[Attachment, ...]"
    history: list[tuple[str, str]]
    inherited: int
    faults: tuple[str, ...] = ()


@dataclass(slots=True)
class Memory:
    """What a turn has of memory: the snapshots it may read, and the index of its recall."""

    held: "dict[str, Snapshot]" = field(default_factory=dict)
    revision: str = ""
    index: Document | None = None
    receipt: Document | None = None


class Asking(Tooling, Proposing, Modelling):
    """Turns run beside everything else; one at a time in each session."""

    def __init__(self, *given: Any, **named: Any) -> None:
        super().__init__(*given, **named)
        self.running: dict[str, Running] = {}  # turns by id: those that run, and the last ones that ended
        self._beginning = threading.Lock()

    def begin_turn(self, question: str, session: str = "", parent: str = "", context: Mapping[str, Any] | None = None,
                   attachments: list[Mapping[str, Any]] | None = None, profile: str = "", again: bool = False) -> "Running":
        """Check a question, keep it, and have it answered; the events of what is returned tell the rest.

        `parent` is the turn it goes on from, else the newest of the session; `again` asks the session's last question once
        more, that failed or was stopped. Raises BadInput, TooLarge, NotFound, Conflict, Forbidden: nothing is kept then.
        """
        from deepseedian.agent.turn import Running

        if not self.config.on("enabled"):
            raise Forbidden("Deepseedian is switched off", "deepseedian config set enabled on", code="disabled")
        asked = self._question(question, session, parent, context or {}, attachments or [], profile, again)
        self.idle.activity()
        model = self.streaming(asked.profile)
        found = Running(asked.session, asked.turn, partial(self._answered, asked, model))
        with self._beginning:
            self._only_one(asked.session)
            self.sessions.begin(asked.session, asked.turn, asked.parent, asked.text, {"model": model.name if model else ""})
            self.running[asked.turn] = found
        self._noted(asked, "question", {"text": asked.text}, None)
        try:
            found.start()
        except RuntimeError:  # no thread to be had: the question is kept, and may be asked again
            del self.running[asked.turn]
            self._kept(asked, _failed(Busy("the machine has no thread left for a turn", "try again in a moment")))
            raise Busy("the machine has no thread left for a turn", "try again in a moment") from None
        return found

    def ask(self, **asked: Any) -> "Iterator[Event]":
        """The events of a turn, from `turn` to `done` or `error`; leaving early stops it."""
        return self.begin_turn(**asked).events()

    def stop_turn(self, id: str) -> Document:
        """Stop a running turn; what was answered stays: {"id","session","state"}. Stopping twice is harmless."""
        found = self.running.get(id)
        if found is None:
            raise NotFound(f"there is no turn {id} running", "deepseedian sessions shows what was asked")
        found.stop()
        found.join(STOP_SECONDS)
        return {"id": id, "session": found.session, "state": "ended" if found.ended else "stopping"}

    def _only_one(self, session: str) -> None:
        for key, turn in list(self.running.items()):
            if turn.session == session and not turn.ended:
                raise Conflict("a turn of this session is running", "wait for it, or stop it", code="turn_running")
            if turn.ended and len(self.running) > KEPT_TURNS:
                del self.running[key]

    def end_turns(self) -> None:
        """Stop what runs, for a daemon that ends: each keeps what it has."""
        turns = [turn for turn in list(self.running.values()) if not turn.ended]
        for turn in turns:
            turn.stop()
        until = self.seam.clock.monotonic() + STOP_SECONDS
        for turn in turns:
            turn.join(max(0.0, until - self.seam.clock.monotonic()))

    def close(self) -> None:
        """A turn that still runs keeps what it has before its stores are closed."""
        if not self._closed:
            self.end_turns()
        super().close()

    def _cleared(self) -> None:
        """A running turn would write what is erased into trace and answer: it ends before these are cleaned."""
        self.end_turns()
        super()._cleared()
        for turn in list(self.running.values()):
            turn.forget()

    # The question

    def _question(self, question: str, session: str, parent: str, context: Mapping[str, Any], attachments: list[Mapping[str, Any]],
                  profile: str, again: bool) -> Question:
        from deepseedian.agent import context as brought
        from deepseedian.agent import prompt

        if parent and not session:
            raise BadInput("a turn to go on from is one of a session", "name the session too: --session")
        session = session or f"chat-{self.seam.new_id()}"
        branch = self._branch(session, parent)
        if again:
            question, branch = _last_question(branch)
        if not question.strip():
            raise BadInput("there is no question", "say what you want to know")
        if len(question) > QUESTION_LIMIT:
            raise TooLarge(f"a question may have {QUESTION_LIMIT} characters", "shorten it", code="input_too_long")
        question = question.encode(errors="replace").decode()
        about = self._about(session)
        note = brought.note(context, self._vault_bytes)
        files = brought.attachments(attachments, self._takes_images(profile), self._vault_bytes)
        told = [(turn.question, turn.answer) for turn in branch if turn.state == "done" and turn.question and turn.answer]
        asked = Question(session, self.seam.new_id(), branch[-1].id if branch else "", question, about, profile, note, files,
                         prompt.fitting(told), sum(turn.inherited for turn in branch))
        prompt.text(prompt.Input(question, "0" * 24, note, about.goal, files))  # without memory already too long: nothing is begun
        return asked

    def _branch(self, session: str, parent: str) -> "list[Turn]":
        try:
            return self.sessions.branch(session, parent)
        except NotFound:
            if parent:
                raise
            return []

    def _about(self, session: str) -> "About":
        from deepseedian.store.session_log import About

        try:
            return self.sessions.about(session)
        except NotFound:
            return About(session, "")

    def _takes_images(self, profile: str) -> bool:
        try:
            model = self.streaming(profile)
        except DeepseedianError:
            return False
        return model is not None and model.images

    def _vault_bytes(self, path: str, limit: int) -> bytes:
        """A file of the vault, never through a link that leads out of it. Raises BadInput, NotFound, TooLarge."""
        from deepseedian.agent import context as brought

        place = self.vault.root / brought.in_vault(path)
        real = Path(os.path.realpath(place))
        if not real.is_relative_to(os.path.realpath(self.vault.root)):
            raise BadInput(f"{path} leads out of the vault", "attach it as a file instead")
        try:
            if not stat.S_ISREG(real.stat().st_mode):
                raise brought.missing(path)
            if not limit:  # whether it is there was all that was asked
                return b""
            data = read_regular(real, limit + 1)
        except (FileNotFoundError, NotADirectoryError):
            raise brought.missing(path) from None
        if data is None or len(data) > limit:
            raise TooLarge(f"{path} has more than {limit} bytes", "name a smaller file, or a part of it")
        return data

    # The answer

    def _answered(self, asked: Question, model: "Streaming | None", running: "Running") -> None:
        """The whole turn, in its own thread: whatever happens, its end is kept and told."""
        ended = self._carried_out(asked, model, running)
        try:
            turn = self._kept(asked, ended)
            if ended.state == "done":
                self._learned(turn, running)
        except Exception as error:  # a full disk: what was answered was told, and that it is not kept is told too
            found = named(error)
            ended = replace(ended, state="failed", reason=found.code, error=found)
        if ended.error:
            running.tell("error", failure(ended.error))
        running.tell("done", {"session": asked.session, "turn": asked.turn, "state": ended.state, "reason": ended.reason,
                              "usage": ended.usage, "answer": ended.answer})
        self.broadcast.publish("session.changed", session=asked.session, turn=asked.turn, state=ended.state)

    def _carried_out(self, asked: Question, model: "Streaming | None", running: "Running") -> "Ended":
        try:
            name = self._model_name(model)
            memory = self._remembered(asked, running)
            desk = self._turn_desk(asked, memory, running)
            sent, manifest = self._sent(asked, memory, desk, name)
            running.tell("turn", {"session": asked.session, "turn": asked.turn, "model": name, "manifest": manifest})
            self._told_memory(asked, memory, running)
            return self._runtime(asked, model, desk, running).run(sent)
        except Exception as error:  # also a fault of ours: the question waits for its end, and its text could hold memory
            return _failed(named(error))

    def _model_name(self, model: "Streaming | None") -> str:
        """Raises ModelFailed when nothing can answer."""
        if self.config["runtime"] == "dsh" and (name := self.config.text("dsh.model") or (model.name if model else "")):
            return name
        if model is None:
            raise ModelFailed("no model is configured",
                              "deepseedian key set model for DeepSeek; else set model.endpoint and model.name", code="model_missing")
        return model.name

    def _runtime(self, asked: Question, model: "Streaming | None", desk: "Desk", running: "Running") -> "Loop | Harnessed":
        """Our own loop, or DeepSeek Harness in its place: told and kept alike."""
        from deepseedian.agent.loop import Loop

        note = partial(self._noted, asked)
        if self.config["runtime"] == "dsh":
            from deepseedian.agent.harnessed import Harnessed

            pieces = partial(self._harness_pieces, asked)
            return Harnessed(self._model_name(model), pieces, running.cancelled, running.tell, note)
        assert model is not None
        return Loop(model, desk, running.cancelled, self.seam.clock.monotonic, running.tell, note)

    def _harness_pieces(self, asked: Question, text: str, cancelled: threading.Event, instructions: str) -> Iterator[tuple[str, object]]:
        from deepseedian.config.folders import private, state_folder
        from deepseedian.hosts import places
        from deepseedian.models import credentials, harness, profiles

        profile, saved = profiles.chosen(self.config, asked.profile), self.config.text("dsh.home")
        words = (*places.command(self.vault.root, self.vault.plugin.parents[1].name), "mcp", "--session", asked.session)
        made = harness.Harness(private(state_folder() / "dsh"), words, self.config.text("dsh.model") or (profile.model if profile else ""),
                               self.config.text("dsh.provider"), Path(saved).expanduser() if saved else None,
                               profile.endpoint if profile else "", credentials.held(profile.key).key if profile else "", places.kept())
        return harness.turn(made, text, cancelled, instructions=instructions, seconds=float(self.config.number("model.timeout_seconds")))

    def _noted(self, asked: Question, kind: str, detail: Mapping[str, object], usage: Mapping[str, object] | None) -> None:
        with suppress(OSError, DeepseedianError):  # a full disk costs the trace, not the answer
            self.turn_trace.add(asked.session, asked.turn, kind, dict(detail), dict(usage) if usage else None)

    def _remembered(self, asked: Question, running: "Running") -> Memory:
        """One frozen snapshot and its index; with reading off the store is not touched at all."""
        if not asked.about.reads:
            return Memory()
        snapshot = self._warm()
        found = Memory({snapshot.revision: snapshot}, snapshot.revision)
        self.recollection.snapshot(snapshot)
        empty: Document = {"vault": snapshot.vault_id, "revision": snapshot.revision, "total": len(snapshot.entries), "index": []}
        if not self.config.on("auto_recall"):
            found.index = empty
            return found
        told: Any = self.recall(asked.text, why=True, revision=snapshot.revision, session=asked.session, door="chat")
        found.receipt = told.pop("receipt")
        told["index"] = [row for row in told["index"] if not secret.find(row["summary"])]  # what looks like a key stays here
        found.index = told
        self._noted(asked, "memory", {"revision": found.revision, "index": told["index"], "receipt": found.receipt}, None)
        return found

    def _told_memory(self, asked: Question, memory: Memory, running: "Running") -> None:
        if memory.index is None:
            return
        rows: Any = memory.index["index"]
        running.tell("recall", {"revision": memory.revision, "index": rows, "reason": memory.index.get("reason", ""),
                                "receiptId": memory.index.get("receiptId", "")})
        if rows and self.config["delivery"] == "notice":
            running.tell("notice", {"text": notice([str(row["summary"]) for row in rows], self.config.text("language"))})

    def _turn_desk(self, asked: Question, memory: Memory, running: "Running") -> "Desk":
        from deepseedian.agent.desk import Desk, Turn

        found: Desk = self.desk("chat", asked.session)
        reads = partial(self._allowed, asked, running, "reads")
        manages = partial(self._manages, asked, running)
        turn = Turn(asked.text, self._source(asked), memory.revision, reads, manages, partial(self._managed, asked, memory, manages),
                    partial(self._held, memory), running.cancelled)
        return Desk(found.memory, "chat", found.enabled, asked.session, contributes=partial(self._allowed, asked, running, "contributes"),
                    turn=turn)

    def _held(self, memory: Memory, revision: str) -> None:
        """Others recall and change meanwhile: the turn's snapshot stays at hand whatever they do."""
        if revision in memory.held:
            self.recollection.snapshot(memory.held[revision])

    def _source(self, asked: Question) -> str:
        """The key of the message that asks: what a proposal or a change of this turn rests on."""
        turn = next(turn for turn in self.sessions.branch(asked.session, asked.turn) if turn.id == asked.turn)
        return turn.messages[0].id

    def _allowed(self, asked: Question, running: "Running", switch: str) -> bool:
        """A switch of the session that was on when the turn began, and still is: one turned on meanwhile counts from the next turn."""
        abouts = asked.about, self._about(asked.session)
        on = all(getattr(about, switch) and not (switch == "contributes" and about.fault) for about in abouts)
        return on and not running.cancelled.is_set() and self.config.on("enabled")

    def _manages(self, asked: Question, running: "Running") -> bool:
        return self.config.on("manage") and self._allowed(asked, running, "reads") and self._allowed(asked, running, "contributes")

    def _managed(self, asked: Question, memory: Memory, permitted: Callable[[], bool], wanted: Mapping[str, Any],
                 revision: str) -> Document:
        from deepseedian.agent import managing

        request = managing.of(wanted, self._source(asked), memory.held[revision])
        done = managing.carry_out(self.store, request, permitted, self.config.text("language"), self.vault.family)
        snapshot = self.store.snapshot
        memory.held[snapshot.revision] = snapshot
        return done | {"revision": snapshot.revision}

    def _sent(self, asked: Question, memory: Memory, desk: "Desk", model: str) -> tuple[list[dict[str, object]], Document]:
        """The messages, and the manifest of exactly what they hold."""
        from deepseedian.agent import prompt

        manages = self.config["runtime"] == "native" and any(tool.effect == "writes" for tool in desk.offered())
        given = prompt.Input(asked.text, secrets.token_hex(12), asked.note, asked.about.goal, asked.attachments, memory.index, manages)
        sent = prompt.messages(given, asked.history)
        items = [item.item() for item in asked.attachments]
        if asked.note.path:
            items.insert(0, {"kind": "note", "label": asked.note.path, "chars": len(asked.note.selection) + len(asked.note.nearby),
                             "hash": asked.note.revision})
        manifest: Document = {
            "version": 1, "createdAt": self.seam.clock.stamp(), "model": model, "items": items,
            "memoryEnabled": memory.index is not None, "memoryRevision": memory.revision,
            "memoryEntries": len(memory.index["index"]) if memory.index else 0,  # type: ignore[arg-type]
            "managesMemory": manages, "tools": [tool.name for tool in desk.offered()], "goal": bool(asked.about.goal),
            "historyMessages": 2 * len(asked.history), "inheritedMessages": 2 * asked.inherited, "promptChars": len(prompt.text(given))}
        self._noted(asked, "context", manifest | {"note": asdict(asked.note)}, None)
        return sent, manifest

    # What is kept, and learned

    def _kept(self, asked: Question, ended: "Ended") -> "Turn":
        extra: Document = {"usage": ended.usage, "reason": ended.reason}
        if ended.error:
            extra["error"] = ended.error.document()["error"]
            self._noted(asked, "error", ended.error.document()["error"], None)
        if ended.answer:
            self._noted(asked, "answer", {"text": ended.answer}, None)
        self._noted(asked, "end", {"state": ended.state, "reason": ended.reason, "rounds": ended.rounds}, ended.usage or None)
        return self.sessions.end(asked.session, asked.turn, ended.state, ended.answer, extra)

    def _learned(self, turn: "Turn", running: "Running") -> None:
        """What the owner said in it may become proposals, by the same rules as a turn that a host hands in."""
        try:
            made: list[str] = self.captured(turn)
        except Exception as error:  # the answer is kept, and stays done
            running.tell("notice", {"text": f"{named(error).message}: nothing was proposed"})
            return
        if made:
            running.tell("proposals", {"proposals": made})


def _failed(error: DeepseedianError) -> "Ended":
    from deepseedian.agent.loop import Ended

    return Ended("failed", "", error.code, {}, 0, error)


def _last_question(branch: "list[Turn]") -> "tuple[str, list[Turn]]":
    """The last question of a branch that got no answer, and the turns before it. Raises Conflict."""
    if not branch or branch[-1].state in ("done", "running"):
        raise Conflict("the last question of this session was answered", "ask a new one", code="answered")
    return branch[-1].question, branch[:-1]
