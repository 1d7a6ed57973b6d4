"""Review notes: proposals as an ordinary note of the vault, and the ticks read back from it.

Only exact task lines directly after a proposal's end marker count, and one directly after the front
matter for all of them; so text from anywhere else, however it looks, cannot tick itself. Both languages
are read in every note. Like topic files, a note is changed by splices of single lines.
"""

import difflib
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from deepseedian.core import comment
from deepseedian.core.proposal import Proposal
from deepseedian.core.snapshot import sha256
from deepseedian.core.unseen import UNSEEN
from deepseedian.errors import BadInput

WORDS = {
    "en": {"approve": "Approve", "dismiss": "Dismiss", "all": "Approve all", "title": "Memory review", "why": "Why",
           "from": "You said", "now": "Now", "change": "Change", "beside": "Differs from this, and both would stay",
           "effect": "Effect", "review": "Review on", "in": "in", "hidden": "Hidden characters in the text below, written out here",
           "intro": "Tick a box to decide. You may edit a proposed text before approving it; what stands here is saved.",
           "add": "Add to", "edit": "Change in", "merge": "Merge in", "move": "Move to", "archive": "Archive from",
           "approved": "Approved", "dismissed": "Dismissed", "stale": "Out of date", "expired": "Expired", "undone": "Taken back"},
    "zh": {"approve": "批准", "dismiss": "忽略", "all": "全部批准", "title": "记忆审阅", "why": "理由", "from": "你说过",
           "now": "现在", "change": "改动", "beside": "与下面这条不同，两条都会保留", "effect": "影响", "review": "复查日期", "in": "见",
           "hidden": "下面的文字里有看不见的字符，在此写明",
           "intro": "勾选即决定。批准前可以直接修改提议的文字，保存的就是这里的内容。",
           "add": "新增到", "edit": "修改", "merge": "合并到", "move": "移动到", "archive": "归档自",
           "approved": "已批准", "dismissed": "已忽略", "stale": "已过时", "expired": "已过期", "undone": "已撤回"},
}


_SESSION = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,119}")  # what may stand in a link as it is
_FRONT = re.compile(r"\A(?:\ufeff)?---[ \t]*\r?\n(.*?\r?\n)?---[ \t]*\r?\n", re.S)
_BATCH = re.compile(r"^batch:[ \t]*[\"']?([0-9a-f-]{8,64})[\"']?[ \t]*\r?$", re.M)
_REVIEW = re.compile(r"^deepseedian:[ \t]*[\"']?review[\"']?[ \t]*\r?$", re.M)
_START = re.compile(r"^<!-- deepseedian-proposal (\{[^\n]*\}) -->[ \t]*\r?\n", re.M)
_END = re.compile(r"^<!-- /deepseedian-proposal -->[ \t]*\r?(?:\n|\Z)", re.M)
_ANY_MARKER = re.compile(r"^<!-- ?/?deepseedian-proposal[^\n]*", re.M)
_TICK = re.compile(r"^- \[[xX]\] ", re.M)
_APPROVE = re.compile(r"- \[([ xX])\] (?:Approve|批准)[ \t]*\r?(?:\n|\Z)")
_DISMISS = re.compile(r"- \[([ xX])\] (?:Dismiss|忽略)[ \t]*\r?(?:\n|\Z)")
_ALL = re.compile(r"- \[([ xX])\] (?:Approve all|全部批准)[ \t]*\r?(?:\n|\Z)")


@dataclass(frozen=True, slots=True)
class Section:
    """One proposal as it stands in a note. [boxes, boxes_end) spans the two task lines, in characters.

    `text` is what approval saves; `approve` and `dismiss` are the ticks; `shown` is the fingerprint of the rest.
    """

    id: str
    base: str
    text: str
    approve: bool
    dismiss: bool
    boxes: int
    boxes_end: int
    shown: str = ""


