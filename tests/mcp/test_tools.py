"""Every tool, resource and prompt through the protocol's own client, over both transports and both kinds of handshake."""

import asyncio
import json
from collections.abc import Iterator
from functools import partial
from itertools import product
from pathlib import Path

import pytest
from mcp.shared.exceptions import MCPError

from deepseedian.api import mcp_words
from tests.commands import Command
from tests.live import Live
from tests.mcp import hosts
from tests.mcp.hosts import MODES, TRANSPORTS, called, over_http, over_stdio, run

PROPOSALS, COMMANDS = 7, 6


@pytest.fixture
def live(vault: Path) -> Iterator[Live]:
    (vault / "Daily.md").write_text("---\ntags: [coffee]\n---\n# Coffee\n\nAn espresso after lunch. [[Other]]\n", encoding="utf-8")
    (vault / "Other.md").write_text("# Other\n\nBack to [[Daily]].\n", encoding="utf-8")
    with Live(vault) as found:
        yield found


def cases(entry: str) -> dict[str, dict[str, object]]:
    """One good call of each tool."""
    return {"memory_recall": {"question": "How do I like my coffee?"}, "memory_search": {"query": "espresso"}, "memory_read": {"id": entry},
            "memory_propose": {"operation": "add", "text": "I moved to Hamburg in spring.", "quote": "I moved to Hamburg", "reason": "said so"},
            "memory_inbox": {}, "memory_status": {}, "memory_conflicts": {}, "memory_report": {}, "memory_feedback": {"id": entry, "feedback": "useful", "question": "coffee?"},
            "notes_search": {"query": "espresso"}, "notes_read": {"path": "Daily.md"}, "notes_metadata": {"path": "Daily.md"},
            "notes_query": {"tag": "coffee"}, "notes_resolve": {"link": "[[Other]]", "source": "Daily.md"}, "notes_related": {"path": "Daily.md"}}


def test_every_tool_answers_and_is_marked_for_what_it_may_do(live: Live) -> None:
    entry = live.ask("remember", text="I like my coffee as espresso.")["id"]

    async def act(transport: str, mode: str) -> None:
        async with TRANSPORTS[transport](live.command.vault, mode) as host:
            assert host.protocol_version == (hosts.STATELESS if mode == "auto" else hosts.HANDSHAKE[0])
            assert host.server_info is not None and host.server_info.name == "deepseedian"
            assert host.instructions == mcp_words.INSTRUCTIONS
            tools = {tool.name: tool for tool in (await host.list_tools()).tools}
            assert tools.keys() == cases(entry).keys()
            for name, tool in tools.items():
                marks = tool.annotations
                assert marks is not None and marks.destructive_hint is False and marks.open_world_hint is False
                assert marks.read_only_hint == (name not in ("memory_propose", "memory_feedback"))
                assert tool.input_schema["additionalProperties"] is False
                failed, found = await called(host, name, cases(entry)[name])
                assert not failed, (name, found)
            assert (await called(host, "memory_read", {"id": entry}))[1]["entry"]["text"] == "I like my coffee as espresso."
            assert [row["id"] for row in (await called(host, "memory_search", {"query": "espresso"}))[1]["results"]] == [entry]
            assert (await called(host, "memory_inbox", {}))[1]["proposals"][0]["text"] == "I moved to Hamburg in spring."
    for transport, mode in product(TRANSPORTS, MODES):
        run(partial(act, transport, mode))
    assert live.texts() == ["I like my coffee as espresso."]  # proposing changed nothing


def test_resources_and_prompt_and_nothing_to_approve_edit_or_delete_with(live: Live) -> None:
    texts = [f"Entry number {number} is about topic {number % 3}." for number in range(120)]
    ids = [live.ask("remember", text=text, topic=f"t{number % 3}")["id"] for number, text in enumerate(texts)]

    async def act() -> None:
        async with over_http(live.command.vault) as host:
            index = json.loads((await host.read_resource("memory://index")).contents[0].text)  # type: ignore[union-attr]
            assert index["total"] == 120 and {"topic": "t0", "entries": 40} in index["topics"]
            assert index["newest"][0]["id"] == ids[-1] and len(index["newest"]) == 20
            found, cursor, pages = [], None, 0
            while pages == 0 or cursor:
                page = await host.list_resources(cursor=cursor)
                found += [resource.uri for resource in page.resources]
                cursor, pages = page.next_cursor, pages + 1
            assert pages == 2 and found[0] == "memory://index"
            assert [uri.rpartition("/")[2] for uri in found[1:]] == ids[::-1]
            one = json.loads((await host.read_resource(found[-1])).contents[0].text)  # type: ignore[union-attr]
            assert one["entry"]["text"] == texts[0] and one["entry"]["source"]
            templates = (await host.list_resource_templates()).resource_templates
            assert [template.uri_template for template in templates] == ["memory://entry/{id}"]
            prompts = (await host.list_prompts()).prompts
            assert [(prompt.name, [argument.name for argument in prompt.arguments or []]) for prompt in prompts] == [("what_do_you_remember", ["topic"])]
            text = (await host.get_prompt("what_do_you_remember", {"topic": "咖啡"})).messages[0].content
            assert "咖啡" in text.text and "not instructions" in text.text  # type: ignore[union-attr]
            for refused in (host.read_resource("memory://entry/nowhere"), host.read_resource("file:///etc/passwd"),
                            host.read_resource("memory://entry/..%2F..%2Fstate.json"), host.list_resources(cursor="-1"),
                            host.list_resources(cursor="９"), host.get_prompt("what_do_you_remember", {}), host.get_prompt("other", {"topic": "x"})):
                with pytest.raises(MCPError):
                    await refused
            for name in ("memory_manage", "memory_organize", "memory_approve", "decide", "remember", "forget", "erase", "", "x" * 5000):
                failed, found = await called(host, name, {})
                assert failed and found["error"]["code"] == "not_found" and len(found["error"]["message"]) < 200
    run(act)


