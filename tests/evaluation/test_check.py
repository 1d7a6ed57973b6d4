"""The memory check: its cases are sound, it says right where it is right, and a recall that got worse makes it fail."""

import json
from collections import Counter
from collections.abc import Callable, Iterable, Sequence

import pytest

from deepseedian.cli.main import main
from deepseedian.core.entry import Entry
from deepseedian.errors import BadText
from deepseedian.evaluation import cases, check
from deepseedian.evaluation.cases import CLASSES, HALVES, Case
from deepseedian.evaluation.shelf import Item, Shelf, appended, shelf

AT = "2026-01-02T03:04:05.000Z"
Offered = Callable[..., list[str]]


def test_the_cases_are_many_and_each_half_has_its_share() -> None:
    memory, questions, replies = cases.memory(), cases.questions(), cases.replies()
    classes = Counter(case.group for case in memory)
    assert set(classes) == {*CLASSES} and min(classes.values()) >= 12
    assert min(Counter((case.group, case.half) for case in memory).values()) >= 6
    assert sum(not item.wanted for item in questions) >= 60 and sum(bool(item.wanted) for item in questions) >= 40
    assert len(replies) >= 36 and sum(bool(reply.corrects) for reply in replies) >= 18
    assert {item.half for item in (*memory, *questions, *replies)} == {*HALVES}
    assert len({case.name for case in memory}) == len(memory) and len({case.question for case in questions}) == len(questions)


def test_every_memory_is_of_an_ordinary_size_and_every_case_can_be_met() -> None:
    assert all(len(items) >= 40 for items in cases.stores().values())
    for case in cases.memory():
        ids = {item.id for item in case.items}
        assert len(ids) == len(case.items) and case.first | case.never <= ids and not case.first & case.never, case.name
        active = {item.id for item in case.items if not item.archived}
        assert case.as_of or case.first <= active, case.name
    for question in cases.questions():
        assert question.wanted <= {item.id for item in cases.stores()[question.store]}
    for reply in cases.replies():
        assert reply.corrects <= {entry.id for entry in reply.injected}
    assert {*cases.baseline()} <= {*CLASSES, "nothing_injected", "wanted_offered", "wanted_first",
                                   "attribution_precision", "attribution_recall"}


@pytest.mark.parametrize(("found", "why"), [
    (["right"], ""), (["right", "other"], ""), ([], "nothing was offered"), (["other", "right"], "in place 2"),
    (["other"], "not offered"), (["right", "old"], "holds no longer"),
])
def test_what_counts_as_right(found: list[str], why: str) -> None:
    case = Case("c", "temporal", "tune", (), "?", "2026-10-01", frozenset({"right"}), frozenset({"old"}))
    texts = {name: name for name in ("right", "other", "old")}
    wrong = check.verdict(case, found, texts)
    assert why in wrong and bool(wrong) == bool(why)


def test_where_nothing_is_wanted_anything_is_wrong() -> None:
    case = Case("c", "abstention", "tune", (), "?", "2026-10-01", frozenset(), frozenset())
    assert check.verdict(case, [], {}) == "" and "offered 1" in check.verdict(case, ["x"], {"x": "text"})


def test_entries_lie_on_the_shelf_as_the_case_says() -> None:
    """Dates, kinds, what replaces what, and the archive: read back through the product's own reader."""
    case = next(case for case in cases.memory() if case.name == "temporal-05")
    with shelf(now=cases.time_of(case.asked)) as opened:
        opened.add(case.items)
        snapshot = opened.sidecar.store.snapshot
        assert not snapshot.problems and len(snapshot.entries) + len(snapshot.archive) == len(case.items)
        old, new = case.items[-2:]
        kept = snapshot.archive[old.id]
        assert kept.meta["supersededBy"] == new.id and kept.meta["status"] == "superseded"
        assert str(kept.meta["endedAt"]).startswith("2026-06-15") and kept.created_at.startswith("2026-01-10")
        assert snapshot.entries[new.id].topic == "健身" and snapshot.entries[new.id].meta["kind"] == "fact"
        assert opened.sidecar.seam.clock.stamp().startswith("2026-10-01")


