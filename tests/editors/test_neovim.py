"""The Neovim client as a person uses it: a real Neovim in a real terminal, a real daemon, a scripted model."""

import json
import re
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from deepseedian import client
from tests import streamed
from tests.commands import until
from tests.editors.conftest import Open
from tests.editors.stub import Pieces, said, stub
from tests.live import Live

pytestmark = pytest.mark.timeout(120)

HOSTILE = ("\x1b]0;owned\x07 \x1b[2J\x9b31m bell \x07 \u202etxet\u202c zero\u200bwidth "
           "%{execute('let g:owned = 1')} %{%'%#Error#'%} %!owned() `=execute('let g:owned = 2')` <C-r>=execute('let g:owned=3')<CR>\r\n"
           "vim: set tabstop=13 :\n<!-- vim: set tabstop=13 : -->\n:let g:owned = 4\n")


def reply(body: dict[str, Any]) -> Any:
    """What the scripted model says to a question, by a word in it."""
    question = str(body["messages"][-1]["content"])
    if "tortoise" in question:
        return [streamed.text("It begins 开头 "), *([0.2, streamed.text("and goes on ")] * 100), streamed.finish(), streamed.usage(), streamed.DONE]
    if "清晨" in question:
        return streamed.answer('{"text": "喝茶"}')
    if "villain" in question:
        return streamed.answer(*HOSTILE)
    if "toolbox" in question or body["messages"][-1]["role"] == "tool":
        return streamed.call_answer(("notes_search", {"query": "\x1b[31mtea"})) if body["messages"][-1]["role"] == "user" else streamed.answer("Found.")
    return streamed.answer("You drink ", "**green", " tea**.\n\n- 绿茶", " 🍵\n")


@contextmanager
def daemon(vault: Path) -> Iterator[tuple[Live, streamed.Streamed]]:
    with (streamed.streaming(streamed.Streamed(reply)) as server,
          Live(vault, DEEPSEEDIAN_MODEL_ENDPOINT=server.url, DEEPSEEDIAN_MODEL_NAME="scripted", DEEPSEEDIAN_JUDGE="off") as live):
        yield live, server


def ended(live: Live) -> list[str]:
    """How the turns of the newest conversation ended."""
    session = live.ask("session_list")["sessions"][0]["id"]
    return [turn["state"] for turn in live.ask("session", id=session)["conversation"]]


def proposed(live: Live, **values: object) -> None:
    endpoint = client.endpoint_of(live.command.vault, live.runtime)
    assert endpoint is not None
    client.call(endpoint, "propose", values, 30)


def test_an_answer_comes_in_stops_and_goes_on(vault: Path, edit: Open) -> None:
    """The note goes along; what came stays when it is stopped, here and with the daemon; the next question knows of the last."""
    with daemon(vault) as (live, server):
        editor = edit()
        editor.command("Deepseedian ask a tortoise?")
        editor.shows("It begins 开头 and goes on", "ask")
        assert "CTRL-C stops" in editor.screen() and "stopped" not in editor.text("ask")
        assert "日记.md" in str(server.asked[0]["messages"]) and "早上喝茶" in str(server.asked[0]["messages"])
        editor.type("\x03")
        text = editor.shows("· stopped", "ask")
        assert text.startswith("> a tortoise?\n\nIt begins") and "CTRL-C" not in editor.screen()
        assert until(lambda: ended(live) == ["stopped"]), ended(live)
        assert until(server.gone.is_set)

        editor.type("iWhat do I\rdrink?\x13")
        text = editor.shows("- 绿茶 🍵", "ask")
        assert "> What do I\n> drink?\n\nYou drink **green tea**.\n\n- 绿茶 🍵" in text and editor.text("question") == ""
        assert until(lambda: ended(live) == ["stopped", "done"]), ended(live)
        editor.command("Deepseedian again")
        editor.says("answer")
        editor.command("Deepseedian new")
        assert editor.text("ask") == ""

        editor.type(":wincmd t\r")
        editor.type("3GV:Deepseedian ask\r")
        assert "about 日记.md:3-3" in editor.screen()
        editor.type("iwhat is this toolbox?\x13")
        text = editor.shows("Found.", "ask")
        sent = str(server.asked[-2]["messages"]).replace('": "', '":"').replace('\\"', '"')
        assert '"selection":"早上喝茶。"' in sent and "今天" in sent and "tortoise" not in sent
        assert "about 日记.md" not in editor.screen() and "· notes_search" in text and "\x1b" not in text