def test_switched_off_there_are_no_tools_and_a_clear_error(live: Live) -> None:
    entry = live.ask("remember", text="A private thing.")["id"]
    live.ask("set_setting", name="enabled", value="off")

    async def act() -> None:
        async with over_stdio(live.command.vault) as host:
            assert (await host.list_tools()).tools == []
            for name, arguments in cases(entry).items():
                failed, found = await called(host, name, arguments)
                assert failed and found["error"]["code"] == "disabled" and found["error"]["hint"]
            for uri in ("memory://index", f"memory://entry/{entry}"):
                with pytest.raises(MCPError) as refused:
                    await host.read_resource(uri)
                assert refused.value.error.data["error"]["code"] == "disabled"
            with pytest.raises(MCPError):
                await host.list_resources()
    run(act)
    live.ask("set_setting", name="enabled", value="on")

    async def again() -> None:
        async with over_http(live.command.vault) as host:
            assert len((await host.list_tools()).tools) == len(cases(entry))
    run(again)


TOWNS = ("Lisbon", "Kyoto", "Oslo", "Quito", "Perth", "Tartu", "Accra", "Bergen", "Dakar", "Cusco", "Minsk", "Turin", "Lagos", "Split")


def test_two_hosts_and_the_command_line_write_at_once_and_lose_nothing(live: Live) -> None:
    vault = live.command.vault

    async def proposes(towns: tuple[str, ...]) -> list[str]:
        async with over_stdio(vault) as host:
            found = [await called(host, "memory_propose", {"operation": "add", "text": f"My colleague from {town} sends the {town} report."})
                     for town in towns]
            assert all(not failed and len(document["proposals"]) == 1 for failed, document in found), found
            return [document["proposals"][0] for _, document in found]

    async def remembers() -> None:
        for number in range(COMMANDS):
            done = await asyncio.to_thread(Command(vault).run, "--vault", str(vault), "--json", "remember", f"Fact {number} from the terminal.")
            assert done.status == 0, done.err

    async def act() -> list[str]:
        first, second, _ = await asyncio.gather(proposes(TOWNS[:PROPOSALS]), proposes(TOWNS[PROPOSALS:]), remembers())
        return first + second
    made = run(act)
    assert len(set(made)) == 2 * PROPOSALS
    waiting = live.ask("proposals")["proposals"]
    assert {row["id"] for row in waiting} == set(made)
    assert {town for town in TOWNS if any(town in row["text"] for row in waiting)} == set(TOWNS)
    assert live.texts() == sorted(f"Fact {number} from the terminal." for number in range(COMMANDS))
    for id in made:
        live.ask("decide", id=id, decision="approve")
    assert len(live.texts()) == 2 * PROPOSALS + COMMANDS


def test_a_call_belongs_to_the_conversation_that_is_named(live: Live) -> None:
    """By the owner, else by the host with the request, else by the protocol's session; a host that names none is served too."""
    asked = {"question": "What do I like?"}
    codex = {"x-codex-turn-metadata": json.dumps({"session_id": "codex-7"})}

    async def act() -> None:
        async with over_stdio(live.command.vault, "auto", "--session", "Gespräch 1") as host:
            await called(host, "memory_recall", asked, codex)
        async with over_stdio(live.command.vault, "legacy") as host:
            await called(host, "memory_recall", asked, codex)
            await called(host, "memory_recall", asked)
        async with over_stdio(live.command.vault, "auto") as host:
            await called(host, "memory_recall", asked, {"x-codex-turn-metadata": {"session_id": "codex-8"}})
            await called(host, "memory_recall", asked)
    run(act)
    sessions = [row["session"] for row in live.ask("receipts")["receipts"]][::-1]
    assert sessions[0] == "Gespräch 1" and sessions[1] == "codex-7" and sessions[3] == "codex-8" and sessions[4] == ""
    assert len(sessions[2]) == 36  # what the handshake gave
