"""Taking over what other programs remember, and the chats of the public plugin."""

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING

from deepseedian.core.text import summary
from deepseedian.errors import AdoptFirst, BadInput, DeepseedianError, NotFound
from deepseedian.sidecar.opened import Document, Opened

if TYPE_CHECKING:
    from deepseedian.memory.importing import Importing as Imports
    from deepseedian.store.offered import Offered

PREVIEW = 50
ORIGIN = "import"


class Importing(Opened):
    """The caller reads the files, with the caller's rights, and hands in what stands in them."""

    @cached_property
    def offered(self) -> "Offered":
        from deepseedian.store.offered import Offered

        return Offered(self.instance.folder / "offered.db")

    @cached_property
    def importing(self) -> "Imports":
        from deepseedian.memory.importing import Importing as Imports

        return Imports(self.review, self.offered)

    def import_items(self, items: Sequence[object], how: str = "proposals", topic: str = "", about: str = "",
                     dry_run: bool = False) -> Document:
        """Each item {"text","topic"?,"createdAt"?,"source"?,"kind"?,"id"?,"place"?} as a proposal or as an entry of trust external.

        {"how","dryRun","revision","items","new","there","before","refused","waiting","entries","proposals","note","changes",
        "reasons":[{"place","reason"}],"preview":[…]}. A dry run writes nothing.
        """
        from deepseedian.memory import importing

        if how not in importing.WAYS:
            raise BadInput(f"items become {' or '.join(importing.WAYS)}", "not " + repr(how))
        snapshot = self._warm()
        if self.store.original:
            raise AdoptFirst("this memory was made by the original plugin and is read-only here",
                             f"deepseedian init --adopt {self.vault.root} takes it over, after a backup")
        found, refused, twice = importing.items(items, topic, self.seam.clock.stamp(), self.config.text("language"))
        written, proposed, note, waiting, number = list[str](), list[str](), "", 0, 0
        if how == "external" and dry_run:
            known = importing.sorted_out(found, snapshot, self.store)
        elif how == "external":
            known, written, number = self.importing.write(found, summary(about, 60) or "a list")
        else:
            known, proposed, note, waiting = self.importing.propose(found, dry=dry_run)
        fresh = len(known.fresh) if dry_run or how == "proposals" else len(written)
        preview = [{"id": item.id, "text": item.text, "topic": item.topic, "createdAt": item.at, "source": item.source,
                    "place": item.place} for item in known.fresh[:PREVIEW]] if dry_run else []
        return {"how": how, "dryRun": dry_run, "revision": self.store.snapshot.revision, "items": len(items), "new": fresh,
                "there": known.there + twice, "before": known.before, "waiting": waiting, "entries": written, "proposals": proposed,
                "note": note or None, "changes": number, "preview": preview} | _refused([*refused, *known.refused])

    def import_sessions(self, sessions: Sequence[object], dry_run: bool = False) -> Document:
        """Chats as conversations that nothing is learned from until their owner says so: {"sessions":[ids],"turns","there",…}.

        Each is {"session","title"?,"goal"?,"turns":[{"turn","at","messages"}]}; turns that are there stay as they are.
        """
        self._warm()
        ids: list[str] = []
        refused: list[tuple[str, str]] = []
        added = there = 0
        for number, given in enumerate(sessions, 1):
            chat = given if isinstance(given, Mapping) else {}
            name = str(chat.get("session") or f"chat {number}")
            try:
                new, old = self._import_session(chat, name, refused, dry_run)
            except DeepseedianError as error:
                refused.append((name, error.message))
                continue
            ids.append(name)
            added, there = added + new, there + old
        return {"dryRun": dry_run, "sessions": ids, "turns": added, "there": there} | _refused(refused)

    def _import_session(self, chat: Mapping[str, object], name: str, refused: list[tuple[str, str]], dry_run: bool) -> tuple[int, int]:
        """How many turns are new, and how many were there. Raises BadInput for a session that cannot be."""
        from deepseedian.store import sessions

        sessions.checked_session(name)
        turns = chat.get("turns")
        known = self._known_session(name)
        if not known and not dry_run:  # first, so that a kill in between leaves nothing to be learned from
            self.sessions.set(name, title=chat.get("title") or "", goal=chat.get("goal") or "", contributes=False)
        new = old = 0
        for number, turn in enumerate(turns if isinstance(turns, list) else [], 1):
            try:
                if not isinstance(turn, Mapping):
                    raise BadInput("a turn is an object", '{"turn", "at", "messages"}')
                made = sessions.checked(name, turn.get("at"), turn.get("messages"), {"origin": ORIGIN}, self.seam.clock.stamp(),
                                        turn.get("turn") or str(number))
            except DeepseedianError as error:
                refused.append((f"{name}, turn {number}", error.message))
                continue
            again = self.sessions.repeated(made) if known else None
            if dry_run:
                there = again is not None and any(one.messages == again.messages for one in self.sessions.turns(name))
            else:
                there = not self.sessions.append(again or made)
            new, old = new + (not there), old + there
        return new, old

    def _known_session(self, name: str) -> bool:
        try:
            self.sessions.about(name)
        except NotFound:
            return False
        return True


def _refused(refused: "list[tuple[str, str]]") -> Document:
    from deepseedian.memory.importing import MOST_REFUSED

    return {"refused": len(refused), "reasons": [{"place": place, "reason": reason} for place, reason in refused[:MOST_REFUSED]]}