def test_the_daemon_is_away_comes_back_is_killed_and_comes_back(vault: Path, edit: Open) -> None:
    """The question stays where it was written, and the words that start the daemon are told; what was answered stays, too."""
    editor = edit()
    editor.command("Deepseedian ask")
    editor.type("i我的 tortoise？\x13")
    assert f"--vault '{vault}' start" in editor.says("not running; start: ") and editor.mode() == "i"
    assert editor.text("question") == "我的 tortoise？" and editor.text("ask") == ""
    for words in ("recall tea", "remember tea", "review"):
        editor.lua("vim.cmd('messages clear')")
        editor.command(f"Deepseedian {words}")
        editor.says("not running")
    with daemon(vault) as (live, _):
        editor.type("\x13")
        editor.shows("and goes on", "ask")
        assert editor.text("question") == ""
        editor.command("Deepseedian ask one more?")
        assert "an answer is coming" in editor.says("coming") and editor.text("question") == "one more?"
        live.kill()
        assert "It begins 开头" in editor.shows("interrupted", "ask")
    editor.command("bwipeout! deepseedian://question")
    editor.command("Deepseedian ask asked at once?")
    assert editor.shows("asked at once?", "question") == "asked at once?"
    with daemon(vault) as (_, server):
        editor.command("Deepseedian again")
        assert until(lambda: server.asked, 10) and "我的 tortoise？" in str(server.asked[0]["messages"])
        editor.shows("> (again)", "ask")
        editor.command("qall!")
        assert editor.process.wait(10) == 0  # an answer under way keeps no editor
        assert until(server.gone.is_set)


def test_what_is_selected_is_remembered_as_it_is_and_recalled_for_a_line(vault: Path, edit: Open) -> None:
    with Live(vault) as live:
        editor = edit(text="前面 “周会改到每周四下午三点” 后面\nsecond line\nthird 行\n")
        editor.type("f周vf点:Deepseedian remember\r")
        assert "周会改到每周四下午三点" in editor.says("remembered in general")
        editor.type("2GVj")
        editor.command("Deepseedian remember")
        editor.says("second line")
        editor.lua("vim.api.nvim_buf_set_lines(0, 3, -1, false, {'latin \\233t\\233'}) vim.cmd('silent write')")
        editor.type("4G")
        editor.command("Deepseedian remember")
        editor.says("latin")
        editor.command("Deepseedian remember 我写短段落 %{1}")
        editor.says("我写短段落")
        assert live.texts() == sorted(["周会改到每周四下午三点", "second line\nthird 行", "latin \ufffdt\ufffd", "我写短段落 %{1}"])
        assert editor.lua("return vim.bo.modified") is False

        live.ask("remember", text="站会改到每周一\n第二行有 \u200b 隐藏字符")
        editor.lua("vim.api.nvim_buf_set_lines(0, 0, -1, false, {'站会改到什么时候？', '谢谢，明天见'})")
        editor.type("gg")
        editor.command("Deepseedian recall")
        text = editor.shows("- 站会改到每周一", "recall")
        assert text.startswith("Memory for: 站会改到什么时候？\n- ")
        editor.type("\r")
        assert "第二行有 [U+200B] 隐藏字符" in editor.shows("第二行", "entry")
        editor.type("q")
        editor.type("q")
        editor.type("j")
        editor.command("Deepseedian recall")
        editor.shows("nothing is offered: smalltalk", "recall")


