"""Inline completion: one short call of the model for the text at a cursor, within a budget of its own, or a named reason why not."""

import os
import secrets
import threading
import unicodedata
from dataclasses import replace
from functools import cached_property
from math import ceil
from pathlib import PurePosixPath
from time import perf_counter
from typing import TYPE_CHECKING, cast

from deepseedian.config.layers import VAULT_FILE
from deepseedian.core import secret
from deepseedian.core.recall import Choice
from deepseedian.errors import BadInput, ModelFailed
from deepseedian.sidecar.modelling import Modelling
from deepseedian.sidecar.opened import Document
from deepseedian.sidecar.recalling import Asked, Recalling

if TYPE_CHECKING:
    from deepseedian.agent.completion import Given
    from deepseedian.models.pieces import Streaming
    from deepseedian.store.completions import Completions

SECONDS = 8.0
MISSING = "deepseedian key set model for DeepSeek; else set model.endpoint and model.name"
NOTE, CHAT = "note", "chat"


class Completing(Recalling, Modelling):
    """Nothing of it is kept but the count of calls, and the receipt of a recall where memory is asked."""

    @cached_property
    def completions(self) -> "Completions":
        from deepseedian.store.completions import Completions

        return Completions(self.instance.folder / "complete.db")

    def complete(self, before: str = "", after: str = "", title: str = "", path: str = "", place: str = NOTE,
                 cancelled: threading.Event | None = None) -> Document:
        """{"text","memory"?} for a cursor, or {"text":"","reason","message","hint","wait"?}: why there is none.

        `place` is note or chat. `memory` holds the entries that went along, `wait` the seconds until a budget allows a call.
        `cancelled` ends the call of the model. Raises BadInput for a path that is none.
        """
        from deepseedian.agent import completion

        cancelled = cancelled or threading.Event()
        asked = completion.given(before, after, title)
        try:
            if reason := self._off(place) or self._excluded(place, path) or self._unsuited(asked):
                return _none(reason)
            if place != CHAT and (fault := self._unsettled()):
                why = f"nobody can say which notes are excluded: {fault}"
                return _told("settings_unreadable", why, "deepseedian config get complete.excluded")
            model = self.streaming(once=2 * SECONDS)  # its own limit is ours, told below
            if model is None:
                return _told("model_missing", "no model is configured", MISSING)
            if "idle" in self.__dict__:
                self.idle.activity()
            with self.completions.alone() as alone:
                return self._completed(asked, model, cancelled) if alone else _none("busy")
        except ModelFailed as error:
            return _none("cancelled") if error.code == "cancelled" else _told(error.code, error.message, error.hint)

    # Whether it is asked for at all

    def _off(self, place: str) -> str:
        if not self.config.on("enabled"):
            return "disabled"
        if place == CHAT:
            return "" if self.config.on("complete.chat") else "chat_off"
        return "" if self.config.on("complete") else "off"

    def _excluded(self, place: str, path: str) -> str:
        """Whether a note lies where the owner wants none: whole names, whichever slash, whatever case, also behind a link."""
        found = self._in_vault(path)
        wanted = [_names(self._below(text.strip())) for text in self.config.text("complete.excluded").split(",") if text.strip()]
        if place == CHAT or not wanted:
            return ""
        real = _names(self._below(os.path.realpath(self.vault.root / self._below(path).replace("\\", "/"))))
        meant = any(names[: len(prefix)] == prefix for names in (found, real) for prefix in wanted)
        return "unnamed" if not found else "excluded" if meant else ""

    def _unsettled(self) -> str:
        """What is wrong with the vault's settings where it may hide an excluded place: half a file counts as none."""
        self.config.text("complete.excluded")  # looks at the files as they are now
        return next((text for key, text in self.config.faults.items() if key in (VAULT_FILE, f"{VAULT_FILE}: complete.excluded")), "")

    def _below(self, path: str) -> str:
        """A whole path into the vault as one from its folder; any other as it is."""
        root = self.vault.root.as_posix()
        inside = PurePosixPath(path).is_absolute() and PurePosixPath(path).is_relative_to(root)
        return PurePosixPath(path).relative_to(root).as_posix() if inside else path

    def _in_vault(self, path: str) -> tuple[str, ...]:
        """The names of a path, which may also be a whole one. Raises BadInput for one outside."""
        path = self._below(path)
        if PurePosixPath(path).is_absolute() or ".." in _names(path) or not path.isprintable():
            raise BadInput(f"{path[:80]!r} is no path inside the vault", "write it with /, from the vault's folder, such as 日记/2026.md")
        return _names(path)

    def _unsuited(self, asked: "Given") -> str:
        from deepseedian.agent import completion_place

        return completion_place.refused(asked) or ("" if asked.before.strip() else "nothing")

    # The call

    def _completed(self, asked: "Given", model: "Streaming", cancelled: threading.Event) -> Document:
        from deepseedian.agent import completion

        if cancelled.is_set():  # nobody waits any more: it costs nothing
            return _none("cancelled")
        reason, wait = self.completions.reserve(self.seam.clock.time())
        if reason:
            return _none(reason) | {"wait": ceil(wait * 10) / 10}  # who comes back then is never a moment too early
        remembered = self._remembered_for(asked)
        sent = completion.messages(asked, secrets.token_hex(12), [str(row["summary"]) for row in remembered])
        try:
            text = completion.candidate(self._answer_of(model, sent, cancelled))
        except BadInput as error:
            return _none(error.code)
        reason = "abstained" if not text else completion.unfit(text, asked.before, asked.after)
        return _none(reason) if reason else {"text": text} | ({"memory": remembered} if remembered else {})

    def _answer_of(self, model: "Streaming", sent: list[dict[str, object]], cancelled: threading.Event) -> str:
        """The whole answer. Raises ModelFailed, BadInput with the reason's name for one that ended otherwise than it should."""
        from deepseedian.agent import completion
        from deepseedian.models.pieces import Finished, Text, ToolCall

        ended = threading.Event()

        def over() -> None:
            ended.set()
            cancelled.set()

        late = threading.Timer(SECONDS, over)
        late.daemon = True
        late.start()
        text, reason = "", ""
        pieces = model.turn(sent, [], cancelled, output_tokens=completion.OUTPUT_TOKENS)
        try:
            for piece in pieces:
                text += piece.text if isinstance(piece, Text) else ""
                reason = piece.reason if isinstance(piece, Finished) else reason
                if isinstance(piece, ToolCall) or completion.units(text) > completion.ANSWER:
                    raise BadInput("not what was asked for", code="answer")
        except ModelFailed as error:
            if ended.is_set() and error.code == "cancelled":
                why = f"the model did not answer within {SECONDS:g} seconds"
                raise ModelFailed(why, "a faster model does better", code="model_timeout") from None
            raise
        finally:
            late.cancel()
            getattr(pieces, "close", lambda: None)()  # who leaves early leaves no connection behind
        if reason != "stop":
            raise BadInput("it ended too early", code="cut" if reason == "length" else "answer")
        return text

    def _remembered_for(self, asked: "Given") -> list[dict[str, object]]:
        """At most four entries that bear on the line being written: [{"id","summary"}]; none unless the owner wants that.

        Ranked as for a question, but a line need not ask anything; no judge is called for it. What looks like a key stays here.
        """
        from deepseedian.agent import completion

        config = self.config.still()
        if not config.on("complete.memory") or not asked.question or not (self.ready.is_set() or self.cold):
            return []  # who types does not wait for memory that is still being read
        began = perf_counter()
        about = Asked(self.recalls.new_id(), config, asked.question, door="complete")
        gates = replace(self._gates(about), intent=False)
        choice = Choice(completion.MOST_REMEMBERED, False, False, gates, config.number("recall.query_chars"),
                        config.number("recall.budget_tokens"), {})
        found = self._answer(about, self._found(about, choice), "", None, (perf_counter() - began) * 1000)
        rows = cast("list[dict[str, object]]", found["index"])
        return [row for row in rows if not secret.find(str(row["summary"]))]


def _names(path: str) -> tuple[str, ...]:
    """The names of a path as they are compared: by either slash, without regard to case."""
    parts = unicodedata.normalize("NFC", path).replace("\\", "/").casefold().split("/")
    return tuple(part.strip() for part in parts if part.strip() not in ("", "."))


def _none(reason: str) -> Document:
    from deepseedian.agent.completion import REASONS

    return _told(reason, *REASONS[reason])


def _told(reason: str, message: str, hint: str) -> Document:
    return {"text": "", "reason": reason, "message": message, "hint": hint}
