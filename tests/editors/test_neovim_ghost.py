"""Ghost text in Neovim: typed, shown, taken, sent away, and where none is asked for. The daemon here says what the test wants."""

import json
import threading
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from tests.commands import until
from tests.editors.conftest import Open
from tests.editors.neovim import Editor
from tests.editors.stub import Pieces, said, stub

pytestmark = pytest.mark.timeout(120)
MAP = "vim.keymap.set('i', '<C-l>', '<Plug>(deepseedian-complete)')"


def ghost(editor: Editor) -> str:
    """The grey text that is shown, empty when none is."""
    return str(editor.lua("""
        local space = vim.api.nvim_get_namespaces()['deepseedian-ghost']
        for _, mark in ipairs(space and vim.api.nvim_buf_get_extmarks(0, space, 0, -1, {details = true}) or {}) do
          return mark[4].virt_text[1][1]
        end
        return ''"""))


def line(editor: Editor) -> str:
    return str(editor.lua("return vim.api.nvim_get_current_line()"))


def tab(editor: Editor) -> str:
    return str(editor.lua("return vim.fn.maparg('<Tab>', 'i')"))


def test_it_is_taken_as_one_step_of_undo(vault: Path, edit: Open) -> None:
    with stub(vault, lambda path, body: said({"text": " 走了三公里，很开心"})) as daemon:
        editor = edit(text="# 今天\n\n- 早上\n\n后面的话\n")
        editor.lua(MAP + " vim.o.textwidth = 10 vim.cmd('iabbrev km owned')")
        editor.type("2jA散步\x0c")
        assert until(lambda: ghost(editor) == " 走了三公里，很开心") and line(editor) == "- 早上散步"
        assert "- 早上散步 走了三公里" in editor.screen() and editor.mode() == "i"
        assert daemon.asked == [("/v1/complete", {"before": "# 今天\n\n- 早上散步", "after": "\n\n后面的话", "title": "日记", "path": "日记.md"})]
        editor.type("\t")
        assert line(editor) == "- 早上散步 走了三公里，很开心" and ghost(editor) == "" and "taken" not in tab(editor)
        editor.type("！")
        editor.type("\x1b")
        editor.type("u")
        assert line(editor) == "- 早上散步 走了三公里，很开心"
        editor.type("u")
        assert line(editor) == "- 早上散步"
        editor.type("u")
        assert line(editor) == "- 早上"
        assert editor.lua("return vim.fn.line('$')") == 5


def test_esc_and_everything_typed_send_it_away(vault: Path, edit: Open) -> None:
    """Esc stays in insert mode once; then it and Tab are what they were, also where the person has mapped them."""
    with stub(vault, lambda path, body: said({"text": "ghost"})):
        editor = edit(text="早上\n")
        editor.lua(MAP + " vim.keymap.set('i', '<Tab>', 'mine', {buffer = 0}) vim.keymap.set('i', '<Esc>', '<Esc>:let g:mine = 1<CR>')")
        editor.type("A go \x0c")
        assert until(lambda: ghost(editor)) and "taken" in tab(editor)
        editor.type("\x1b")
        assert until(lambda: not ghost(editor)) and editor.mode() == "i" and tab(editor) == "mine"
        editor.type("\t")
        assert line(editor).endswith("o mine") and editor.lua("return vim.g.mine") is None
        for keys, why in (("x", "typed"), ("\x1b[D", "moved"), ("\x7f", "taken back")):
            editor.type("\x0c")
            assert until(lambda: ghost(editor)), why
            editor.type(keys)
            assert until(lambda: not ghost(editor)) and tab(editor) == "mine", why
            editor.type("\x1b[F ")
        editor.type("\x1b")
        assert until(lambda: editor.lua("return vim.g.mine") == 1) and editor.mode() == "n"
        editor.command("Deepseedian complete")
        assert until(lambda: ghost(editor)) and editor.mode() == "i"  # from normal mode one goes on writing there
        editor.type("\x03")
        assert until(lambda: not ghost(editor)) and editor.mode() == "n" and tab(editor) == "mine"


def test_an_answer_that_comes_too_late_is_dropped(vault: Path, edit: Open) -> None:
    """What is typed meanwhile ends the request; so does leaving insert mode or the buffer."""
    late = threading.Event()

    def answer(path: str, body: Any) -> Pieces:
        return [late, *said({"text": "too late"})]

    with stub(vault, answer) as daemon:
        editor = edit(text="早上\n")
        editor.lua(MAP)
        for number, keys in enumerate(("x", "\x1b", "\x0f:enew!\r")):
            editor.type("A \x0c" if number != 1 else "A\x0c")
            assert until(lambda number=number: len(daemon.asked) == number + 1) and editor.handles() >= 2, number  # type: ignore[misc]
            editor.type(keys)
            assert until(lambda number=number: daemon.gone == number + 1), (number, daemon.gone)  # type: ignore[misc]
            editor.type("\x1b")
        editor.command("edit #")
        editor.type("A \x0c")
        assert until(lambda: len(daemon.asked) == 4)
        editor.lua("vim.o.eventignore = 'all'")  # a change of which nobody is told
        editor.type("x")
        late.set()
        assert until(lambda: editor.handles() == 0)
        assert ghost(editor) == "" and "too late" not in editor.screen() and "late" not in editor.messages()


