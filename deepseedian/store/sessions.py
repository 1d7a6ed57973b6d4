"""Conversations: one append-only file of JSON lines per session, with the turns of hosts and our own as a tree.

What is said durable was flushed before it is answered. A line that a kill left torn is skipped by readers and closed
by the next writer; two processes may append. `contributing` is the one answer to what may be learned from a session.
"""

import os
import re
import time
from collections import OrderedDict
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from pathlib import Path
from threading import RLock

from filelock import FileLock, Timeout

from deepseedian.config.files import replace_file
from deepseedian.core.entry import stamp as stamped
from deepseedian.errors import BadInput, BadText, Busy, Conflict, NotFound, TooLarge
from deepseedian.store import session_erasing, session_files, session_search
from deepseedian.store.session_files import SUFFIX, Mark, Places, session_of
from deepseedian.store.session_log import (
    ENDS,
    ROLES,
    SESSION,
    SURROGATE,
    About,
    Log,
    Message,
    Turn,
    encoded,
    mended,
    source_key,
)

__all__ = ["About", "Message", "Page", "Sessions", "Turn", "checked", "checked_session", "source_key"]
MOST_MESSAGES = 200
MESSAGE_LIMIT = 200_000
LABEL_LIMIT = 500
TITLE_LIMIT = 200
GOAL_LIMIT = 2_000
KEPT_DAYS = 90
WAIT_SECONDS = 30.0
POLL_SECONDS = 0.01
CACHE_BYTES = 16_000_000


@dataclass(frozen=True, slots=True)
class Page:
    """Sessions, the one that was added to last first."""

    total: int
    sessions: tuple[About, ...]


def checked(session: object, at: object, messages: object, about: Mapping[str, object], now: str, turn: object = "") -> Turn:
    """A turn from outside; `turn` is the host's own id of it. Raises BadInput, BadText, TooLarge."""
    name = checked_session(session)
    when = now if at in (None, "") else at
    if not isinstance(when, str) or len(when) > 40 or not re.fullmatch(r"[0-9T:.,+\-Z ]+", when):
        raise BadInput("at must be a time such as 2026-11-30T09:12:31Z", "leave it out for now")
    if not isinstance(messages, list) or not messages:
        raise BadInput("a turn needs at least one message", '"messages": [{"role": "user", "text": "…"}]')
    if len(messages) > MOST_MESSAGES:
        raise TooLarge(f"a turn may have {MOST_MESSAGES} messages", "hand in fewer at once")
    found = tuple(_message(name, when, number, message) for number, message in enumerate(messages))
    return Turn(name, when, found, {key: _label(value, key) for key, value in about.items() if value}, host=_label(turn or "", "turn"))


def checked_session(session: object) -> str:
    if not isinstance(session, str) or not SESSION.fullmatch(session) or session.endswith("."):
        raise BadInput("a session id is letters, digits, dots, - and _, 120 at most", "it becomes a file name")
    return session


def _message(session: str, at: str, number: int, message: object) -> Message:
    if not isinstance(message, dict) or message.get("role") not in ROLES:
        raise BadInput(f"message {number + 1} needs a role: {', '.join(ROLES)}", "and a text")
    text = message.get("text")
    if not isinstance(text, str):
        raise BadInput(f"message {number + 1} needs a text", '{"role": "user", "text": "…"}')
    _check_text(text, f"message {number + 1}", "hand in the part that matters")
    return Message(source_key(session, at, number, text), message["role"], text, _label(message.get("sender") or "", "sender"))


def _label(value: object, name: str, limit: int = LABEL_LIMIT) -> str:
    if not isinstance(value, str) or len(value) > limit:
        raise BadInput(f"{name} is a text of at most {limit} characters", "shorten it")
    _check_text(value, name)
    return value


def _check_text(text: str, what: str, hint: str = "shorten it") -> None:
    if len(text) > MESSAGE_LIMIT:
        raise TooLarge(f"{what} has {len(text)} characters, {MESSAGE_LIMIT} are allowed", hint)
    if SURROGATE.search(text):
        raise BadText(f"{what} holds half a character (a lone surrogate)", "send valid Unicode")


