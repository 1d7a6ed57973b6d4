"""`check`: verify one memory folder, repair what is derived, report the rest with file and line."""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from deepseedian.core.markup import Problem
from deepseedian.store import state
from deepseedian.store.books import OVERVIEW
from deepseedian.store.entries import Store

SHOWN = 20


@dataclass(frozen=True, slots=True)
class Finding:
    code: str
    file: str
    line: int
    message: str
    repaired: bool = False

    def document(self) -> dict[str, object]:
        return {"code": self.code, "file": self.file, "line": self.line, "message": self.message, "repaired": self.repaired}


def check(store: Store, copies: Mapping[str, str] = MappingProxyType({})) -> list[Finding]:
    """Everything found, repaired or not; an empty list means that all is well.

    `copies` says of conflict copies why they are still there.
    """
    found: list[Finding] = []
    if not store.original and store.root.is_dir():
        store.follow_folder()
        found += _repair_books(store)
        found += [_leftover(name) for name in _recover(store)]
    elif store.original:
        store.books.data(state.NAME)  # whether it may be read at all
    store.refresh(deep=True)
    if store.derive():
        found.append(Finding("derived", OVERVIEW, 0, "it was out of date and has been rewritten", True))
    found += [_finding(problem, copies.get(problem.file, "")) for problem in store.problems()]
    found += [Finding("unreadable", name, 0, reason) for name, reason in store.books.unreadable.items()]
    found += [Finding("conflict_copy", name, 0, "a sync tool's conflict copy of the rules; compare and remove it")
              for name in store.books.rules_copies()]
    found += [Finding("conflict", text.partition(":")[0], 0, text) for text in store.quarantine.conflicts]
    return found


def _recover(store: Store) -> list[str]:
    """Complete what a kill interrupted, remove what it left."""
    with store.lock.writing(store.seam.token(), store.seam.clock.stamp()):
        return store.recover_all()


def _leftover(name: str) -> Finding:
    return Finding("leftover", name, 0, "left by an interrupted change; completed or removed", True)


def _repair_books(store: Store) -> list[Finding]:
    return [Finding("rebuilt", name, 0, "it could not be read; it was rebuilt and the old file set aside", True)
            for name in store.mend()]


def merged(path: str) -> Finding:
    """A conflict copy that was merged and taken out of the folder."""
    return Finding("merged", path, 0, "everything in this conflict copy is decided; it was set aside", True)


def _finding(problem: Problem, reason: str) -> Finding:
    return Finding(problem.code, problem.file, problem.line, f"{problem.message}; {reason}" if reason else problem.message)


def faults(store: Store) -> list[dict[str, str]]:
    """What health tells of the files: {"code","message"} each."""
    unknown = store.unknown()
    found = [{"code": f"file_{fault}", "message": path} for path, fault in unknown.items()]
    found += [{"code": problem.code, "message": f"{problem.file}:{problem.line}: {problem.message}"}
              for problem in store.problems()[:SHOWN] if problem.code not in unknown.values()]
    found += [{"code": "file_unreadable", "message": f"{name}: {reason}"} for name, reason in store.books.unreadable.items()]
    return found + [{"code": "conflict", "message": text} for text in store.quarantine.conflicts]