REFUSED = {
    "front matter": "---\ntags: a|\n---\n", "code": "```\nx = |\n```\n", "a heading": "# Plan |\n", "a table": "| a | b|\n",
    "a link": "see [[Pla|\n", "a tag": "it is #wor|\n", "math": "so $a + |\n", "the middle of a word": "wo|rd\n", "the start of a line": "one\n|\n",
    "a comment": "seen %% not |\n",
}
REFUSED_ALSO = {"~~~~\n```\nx|": "code", "$$\nx|": "math", "use `co|": "code", "[a](http://x|": "a link", "https://exa|": "a link", "a <b|": "a link",
                "$x$ and $|": "math"}
TAKEN = ("It was |", "- item |", "  - [ ] task: |", "> quote |", "1. 中文|", "```\nx\n```\nafter |", "---\na: 1\n---\nafter |", "costs $5, $2x$, `x` and |", "a [[link]] and |",
         "中|文")


PLACED = """
    local ghost, told = require('deepseedian.ghost'), {{}}
    vim.notify = function(text) told[#told + 1] = text end
    vim.api.nvim_get_mode = function() return {{mode = 'i'}} end
    vim.wo.virtualedit = 'all' -- a place behind the last character, as in insert mode
    for _, place in ipairs(vim.json.decode({places})) do
      vim.api.nvim_buf_set_lines(0, 0, -1, false, place.lines)
      vim.api.nvim_win_set_cursor(0, {{place.row, place.column}})
      local before = #vim.api.nvim_buf_get_extmarks(0, -1, 0, -1, {{}})
      ghost.complete()
      vim.wait(place.shown and 3000 or 0, function() return #vim.api.nvim_buf_get_extmarks(0, -1, 0, -1, {{}}) > before end, 2)
      ghost.clear()
    end
    return told"""


def placed(editor: Editor, texts: Sequence[str], *, shown: bool) -> Any:
    """Ask for ghost text at the last bar of each text; what was told."""
    places = []
    for text in texts:
        before, _, after = text.rpartition("|") if not text.startswith("| a") else ("| a ", "", " b|\n")
        places.append({"lines": (before + after).split("\n"), "row": before.count("\n") + 1, "column": len(before.rpartition("\n")[2].encode()), "shown": shown})
    return editor.lua(PLACED.format(places=json.dumps(json.dumps(places))))


def test_where_nothing_is_completed(vault: Path, edit: Open) -> None:
    with stub(vault, lambda path, body: said({"text": "ghost"})) as daemon:
        editor = edit()
        told = placed(editor, [*REFUSED.values(), *REFUSED_ALSO], shown=False)
        assert told == [f"Deepseedian: nothing is completed here: {where}" for where in (*REFUSED, *REFUSED_ALSO.values())]
        editor.command("edit! other.py")
        assert placed(editor, ["x = |"], shown=False) == ["Deepseedian: only Markdown notes are completed"]
        assert daemon.asked == []


def test_where_it_is(vault: Path, edit: Open) -> None:
    with stub(vault, lambda path, body: said({"text": "ghost"})) as daemon:
        assert placed(edit(), TAKEN, shown=True) == []
        assert [body["before"] + "|" + body["after"] for _, body in daemon.asked] == list(TAKEN)


def test_abstaining_failing_and_hostile_answers_are_one_line(vault: Path, edit: Open) -> None:
    answers: dict[str, Pieces] = {
        "no suggestion: the sentence is finished": said({"text": "", "reason": "the sentence is finished"}),
        "no suggestion: completion is off (deepseedian config set complete on)": said({
            "text": "", "reason": "off", "message": "completion is off", "hint": "deepseedian config set complete on"}),
        "this daemon completes nothing yet": said({"error": {"code": "not_found", "message": "Not Found", "hint": ""}}, 404),
        "completion is switched off (deepseedian config set complete on)": said({"error": {
            "code": "disabled", "message": "completion is switched off", "hint": "deepseedian config set complete on"}}, 403),
        "no plain line": said({"text": "two\nlines"}),
        "it was no plain line": said({"text": "\x1b[31mred"}),
        "was no plain line": said({"text": "hidden\u200b"}),
        "plain line": said({"text": "x" * 501}),
        "no suggestion": said({"text": ["a"]}),
        "something else than JSON": [b"HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\n[[["],
    }
    current: list[Pieces] = []
    with stub(vault, lambda path, body: current[0]):
        editor = edit(text="早上\n")
        editor.lua(MAP)
        editor.type("A ")
        for words, answer in answers.items():
            current[:] = [answer]
            editor.lua("vim.cmd('messages clear')")
            editor.type("\x0c")
            assert editor.says(words).startswith("Deepseedian: ")
            assert editor.messages().strip().count("\n") == 0 and ghost(editor) == "" and editor.mode() == "i", words
    editor.type("\x0c")
    editor.says("not running; start:")