class Sessions:
    """The conversations of one store. Thread-safe."""

    def __init__(self, folder: Path, *, vault: Path | None = None, in_vault: Callable[[], bool] = lambda: False, device: str = "",
                 stamp: Callable[[], str] = lambda: stamped(time.time())) -> None:
        """`vault` is where they lie while `in_vault` says so; `device` names this one in each line."""
        self.places = Places(folder, vault, in_vault, device)
        self.faults: dict[str, str] = {}
        self._device, self._stamp = device, stamp
        self._mutex, self._held = RLock(), RLock()
        self._lock = FileLock(self.places.home / ".lock", fallback_to_soft=False, mode=0o600)
        self._logs: OrderedDict[Path, tuple[Mark, Log]] = OrderedDict()
        self._abouts: dict[Path, tuple[Mark, About]] = {}
        self._running: set[tuple[str, str]] = set()

    @property
    def folder(self) -> Path:
        """Where conversations lie now; whatever still lies at the other place is moved first."""
        if self.places.waiting():
            with self._writing():
                pass
        return self.places.folder

    @contextmanager
    def _writing(self) -> Iterator[None]:
        """One writer at a time, in whichever process: else a turn added while a file is rewritten would be lost. Raises Busy."""
        with self._mutex:
            try:
                self._lock.acquire(timeout=WAIT_SECONDS, poll_interval=POLL_SECONDS)
            except Timeout:
                raise Busy("another program is writing to the conversations", "try again in a moment") from None
            try:
                self.places.settle(self._stamp())
                yield
            finally:
                self._lock.release()

    # One session's file

    def _path(self, session: str) -> Path:
        return session_files.place(self.folder, checked_session(session))

    def _log(self, session: str) -> Log:
        """Everything that is known of a session. Raises NotFound, TooLarge."""
        path = self._path(session)
        with self._held:
            mark = session_files.mark(path)
            held = self._logs.get(path)
            if held is not None and held[0] == mark and mark[1]:
                self._logs.move_to_end(path)
                return held[1]
            data = session_files.read(path)
            if data is None:
                raise NotFound(f"there is no session {session}", "deepseedian sessions list shows them")
            log = Log(session, self._device)
            for line in data.split(b"\n"):
                log.add(line)
            if mark[1] == len(data):
                self._hold(path, mark, log)
            return log

    def _hold(self, path: Path, mark: Mark, log: Log) -> None:
        self._logs[path] = mark, log
        self._logs.move_to_end(path)
        while len(self._logs) > 1 and sum(held[0][1] for held in self._logs.values()) > CACHE_BYTES:
            self._logs.popitem(last=False)

    def _add(self, session: str, *bodies: Mapping[str, object]) -> Log:
        """Durably add lines, while the lock is held; the session with them."""
        path = self._path(session)
        label = {"device": self._device} if self._device else {}
        lines = b"".join(encoded(dict(body) | label) for body in bodies)
        with self._held:
            before = session_files.mark(path)
            held = self._logs.pop(path, None)
            clean = session_files.append(path, lines)
            after = session_files.mark(path)
            if held is not None and held[0] == before and clean and after[1] == before[1] + len(lines):
                for line in lines.splitlines():
                    held[1].add(line)
                self._hold(path, after, held[1])
        return self._log(session)

    def _known(self, session: str) -> Log | None:
        try:
            return self._log(session)
        except NotFound:
            return None

    # Turns of hosts

    def append(self, turn: Turn) -> bool:
        """Durably add a turn; False when exactly this turn is there already."""
        with self._writing():
            log = self._known(turn.session)
            if log is not None and any(known.messages == turn.messages for known in log.turns()):
                return False
            self._add(turn.session, turn.body())
            return True

    def repeated(self, turn: Turn) -> Turn | None:
        """The turn that a host without times has sent again: the one with its id, else the last one where it says exactly the same."""
        log = self._known(turn.session)
        known = log.turns() if log is not None else []
        if turn.host:
            old = next((one for one in known if one.host == turn.host), None)
            if old is None:
                return None
            again = [replace(one, id=source_key(turn.session, old.at, number, one.text)) for number, one in enumerate(turn.messages)]
            return replace(turn, at=old.at, messages=tuple(again))
        words = [(message.role, message.text) for message in turn.messages]
        return known[-1] if known and words == [(message.role, message.text) for message in known[-1].messages] else None

    # Our own turns

    def begin(self, session: str, turn_id: str, parent: str, question: str, extra: Mapping[str, object] | None = None) -> Turn:
        """A turn that begins after `parent` (empty: at the root), durable before anything is asked of a model.

        The session is made where there is none. Begun twice alike it is the same turn. Raises NotFound, Conflict.
        """
        checked_session(session)
        if not SESSION.fullmatch(turn_id):
            raise BadInput("a turn id is letters, digits, dots, - and _, 120 at most", "a UUID is one")
        _check_text(question, "the question")
        with self._writing():
            log = self._known(session)
            known = log.turn(turn_id, self._here(session)) if log else None
            if log is not None and known is not None:
                if (known.question, known.parent, known.inherited) != (question, parent, False) or known.state in ENDS:
                    raise Conflict(f"the turn {turn_id} was begun before", "give every turn an id of its own")
            else:
                if parent and (log is None or log.turn(parent) is None):
                    raise NotFound(f"there is no turn {parent} in the session {session}", "deepseedian sessions show ID lists its turns")
                message = Message(source_key(session, turn_id, 0, question), "user", question)
                log = self._add(session, {"kind": "begin", "session": session, "at": self._stamp(), "turn": turn_id, "parent": parent,
                                          "messages": [message.document()]} | ({"extra": dict(extra)} if extra else {}))
            self._running.add((session, turn_id))
            return self._turn(log, turn_id)

    def end(self, session: str, turn_id: str, state: str, answer: str, extra: Mapping[str, object] | None = None) -> Turn:
        """How a turn ended, with the answer as far as it came; durable. Ended twice alike it is the same. Raises NotFound, Conflict."""
        if state not in ENDS:
            raise BadInput(f"a turn ends {', '.join(ENDS)}", "not " + repr(state))
        answer = mended(answer)
        self._running.discard((session, turn_id))  # it is over, also where a full disk cannot keep how: it may be asked again
        with self._writing():
            log = self._log(session)
            known = self._turn(log, turn_id)
            if known.state in ENDS:
                if known.inherited or (known.state, known.answer) != (state, answer):
                    raise Conflict(f"the turn {turn_id} has ended before", "give every turn an id of its own")
            else:
                said = [Message(source_key(session, turn_id, 1, answer), "assistant", answer).document()] if answer else []
                log = self._add(session, {"kind": "end", "session": session, "at": self._stamp(), "turn": turn_id, "state": state,
                                          "messages": said} | ({"extra": dict(extra)} if extra else {}))
            return self._turn(log, turn_id)

    def _here(self, session: str) -> set[str]:
        """The turns that this program is at."""
        return {turn for name, turn in self._running if name == session}

    def _turn(self, log: Log, turn_id: str) -> Turn:
        with self._held:
            found = log.turn(turn_id, self._here(log.session))
        if found is None:
            raise NotFound(f"there is no turn {turn_id} in the session {log.session}", "deepseedian sessions show ID lists its turns")
        return found

    # Reading

    def names(self) -> list[str]:
        """Sessions, the one that was added to last first."""
        return [session_of(path) for path in self._newest()]

    def _newest(self) -> list[Path]:
        found = [(session_files.mark(path)[2], path) for path in session_files.files(self.folder)]
        return [path for _, path in sorted(found, key=lambda item: (-item[0], item[1].name))]

    def turns(self, session: str) -> list[Turn]:
        """The turns of a session, in the order in which they began. Raises NotFound."""
        with self._held:
            return self._log(session).turns(self._here(session))

    def branch(self, session: str, turn_id: str = "") -> list[Turn]:
        """From the root to a turn, the newest one unless it is named. Raises NotFound."""
        with self._held:
            log = self._log(session)
            known = {turn.id: turn for turn in log.turns(self._here(session))}
            if turn_id and turn_id not in known:
                raise NotFound(f"there is no turn {turn_id} in the session {session}", "deepseedian sessions show ID lists its turns")
            return [known[key] for key in log.path(turn_id or log.last())]

    def messages(self, session: str) -> list[Message]:
        """All messages, in the order in which they came: a later one never changes the place of an earlier."""
        with self._held:
            return self._log(session).messages()

    def contributing(self, session: str) -> list[Message]:
        """What may be learned from: the owner's own messages, as far as the session contributes. Raises NotFound."""
        with self._held:
            log = self._log(session)
            fault = log.fault() if log.contributes else ""
            if fault:
                self.faults[f"session {session}"] = f"session {session}: {fault}"
            else:
                self.faults.pop(f"session {session}", None)
            return log.contributing()

    def reads(self, session: str) -> bool:
        """Whether memory is put before this session's turns; one that is not known yet reads it."""
        path = self._path(session)
        with self._held:
            return not session_files.mark(path)[1] or self._log(session).reads

    def about(self, session: str) -> About:
        """Raises NotFound."""
        path = self._path(session)
        with self._held:
            mark = session_files.mark(path)
            held = self._abouts.get(path)
            if held is None or held[0] != mark or not mark[1]:
                held = mark, self._log(session).about()
                self._abouts[path] = held
            return held[1]

    def title(self, session: str) -> str:
        """What it is called, as far as its file can be read."""
        return self._about_any(self._path(session)).title

    def _page(self, paths: Sequence[Path], offset: int, limit: int) -> Page:
        _check_page(offset, limit)
        return Page(len(paths), tuple(self._about_any(path) for path in paths[offset: offset + limit]))

    def _about_any(self, path: Path) -> About:
        """What a listing shows: a file that cannot be read hides no other."""
        try:
            return self.about(session_of(path))
        except NotFound:
            return About(session_of(path), "")
        except (TooLarge, BadInput) as error:
            return About(session_of(path), "", fault=error.message)

    # Changing

    def set(self, session: str, **values: object) -> About:
        """Change title, goal, reads or contributes; `contribute_from` is "now" or "all". The session is made where there is none.

        An empty title is the first question's again. Raises BadInput.
        """
        with self._writing():
            log = self._known(session)
            body = {"kind": "set", "session": checked_session(session), "at": self._stamp()} | _settings(values, log or Log(session))
            self._add(session, body)
            return self.about(session)

    def create(self, session: str, **values: object) -> About:
        """A new session before its first turn. Raises Conflict."""
        with self._writing():
            if self._path(session).exists():
                raise Conflict(f"there is a session {session}", "choose another id")
            return self.set(session, **values)

    def fork(self, session: str, turn_id: str, new_id: str) -> About:
        """A session of its own from a completed answer: the turns up to it, goal and switches come along. Raises NotFound, Conflict."""
        checked_session(new_id)
        with self._writing():
            log = self._log(session)
            turn = self._turn(log, turn_id)
            if turn.state != "done" or not turn.answer:
                raise Conflict(f"the turn {turn_id} is {turn.state} and no completed answer", "fork from one that is done")
            target = self._path(new_id)
            if target.exists():
                raise Conflict(f"there is a session {new_id}", "choose another id")
            at, number = self._stamp(), self._free_number(log.stem)
            head: dict[str, object] = {"kind": "fork", "session": new_id, "at": at, "from": {"session": session, "turn": turn_id},
                                       "number": number} | ({"title": log.given} if log.given else {})
            switches = {"kind": "set", "session": new_id, "at": at, "goal": log.goal, "reads": log.reads, "contributes": log.contributes}
            turns = [one.inherited_body(new_id, at) for one in self.branch(session, turn_id)]
            label = {"device": self._device} if self._device else {}
            replace_file(target, b"".join(encoded(body | label) for body in (head, switches, *turns)))
            return self.about(new_id)

    def _free_number(self, stem: str) -> int:
        """The smallest number that no fork of this name has."""
        text = f"{stem}（"
        named = session_search.mentioning(self._newest(), stem.casefold().split())
        titles = {self._about_any(path).title for path, data in named if '"kind":"fork"' in data or "（" in data}
        return next(number for number in range(1, len(titles) + 2) if f"{text}{number}）" not in titles)

    def deletable(self, session: str) -> None:
        """Raises NotFound, and Conflict while a turn of it runs here."""
        if not self._path(session).exists():
            raise NotFound(f"there is no session {session}", "deepseedian sessions list shows them")
        if self._here(session) and any(turn.state == "running" for turn in self.turns(session)):  # another program may have ended it
            raise Conflict(f"a turn of the session {session} is running", "stop it first")

    def delete(self, session: str) -> None:
        """Take a session away for good. Raises NotFound, and Conflict while a turn of it runs here."""
        with self._writing():
            self.deletable(session)
            path = self._path(session)
            beside = [one for one in session_files.files(path.parent) if one.name == session + SUFFIX]  # as an older program named it
            for one in {path, *beside}:
                one.unlink(missing_ok=True)
                self._let_go(one)
            session_files.flush_folder(path.parent)

    def _let_go(self, path: Path) -> None:
        with self._held:
            self._logs.pop(path, None)
            self._abouts.pop(path, None)
            self.faults.pop(f"session {session_of(path)}", None)

    # Search

    def search(self, words: str, offset: int = 0, limit: int = 20) -> Page:
        """Sessions in whose title or messages every word occurs, whatever its case, with the place of one."""
        wanted = words.casefold().split()
        if not wanted:
            return self.list(offset, limit)
        _check_page(offset, limit)
        found = [path for path, text in session_search.mentioning(self._newest(), wanted) if self._says(path, text, wanted)]
        return Page(len(found), tuple(self._found(path, wanted) for path in found[offset: offset + limit]))

    def _says(self, path: Path, text: str, wanted: Sequence[str]) -> bool:
        left = session_search.unsaid(session_of(path), text, wanted)
        return not left or all(word in self._about_any(path).title.casefold() for word in left)

    def _found(self, path: Path, wanted: Sequence[str]) -> About:
        about = self._about_any(path)
        with suppress(NotFound, TooLarge, BadInput):
            return replace(about, excerpt=session_search.excerpt([message.text for message in self.messages(session_of(path))], wanted))
        return about

    # Going

    def erase(self, cleaned: Callable[[str, str], str]) -> int:
        """Rewrite texts; `cleaned` gets a message's id, or nothing for any other text, and the text. How many sessions changed."""
        with self._writing():
            folders = self.places.folders()
            for folder in folders:
                session_files.swept(folder)
        return sum(self._erase(path, cleaned) for folder in folders for path in sorted(folder.glob(f"*{SUFFIX}")))

    def _erase(self, path: Path, cleaned: Callable[[str, str], str]) -> bool:
        with self._writing():
            old = session_files.read(path)
            if old is None:
                return False
            new = session_erasing.cleaned(session_of(path), old, cleaned)
            if new == old:
                return False
            modified = path.stat().st_mtime_ns
            replace_file(path, new)
            os.utime(path, ns=(modified, modified))  # when a conversation was last added to decides how long it is kept
            self._let_go(path)
        return True

    def prune(self, now: float) -> int:
        """Delete sessions that nothing was added to for 90 days; `now` is Unix time."""
        with self._writing():
            old = [path for path in self._newest() if path.stat().st_mtime < now - KEPT_DAYS * 86_400]
            for path in old:
                path.unlink()
                self._let_go(path)
        return len(old)

    def list(self, offset: int = 0, limit: int = 20) -> Page:
        """A page of all sessions; only the files on it are read."""
        return self._page(self._newest(), offset, limit)


def _check_page(offset: int, limit: int) -> None:
    if offset < 0 or not 1 <= limit <= 1000:
        raise BadInput("offset counts from 0, limit goes from 1 to 1000", "for example: --offset 20")


def _settings(values: Mapping[str, object], log: Log) -> dict[str, object]:
    """What a line of settings says. Raises BadInput."""
    found: dict[str, object] = {}
    for name, value in values.items():
        if name == "title":
            found[name] = " ".join(_label(value, name, TITLE_LIMIT).split())
        elif name == "goal":
            found[name] = _label(value, name, GOAL_LIMIT).strip()
        elif name in ("reads", "contributes") and isinstance(value, bool):
            found[name] = value
        elif name == "contribute_from" and value in ("now", "all"):
            index, key = log.range()
            found[name] = {"index": index, "key": key} if value == "now" else None
        else:
            raise BadInput(f"{name} cannot be {value!r}",
                           "title and goal are texts, reads and contributes are on or off, contribute_from is now or all")
    return found