def test_review(vault: Path, edit: Open) -> None:
    """What changes is shown as a diff; the keys are the same decisions as the boxes of the note."""
    with Live(vault) as live:
        old = live.ask("remember", text="周会在每周四\n地点：三楼")["id"]
        proposed(live, text="周会在每周五\n地点：三楼", reason="you corrected it", operation="edit", entries=[old])
        proposed(live, text="I write short paragraphs", reason="you said so")
        proposed(live, text="Never keep this.", reason="a model thought so %{1}")
        editor = edit()
        editor.lua("vim.go.modeline = true")  # root has it off
        editor.command("Deepseedian review")
        text = editor.shows("3 to review", "review")
        assert "1. Correct · general" in text and "- 周会在每周四\n+ 周会在每周五\n  地点：三楼\n  you corrected it" in text
        editor.type("a")
        editor.shows("2 to review", "review")
        assert live.texts() == ["周会在每周五\n地点：三楼"]
        editor.lua("vim.fn.search('Never keep')")
        editor.type("d")
        editor.shows("1 to review", "review")
        editor.type("o")
        assert "deepseedian: review" in editor.shows("I write short paragraphs")
        assert editor.lua("return vim.bo.modeline") is False and editor.lua("return vim.go.modeline") is True
        editor.type(":close\r")
        editor.lua("vim.fn.search('I write')")
        editor.type("a")
        editor.shows("Nothing waits for you.", "review")
        assert live.texts() == ["I write short paragraphs", "周会在每周五\n地点：三楼"]
        assert {item["status"] for item in live.ask("proposals", all=True)["proposals"]} == {"approved", "dismissed"}


def test_text_of_others_steers_nothing(vault: Path, edit: Open) -> None:
    """Neither in an answer nor in the name of a note: no escape sequence reaches the terminal, no expression or modeline is carried out."""
    with daemon(vault) as (live, _):
        live.ask("remember", text="hostile entry: " + HOSTILE.split("\r\n")[1] + "%{execute('let g:owned = 5')}")
        editor = edit(name="%{setreg('z', 'owned')} `x`.md")
        editor.lua("vim.o.laststatus = 2 vim.o.modeline = true vim.o.modelines = 20 vim.o.title = true")
        editor.type("V:Deepseedian ask\r")
        assert "%{setreg('z', 'owned')} `x`.md:1-1" in editor.screen()  # the note's name, as it is
        editor.type("ivillain?\x13")
        text = editor.shows(":let g:owned = 4", "ask")
        for code in ("1B", "07", "9B", "202E", "200B"):
            assert f"[U+{code:0>4}]" in text, code
        editor.lua("""
            vim.api.nvim_create_autocmd('BufRead', {callback = function() vim.g.read = vim.fn.bufname() end})
            vim.api.nvim_win_call(vim.fn.bufwinid('^deepseedian://ask$'), function() vim.cmd('doautocmd BufRead') end)""")
        assert editor.lua("return vim.g.read") == "deepseedian://ask"  # after which Neovim looks for modelines
        editor.command("Deepseedian recall hostile entry?")
        editor.shows("hostile entry", "recall")
        editor.screen()
        assert editor.lua("return {vim.g.owned or 0, vim.bo[vim.fn.bufnr('^deepseedian://ask$')].tabstop, vim.bo.buftype}") == [0, 4, "nofile"]
        assert b"\x1b]0;owned" not in editor.drawn and b"]2;owned" not in editor.drawn and "\u202e".encode() not in editor.drawn
        assert editor.lua("return vim.fn.getreg('z')") == ""
        for name in ("ask", "recall"):
            found = editor.lua(f"local b = vim.fn.bufnr('^deepseedian://{name}$') return {{vim.bo[b].buftype, vim.bo[b].modeline, vim.bo[b].modifiable, vim.bo[b].swapfile}}")
            assert found == ["nofile", False, False, False], name