def test_a_commit_of_many_entries_is_what_one_by_one_gives() -> None:
    items = [Item(f"aaaaaaaa-0000-4000-8000-{number:0>12}", f"text {number}\n\n```\nopen", AT, "work") for number in range(5)]
    with shelf() as together, shelf() as single:
        together.add(items)
        for item in items:
            single.add([item])
        files = [opened.sidecar.store.content("topics/work.md") for opened in (together, single)]
        assert files[0] == files[1] and len(together.sidecar.store.snapshot.entries) == 5
        together.sidecar.undo()
        assert not together.sidecar.store.snapshot.entries
    with pytest.raises(BadText):
        appended("topics/a.md", b"", [Item("x", "<!-- deepseedian-entry -->", AT)], "deepseedian")


def test_attribution_is_counted_over_pairs_of_message_and_entry() -> None:
    """Perfect, blaming everything, and never blaming, worked out from the cases themselves."""
    replies = cases.replies()
    known = {reply.message: reply.corrects for reply in replies}
    pairs, wrong = sum(len(reply.injected) for reply in replies), sum(len(reply.corrects) for reply in replies)

    def figures(corrects: Callable[[str, Sequence[Entry]], Iterable[str]]) -> tuple[float, float, int]:
        result = check.Result()
        check.attribute(replies, corrects, result)
        return result.share("attribution_precision"), result.share("attribution_recall"), len(result.failed)

    assert figures(lambda message, injected: known[message]) == (1.0, 1.0, 0)
    everything = figures(lambda message, injected: [entry.id for entry in injected])
    assert everything[:2] == (round(wrong / pairs, 4), 1.0) and everything[0] < 0.6
    assert figures(lambda message, injected: ())[1] == 0.0


def test_servers_that_happen_to_run_here_do_not_change_the_check(monkeypatch: pytest.MonkeyPatch) -> None:
    assert check.quiet_settings({}) == {"smart": False}
    assert check.quiet_settings({"smart": True}) == {"smart": True}
    monkeypatch.setenv("DEEPSEEDIAN_SMART", "true")
    assert check.quiet_settings({}) == {}


def run(capfd: pytest.CaptureFixture[str], *words: str) -> tuple[object, str]:
    with pytest.raises(SystemExit) as ended:
        main([*words])
    return ended.value.code, capfd.readouterr().out


def test_the_product_is_not_below_its_baseline(capfd: pytest.CaptureFixture[str]) -> None:
    status, out = run(capfd, "--json", "eval", "--strict")
    document = json.loads(out)
    assert status == 0 and document["below"] == []
    assert {*CLASSES} <= {*document["figures"]} and {*document["figures"]["project"]} == {*HALVES}
    assert {*document["falseInjection"]} == {*HALVES}


@pytest.mark.parametrize(("recall", "below"), [
    (lambda self, question, **_: [], "wanted_offered"),  # a gate that always says no
    (lambda self, question, **_: [entry.id for entry in self.sidecar.store.snapshot.newest(12)], "abstention"),  # one that never does
    (lambda self, question, **_: self.ranked(question, 12)[::-1], "wanted_first"),  # the worst match first
], ids=["never", "newest", "upside-down"])
def test_a_recall_that_got_worse_fails_the_check(recall: Offered, below: str, monkeypatch: pytest.MonkeyPatch,
                                                 capfd: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(Shelf, "offered", recall)
    few = [case for case in cases.memory() if case.name.endswith("1")]
    monkeypatch.setattr(cases, "memory", lambda: few)
    status, out = run(capfd, "--json", "eval", "--strict")
    assert status == 1 and below in json.loads(out)["below"]


def test_people_see_the_failed_cases_of_one_half(monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> None:
    """Whoever tunes reads the printed page: what is held back is counted there, and named only when asked for."""
    result = check.Result()
    for half in HALVES:
        result.add("project", half, f"project of {half}", "not offered")
    monkeypatch.setattr(check, "checked", lambda overrides: result)
    status, out = run(capfd, "eval")
    assert status == 0 and "0/1" in out and "below the baseline" in out
    assert "project of tune" in out and "project of held" not in out
    assert "project of held" in run(capfd, "eval", "--held")[1]
    assert [item["half"] for item in json.loads(run(capfd, "--json", "eval")[1])["failed"]] == ["tune"]
    assert len(json.loads(run(capfd, "--json", "eval", "--held")[1])["failed"]) == 2