@dataclass(frozen=True, slots=True)
class Note:
    """A review note as read; `damage` says in words what could not be read, `ticked` whether any box is."""

    batch: str
    all: bool
    sections: tuple[Section, ...]
    damage: tuple[str, ...] = ()
    ticked: bool = False


@dataclass(frozen=True, slots=True)
class Told:
    """What a note tells of a proposal besides itself: session of each source it quotes, and its effect on recall."""

    sessions: Mapping[str, str] = field(default_factory=dict)
    effect: str = ""


def parse(text: str) -> Note | None:
    """None for a note that is no review note."""
    front = _FRONT.match(text)
    if front is None or not _REVIEW.search(front[1] or ""):
        return None
    batch = _BATCH.search(front[1] or "")
    every = _ALL.match(text, front.end())
    sections, damage = _sections(text)
    if batch is None:
        damage.append("the front matter has lost its batch")
    return Note(batch[1] if batch else "", bool(every and every[1] in "xX"), tuple(sections), tuple(damage), _TICK.search(text) is not None)


def _sections(text: str) -> tuple[list[Section], list[str]]:
    found: list[Section] = []
    damage: list[str] = []
    at = 0
    while (start := _START.search(text, at)) is not None:
        end, following = _END.search(text, start.end()), _START.search(text, start.end())
        if end is None or (following is not None and following.start() < end.start()):
            damage.append("a proposal has lost its end marker")
            at = start.end()
            continue
        section = _section(text, start, end)
        if isinstance(section, Section):
            found.append(section)
        else:
            damage.append(section)
        at = end.end()
    damage += _stray(text, len(found), damage)
    if len({section.id for section in found}) != len(found):
        return [], [*damage, "a proposal appears twice in this note"]
    return found, damage


def _stray(text: str, read: int, damage: Sequence[str]) -> list[str]:
    markers = len(_ANY_MARKER.findall(text))
    return ["a proposal's marker was changed"] if markers != 2 * read and not damage else []


def _section(text: str, start: re.Match[str], end: re.Match[str]) -> Section | str:
    try:
        meta = comment.loads(start[1])
    except BadInput:
        return "a proposal's marker cannot be read"
    if not isinstance(meta, dict) or not isinstance(meta.get("id"), str) or not isinstance(meta.get("base"), str):
        return "a proposal's marker cannot be read"
    approve = _APPROVE.match(text, end.end())
    dismiss = _DISMISS.match(text, approve.end()) if approve else None
    body = text[start.end(): end.start()]
    body = body.removesuffix("\n").removesuffix("\r") if body.endswith(("\r\n", "\n")) else body
    shown = str(meta.get("shown", ""))
    if approve is None or dismiss is None:
        return Section(meta["id"], meta["base"], body, False, False, end.end(), end.end(), shown)
    return Section(meta["id"], meta["base"], body, approve[1] in "xX", dismiss[1] in "xX", end.end(), dismiss.end(), shown)


def fingerprint(proposal: Proposal) -> str:
    """Of all that an approval writes besides the text: proposals.json is synced, and may say something else by then."""
    targets = [[target.id, target.hash, target.archive_id] for target in proposal.targets]
    told = [proposal.operation, proposal.topic, proposal.kind, proposal.trust, proposal.entry_id, proposal.at, targets,
            list(proposal.before), list(proposal.source_keys), *([dict(sorted(proposal.meta))] if proposal.meta else []),
            *([proposal.review_at] if proposal.review_at else [])]
    return sha256(comment.dumps(told).encode())[:32]


def render(proposals: Sequence[Proposal], language: str, when: str, told: Mapping[str, Told] | None = None) -> str:
    """A whole new note for one batch; `told` by the proposals' ids."""
    words = WORDS[language]
    lines = ["---", "deepseedian: review", f"batch: {proposals[0].batch}", "publish: false", "---"]
    if len(proposals) > 1:
        lines.append(f"- [ ] {words['all']}")
    lines += ["", f"# {words['title']} {when}", "", words["intro"], ""]
    for number, proposal in enumerate(proposals, 1):
        lines += [*_shown(proposal, number, words, (told or {}).get(proposal.id, Told())), ""]
    return "\n".join(lines)


