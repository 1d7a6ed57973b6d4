"""Keeping what is kept sound: erase, claims, check, health, settings."""


from deepseedian.core.entry import imported_from
from deepseedian.core.snapshot import RULES
from deepseedian.errors import BadInput
from deepseedian.sidecar.noting import Noting
from deepseedian.sidecar.opened import Document, described
from deepseedian.sidecar.waiting import Waiting
from deepseedian.store import checking


class Care(Noting, Waiting):
    """Erasure, confirmation, repair and reports."""

    def erase(self, id: str) -> Document:
        """Take a text out of everything we keep: {"id","removed":{place: number},"beyond":{code: what},"notes":[paths]}.

        `beyond` lists what cannot be reached from here, `notes` the owner's own notes that say the same.
        """
        from deepseedian.memory.erasing import BEYOND

        told = self._warm().find(id)
        done = self.erasing.erase(id)
        self.save()
        asked = bool(self.config.text("model.endpoint")) or self._judge_profile(self.config) is not None
        away = {"git": (self.vault.root / ".git").exists(), "provider": asked}
        beyond = {code: what for code, what in BEYOND.items() if away.get(code, True)}
        if told is not None and (file := imported_from(told.source)):
            beyond["imported"] = f"the file it was imported from: {file}"
        if damaged := [str(path) for path in self.erasing.databases()]:
            beyond["damaged"] = f"databases that were set aside, as far as nobody can read them: {', '.join(damaged)}"
        if done.pending:
            beyond["pending"] = f"not yet, the next start tries again: {'; '.join(done.pending)}"
        return {"id": id, "removed": done.removed, "beyond": beyond, "notes": self.erasing.elsewhere(done.texts)}

    def merge_copies(self) -> None:
        """Conflict copies of sync tools that are new or have changed become proposals."""
        if any(problem.code == "conflict_copy" for problem in self.store.problems()) and not self.store.original:
            self.merging.look()

    def claims(self) -> Document:
        """What came from elsewhere and waits for the owner's word on this device: {"pins":[entries],"rules":diff}."""
        self._warm()
        return {"pins": [described(entry, True) for entry in self.confirmation.pins()], "rules": self.confirmation.difference()}

    def confirm(self, ids: list[str] | None = None, all: bool = False, rules: bool = False) -> Document:
        """Put claims in force on this device: {"confirmed":number of entries,"rules":whether the rules were meant}."""
        if not ids and not all and not rules:
            raise BadInput("nothing was named to confirm", "name entries, or say all or rules")
        self._warm()
        all_rules = all and self.confirmation.rules_wait()
        number = self.confirmation.confirm(ids or [], every=all, rules=rules)
        return {"confirmed": number, "rules": rules or all_rules}

    def check(self, restore: bool = False, accept: bool = False) -> Document:
        """{"ok","problems":[…],"setAside":[files]}; `restore` brings vanished files back, `accept` gives them up."""
        self._warm()
        restored = self.store.keeping.restore() if restore else []
        accepted = self.store.keeping.accept() if accept else []
        writable = not self.store.original and not self.store.unknown() and self.store.root.is_dir()
        merged = self.merging.merge() if writable else None
        found = checking.check(self.store, dict(merged.left) if merged else {})
        found += [checking.merged(path) for path in merged.settled] if merged else []
        if fault := self.confirmation.rules_fault():
            found.append(checking.Finding("rules_unreadable", RULES, 0, f"{fault}; the rules confirmed last hold"))
        self.save()
        return {"ok": all(item.repaired for item in found), "problems": [item.document() for item in found],
                "restored": restored, "accepted": accepted, "setAside": [str(path) for path in self.store.quarantine.files()]}

    def health(self) -> Document:
        """{"status":"ok"|"degraded","faults":[{"code","message"}]}."""
        from deepseedian.models import profiles

        faults = dict(self.faults) | self.store.faults | self.recollection.faults()
        if "recalls" in self.__dict__:
            faults |= self.recalls.faults
        for part in ("sessions", "turn_trace"):
            if part in self.__dict__:
                faults |= getattr(self, part).faults
        if not self.ready.is_set():
            faults["indexing"] = "memory is being read; answers come from the last good snapshot"
        if self.store.original:
            faults["adopt_first"] = "the original plugin's memory is read-only here until deepseedian init --adopt"
        if not self.store.root.is_dir():
            faults["memory_unknown"] = "the memory folder is gone; the last snapshot is served"
        if self.ready.is_set():
            faults |= self.confirmation.faults()
        if "similarity" in self.__dict__:
            faults |= self.similarity.faults()
        faults |= self.note_faults()
        found = [{"code": code, "message": message} for code, message in faults.items()]
        found += checking.faults(self.store)
        found += [{"code": "bad_setting", "message": text} for text in [*self.config.faults.values(), *profiles.faults(self.config)]]
        return {"status": "degraded" if found else "ok", "faults": found}

    def status(self) -> Document:
        """Revision, size and health of what is open; the daemon adds who it is."""
        cold = self._cold if not self.ready.is_set() else None
        revision = cold.revision if cold else self.store.snapshot.revision
        entries = cold.total if cold else len(self.store.snapshot.entries)
        return {"vault": str(self.vault.root), "memory": str(self.vault.memory), "revision": revision, "entries": entries,
                "semantic": self.similarity.status() if "similarity" in self.__dict__ else None, "judge": self._judge_status(),
                "notes": self.note_status(), "review": self._waits(), "idle": self._idling(), "health": self.health()}

    def _judge_status(self) -> Document | None:
        """{"model","milliseconds","fault"}; None while nothing would be judged."""
        if not self._judging(self.config):
            return None
        found = self._judge_profile(self.config)
        model = found.model if found else self.config.text("judge.model") or self.config.text("model.name")
        last: Document = self.judge.status() if "judge" in self.__dict__ else {"milliseconds": None, "fault": ""}
        return {"model": model} | last

    def settings(self) -> Document:
        return {"settings": [item.document() for item in self.config.all()], "faults": list(self.config.faults.values())}

    def get_setting(self, name: str) -> Document:
        return self.config.effective(name).document()

    def set_setting(self, name: str, value: str) -> Document:
        """The setting as it is in force now; with `warning` where it names a profile that does not exist."""
        from deepseedian.models import profiles

        done = self.config.set(name, value).document()
        if "similarity" in self.__dict__:
            self.similarity.wake()
        self.broadcast.publish("settings.changed", name=name)
        warning = profiles.unknown(self.config, name) if name in profiles.NAMING else ""
        return done | ({"warning": warning} if warning else {})
