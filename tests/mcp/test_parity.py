"""The same through every door: the API, the command line and MCP on one vault give the same hits, refusals, limits and codes."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from deepseedian.errors import DeepseedianError
from tests.commands import Command
from tests.live import Live
from tests.mcp.hosts import INITIALIZE, Lines, call, lines, request

Found = tuple[str, Any]  # "" with a document, or the code of a refusal with its message
SESSION = "one conversation"
TEXTS = ("I write short paragraphs.", "周会改到每周五下午三点", "The deploy script needs a dry run first.", "We deploy on Thursdays.", "喜欢用空格，不用制表符")


class Doors:
    """One call of a tool through each door."""

    def __init__(self, live: Live, host: Lines) -> None:
        self.live, self.host, self.command = live, host, Command(live.command.vault)

    def api(self, name: str, arguments: object) -> Found:
        try:
            return refused(self.live.ask("call_tool", name=name, arguments=arguments, session=SESSION))
        except DeepseedianError as error:
            return error.code, error.message

    def mcp(self, name: str, arguments: object) -> Found:
        result = self.host.ask(call(name, arguments))["result"]  # type: ignore[arg-type]
        return refused(result["structuredContent"])

    def shell(self, name: str, arguments: object) -> Found:
        done = self.command.run("--vault", str(self.command.vault), "--json", "tool", name, json.dumps(arguments),
                                "--session", SESSION)
        assert (done.status == 0) == ("error" not in done.json)
        return refused(done.json)

    def all(self, name: str, arguments: object) -> Found:
        """What all doors agree on."""
        found = self.api(name, arguments)
        assert self.mcp(name, arguments) == found, name
        assert self.shell(name, arguments) == found, name
        return found


def refused(document: Any) -> Found:
    """Each recall has a receipt of its own; that there is one is the same at every door."""
    error = document.get("error")
    if "receiptId" in document:
        document = document | {"receiptId": len(document["receiptId"])}
    return (error["code"], error["message"]) if error else ("", document)


@pytest.fixture
def doors(vault: Path) -> Iterator[Doors]:
    with Live(vault) as live, lines(vault, "--session", SESSION) as host:
        for text in TEXTS:
            live.ask("remember", text=text)
        host.ask(request("initialize", INITIALIZE))
        yield Doors(live, host)


def ids(document: Any, name: str) -> list[str]:
    return [row["id"] for row in document[name]]


def test_hits_are_the_same_and_those_of_the_owner_s_own_commands(doors: Doors) -> None:
    for query in ("deploy", "周会", "", "nothing of the kind"):
        code, found = doors.all("memory_search", {"query": query})
        assert code == "" and ids(found, "results") == ids(doors.command("search", query), "results")
        assert ids(found, "results") == ids(doors.live.ask("search", query=query), "results")
    for question in ("When do we deploy?", "周会是什么时候？", "What is the weather?"):
        found = doors.all("memory_recall", {"question": question})[1]
        assert found["index"] == doors.command("recall", question)["index"] == doors.live.ask("recall", question=question)["index"]
        assert found.get("reason") == doors.live.ask("recall", question=question).get("reason")
    entry = ids(doors.all("memory_search", {"query": "dry run"})[1], "results")[0]
    found = doors.all("memory_read", {"id": entry})[1]
    assert found["entry"]["text"] == TEXTS[2] == doors.command("show", entry)["text"] == doors.live.ask("show", id=entry)["text"]
    assert doors.all("memory_status", {})[1]["entries"] == doors.command("status")["entries"] == len(TEXTS)


def test_refusals_and_limits_have_the_same_codes_and_words(doors: Doors) -> None:
    known = ids(doors.api("memory_search", {"query": "deploy"})[1], "results")[0]
    cases: list[tuple[str, object, str]] = [
        ("memory_read", {"id": "nowhere"}, "not_found"), ("memory_manage", {}, "not_found"), ("erase", {"id": known}, "not_found"),
        ("memory_read", {}, "bad_input"), ("memory_read", {"id": known, "more": 1}, "bad_input"), ("memory_search", {"query": 5}, "bad_input"),
        ("memory_propose", {"operation": "delete", "entries": [known]}, "bad_input"), ("memory_feedback", {"id": "nowhere", "feedback": "useful"}, "not_found"),
        ("memory_search", {"query": "x", "as_of": "not a date"}, "bad_input")]
    for name, arguments, code in cases:
        assert doors.all(name, arguments)[0] == code, name
    assert doors.command("show", "nowhere", status=3)["error"]["code"] == "not_found"
    assert doors.command("search", "x", "--as-of", "not a date", status=2)["error"]["code"] == "bad_input"
    for name, good, bad in (("memory_search", {"query": "x" * 400}, {"query": "x" * 401}),
                            ("memory_recall", {"question": "x" * 40_000}, {"question": "x" * 40_001}),
                            ("memory_search", {"query": "deploy", "offset": 100_000}, {"query": "deploy", "offset": 100_001}),
                            ("memory_propose", {"operation": "text", "text": "x" * 4000}, {"operation": "text", "text": "x" * 4001})):
        assert doors.all(name, good)[0] == "" and doors.all(name, bad)[0] == "bad_input", name
    assert doors.command("recall", "x" * 40_001, status=2)["error"]["code"] == "bad_input"


def test_a_proposal_made_through_one_door_is_known_at_the_others_and_changes_nothing(doors: Doors) -> None:
    before = doors.live.texts()
    draft = {"operation": "add", "text": "I moved to Hamburg.", "quote": "I moved to Hamburg"}
    code, first = doors.mcp("memory_propose", draft)
    assert code == "" and len(first["proposals"]) == 1
    again = doors.all("memory_propose", draft)[1]
    assert again["proposals"] == [] and again["leftOut"]
    secret = doors.all("memory_propose", {"operation": "add", "text": "The token is ghp_" + "a1B2" * 9})
    assert secret[0] == "secret_found" or secret[1]["proposals"] == [], secret
    inbox = doors.all("memory_inbox", {})[1]
    assert inbox["total"] == 1 and ids(inbox, "proposals") == first["proposals"] == ids(doors.command("review", "list"), "proposals")
    assert doors.live.texts() == before
    doors.command("review", "approve", first["proposals"][0])
    assert ids(doors.all("memory_search", {"query": "Hamburg"})[1], "results") == ids(doors.command("search", "Hamburg"), "results") != []


def test_the_switch_holds_at_every_door_and_leaves_the_owner_s_own_commands(doors: Doors) -> None:
    doors.command("config", "set", "enabled", "off")
    for name, arguments in (("memory_search", {"query": "deploy"}), ("memory_propose", {"operation": "add", "text": "x"}), ("notes_read", {"path": "x.md"})):
        assert doors.all(name, arguments)[0] == "disabled"
    assert doors.live.ask("tools")["tools"] == [] == doors.host.ask(request("tools/list"))["result"]["tools"]
    assert doors.command("search", "deploy")["total"] == 2 and doors.command("show", ids(doors.command("search", "deploy"), "results")[0])