def _shown(proposal: Proposal, number: int, words: dict[str, str], told: Told) -> list[str]:
    lines = [f"## {number}. {words[proposal.operation]} {_plain(proposal.topic)}", ""]
    for old in proposal.before:
        lines += [f"**{words['beside' if proposal.contested else 'now']}**", "", *_quoted(old), ""]
    if proposal.operation in ("edit", "merge") and list(proposal.before) != [proposal.text]:
        lines += [f"**{words['change']}**", "", *_changed(proposal), ""]
    if proposal.review_at:
        lines += [f"**{words['review']}** {_plain(proposal.review_at)}", ""]
    lines += [f"**{words['why']}** {_plain(proposal.reason)}", ""]
    for item in proposal.evidence:
        session = told.sessions.get(item.source, "")
        link = [f"{words['in']} [{session}](obsidian://deepseedian?session={session})", ""] if _SESSION.fullmatch(session) else []
        lines += [f"**{words['from']}**", "", *_quoted(item.quote), "", *link]
    if told.effect:
        lines += [f"**{words['effect']}** {_plain(told.effect)}", ""]
    if UNSEEN.search(proposal.text):
        lines += [f"**{words['hidden']}**", "", *_quoted(proposal.text), ""]
    meta = comment.dumps({"id": proposal.id, "base": proposal.base, "shown": fingerprint(proposal)})
    return [*lines, f"<!-- deepseedian-proposal {meta} -->", proposal.text, "<!-- /deepseedian-proposal -->",
            f"- [ ] {words['approve']}", f"- [ ] {words['dismiss']}"]


def _changed(proposal: Proposal) -> list[str]:
    """Before and after as a diff in a quotation; each line has its sign before it, so that none can end the block."""
    return ["> ```diff", *(f"> {line}" for line in difference(proposal.before, proposal.text)), "> ```"]


def difference(before: Sequence[str], after: str) -> list[str]:
    """The lines that go and the lines that come, each after its sign, hidden characters written out."""
    old, new = [line for text in before for line in text.splitlines()], after.splitlines()
    found = [*difflib.unified_diff(old, new, n=0, lineterm="")][2:]  # without the two names
    return [visible(f"{line[0]} {line[1:]}") for line in found if not line.startswith("@@")]


def _quoted(text: str) -> list[str]:
    """Foreign text as a quotation: no line of it starts at column 0, so none can be a marker or a box."""
    return [f"> {visible(line)}" for line in text.splitlines()] or ["> "]


def _plain(text: str) -> str:
    return visible(" ".join(text.split())).replace("<!--", "<! --")


def visible(text: str) -> str:
    """Characters that hide or reorder text are written out."""
    return UNSEEN.sub(lambda match: f"[U+{ord(match[0]):04X}]", text)


def with_outcome(text: str, proposal_id: str, line: str) -> str:
    """The note with one proposal's two boxes replaced by what became of it."""
    note = parse(text)
    section = next((item for item in note.sections if item.id == proposal_id), None) if note else None
    if section is None or section.boxes == section.boxes_end:
        return text
    newline = "\r\n" if "\r\n" in text[: section.boxes] else "\n"
    return text[: section.boxes] + line + newline + text[section.boxes_end:]


def with_remark(text: str, line: str) -> str:
    """The note with a remark at its end, unless it is there already."""
    newline = "\r\n" if "\r\n" in text else "\n"
    if f"{newline}{line}" in text:
        return text
    return text + ("" if text.endswith("\n") or not text else newline) + newline + line + newline


def outcome(proposal: Proposal, language: str, when: str) -> str:
    """The line that tells what became of a proposal."""
    done = f"**{WORDS[language][proposal.status]}** {when}"
    return f"{done}: {_plain(proposal.message)}" if proposal.message else done
