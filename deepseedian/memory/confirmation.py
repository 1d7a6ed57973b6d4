"""What a synced folder claims and nobody has confirmed on this device: pins, and the rules.

Anyone who can write into a synced vault can write `"pinned":true` or other rules. A pin takes effect, and
changed rules are used, once the owner says so here; what our own doors on this device wrote needs no saying.
"""

import difflib
from collections.abc import Sequence

from deepseedian.core.entry import Entry
from deepseedian.core.snapshot import RULES
from deepseedian.errors import BadInput, DeepseedianError, NotFound
from deepseedian.memory import changes
from deepseedian.store.entries import Store
from deepseedian.store.founding import RULES as DEFAULTS

RULES_LIMIT = 200_000


class Confirmation:
    """The claims of one store."""

    def __init__(self, store: Store) -> None:
        self.store, self.known = store, store.known

    def rules(self) -> bytes:
        """The rules in force: those in the folder when they are ours or confirmed, else the ones confirmed last."""
        found, held = self._written(), self.known.rules()
        return found if self._trusted(found, held) else held or DEFAULTS[self.store.language()].encode()

    def rules_wait(self) -> bool:
        """Whether RULES.md says something that is not in force yet."""
        found = self._written()
        return bool(found.strip()) and not self._trusted(found, self.known.rules())

    def _written(self) -> bytes:
        try:
            return self.store.seam.disk.read(self.store.root / RULES, RULES_LIMIT) or b""
        except (OSError, DeepseedianError):
            return b""  # not to be read is unknown, and unknown changes nothing

    def rules_fault(self) -> str:
        """Why RULES.md cannot be read as rules (a link, too large); empty when it can, or when there is none."""
        try:
            self.store.seam.disk.read(self.store.root / RULES, RULES_LIMIT)
        except (OSError, DeepseedianError) as error:
            return str(error)
        return ""

    def _trusted(self, found: bytes, held: bytes | None) -> bool:
        """Our own first rules need no saying, until the owner has said something else."""
        return found == held or (held is None and found.decode(errors="replace") in DEFAULTS.values())

    def pins(self) -> list[Entry]:
        """Pinned entries whose pin is not in force here."""
        return [entry for entry in self.store.snapshot.pinned if not self.known.confirmed(entry)]

    def difference(self) -> str:
        """What changed in the rules, as a unified diff; empty when nothing waits."""
        if not self.rules_wait():
            return ""
        old, new = (data.decode(errors="replace").splitlines() for data in (self.rules(), self._written()))
        return "\n".join(difflib.unified_diff(old, new, "in force", RULES, lineterm=""))

    def confirm(self, ids: Sequence[str], *, every: bool, rules: bool) -> int:
        """Put claims in force; how many entries were meant. Raises NotFound, BadInput before anything is confirmed."""
        snapshot = self.store.snapshot
        wanted = list(snapshot.entries.values()) if every else [changes.active(snapshot, entry_id) for entry_id in ids]
        meant = self._meant(rules) if rules or every else b""
        self.known.confirm(wanted)
        if meant:
            self.known.confirm_rules(meant)
        return len(wanted)

    def _meant(self, named: bool) -> bytes:
        """The rules there are to confirm; none, unless they were `named`, where there is no such file."""
        if fault := self.rules_fault():
            raise BadInput(f"{RULES} cannot be read, so nothing was confirmed: {fault}", "the rules confirmed last hold")
        found = self._written()
        if named and not found.strip():
            raise NotFound(f"there are no rules in {RULES} to confirm", "the rules confirmed last hold; write some, then confirm them")
        return found if found.strip() else b""

    def adopt(self) -> None:
        """The owner has just said that this memory is theirs."""
        self.known.confirm(self.store.snapshot.entries.values())
        try:
            found = self.store.seam.disk.read(self.store.root / RULES, RULES_LIMIT) or b""
        except (OSError, DeepseedianError):
            return  # the next start says it again
        if found.strip() and not self._trusted(found, self.known.rules()):
            self.known.confirm_rules(found)
        self.known.drop("adopting", ["yes"])

    def faults(self) -> dict[str, str]:
        """What waits for the owner's word, by code."""
        found = {}
        if self.store.snapshot.pinned and (pins := self.pins()):
            found["claimed_pins"] = f"{len(pins)} pinned entries came from elsewhere; deepseedian confirm shows them and puts them in force"
        if fault := self.rules_fault():
            found["rules_unreadable"] = f"{RULES}: {fault}; the rules confirmed last hold"
        if self.rules_wait():
            found["rules_changed"] = "RULES.md was changed from elsewhere; the old rules hold until deepseedian confirm --rules"
        return found