def test_ghost_text_of_a_real_daemon(vault: Path, edit: Open) -> None:
    """Switched off it says how to switch it on; a daemon that has no such route says so."""
    with daemon(vault) as (live, server):
        editor = edit(text="我清晨")
        editor.type("$")
        editor.command("Deepseedian complete")
        if "complete" not in client.ROUTES:
            editor.says("completes nothing yet")
            return
        editor.says("no suggestion: ")
        assert server.asked == []
        live.ask("set_setting", name="complete", value="on")
        editor.command("Deepseedian complete")
        assert until(lambda: "我清晨喝茶" in editor.screen(), 20), editor.messages()
        editor.type("\t")
        assert editor.text() == "我清晨喝茶" and server.asked


def rounds(path: str, body: Any) -> Pieces:
    """A daemon that is quick: an answer, or one that does not end."""
    if path == "/v1/ask":
        events = [("turn", {"session": "s", "turn": "t"}), ("delta", {"text": "绿茶"}), ("done", {"state": "done", "answer": "绿茶"})]
        told = [f"event: {kind}\ndata: {json.dumps(data)}\n\n".encode() for kind, data in events]
        chunks = [b"%x\r\n%s\r\n" % (len(data), data) for data in told]
        head = b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
        return [head, *chunks[:2], threading.Event()] if "tortoise" in body["question"] else [head, *chunks, b"0\r\n\r\n"]
    if path.endswith("/stop"):
        return said({"error": {"code": "not_found", "message": "no", "hint": ""}}, 404)
    return said({"proposals": [], "index": [], "reason": "nothing"})


def test_thirty_rounds_leave_nothing_open(vault: Path, edit: Open) -> None:
    """Windows opened and closed, answers read to the end and broken off: no connection or timer is left, and no buffer more than before."""
    with stub(vault, rounds) as found:
        editor = edit()
        once = """
            local base, ask = require('deepseedian'), require('deepseedian.ask')
            local function text(name)
              for _, b in ipairs(vim.api.nvim_list_bufs()) do
                if vim.api.nvim_buf_get_name(b) == 'deepseedian://' .. name then return table.concat(vim.api.nvim_buf_get_lines(b, 0, -1, false), '\\n') end
              end
              return ''
            end
            local function see(name, words)
              assert(vim.wait(5000, function() return text(name):find(words, 1, true) end, 2), name .. ': ' .. text(name))
            end
            local function round(number)
              vim.cmd(number % 3 == 0 and 'Deepseedian ask tortoise?' or 'Deepseedian ask tea?')
              see('ask', '绿茶')
              if number % 3 == 0 then ask.stop() see('ask', 'stopped') end
              local space = vim.api.nvim_get_namespaces()['deepseedian-ask'] -- a mark while an answer is coming
              assert(vim.wait(5000, function() return #vim.api.nvim_buf_get_extmarks(vim.fn.bufnr('^deepseedian://ask$'), space, 0, -1, {}) == 0 end, 2))
              vim.cmd('Deepseedian new') vim.cmd('only') vim.cmd('Deepseedian review')
              see('review', 'Nothing waits') vim.cmd('only') vim.cmd('Deepseedian recall tea') see('recall', 'tea') vim.cmd('only')
              if number % 5 == 0 then for _, b in ipairs(vim.api.nvim_list_bufs()) do if vim.api.nvim_buf_get_name(b):find('deepseedian://ask') then vim.cmd.bwipeout(b) end end end
              vim.cmd('edit ' .. vim.fn.fnameescape(vim.fn.argv(0)))
            end
        """
        editor.lua(once + "round(0) round(1)")
        buffers = editor.lua("return #vim.api.nvim_list_bufs()")
        for start in range(2, 32, 10):
            editor.lua(once + f"for number = {start}, {start + 9} do round(number) end")
        assert len(found.asked) >= 3 * 32 and until(lambda: found.gone == 11), (len(found.asked), found.gone)
        editor.command("Deepseedian ask tortoise, and away with it")
        assert until(lambda: found.asked[-1][0] == "/v1/ask")
        editor.command("bwipeout! deepseedian://ask")
        assert until(lambda: found.gone == 12)
        assert until(lambda: editor.handles() == 0, 5), editor.handles()
        assert editor.lua("return #vim.api.nvim_list_bufs()") <= buffers
        assert not re.search(r"E\d+:|stack traceback", editor.messages()), editor.messages()
