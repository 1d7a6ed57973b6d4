"""The documents and exit statuses that others build on, through a daemon and without one."""

import json
import os
import socket
import stat
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.commands import Command
from tests.samples import entry_id


@pytest.fixture
def command(tmp_path: Path) -> Command:
    found = Command(tmp_path / "vault")
    found("init", str(tmp_path / "vault"))
    return found


@pytest.fixture(params=["daemon", "alone"])
def both(request: pytest.FixtureRequest, command: Command) -> Iterator[Command]:
    if request.param == "alone":
        yield command
        return
    with command.daemon():
        yield command


def test_documents(both: Command) -> None:
    done = both("remember", "发布只在周四进行", "--topic", "work")
    assert set(done) == {"id", "topic", "revision"} and done["topic"] == "work"
    assert both("remember", "发布只在周四进行") == done
    entries = both("list")
    assert set(entries) == {"revision", "entries"}
    assert entries["entries"][0] | {"id": done["id"], "topic": "work", "text": "发布只在周四进行"} == entries["entries"][0]
    assert {"createdAt", "source"} <= set(entries["entries"][0])
    recalled = both("recall", "发布")
    assert set(recalled) == {"vault", "revision", "total", "index"}
    assert recalled["index"] == [{"id": done["id"], "summary": "发布只在周四进行"}] and recalled["total"] == 1
    why = both("recall", "发布", "--why")
    assert why["receipt"]["offered"][0]["terms"] == ["发布"]
    found = both("search", "周四")
    assert found == {"revision": done["revision"], "total": 1, "offset": 0, "results": recalled["index"]}
    edited = both("edit", done["id"], "发布改到周五")
    assert (edited["id"], edited["text"]) == (done["id"], "发布改到周五") and edited["revision"] != done["revision"]
    assert both("move", done["id"], "general")["topic"] == "general"
    assert both("pin", done["id"])["pinned"] is True
    assert both("recall", "完全无关")["index"][0]["id"] == done["id"]
    assert "pinned" not in both("pin", done["id"], "--off")
    assert both("forget", done["id"])["archived"] is True
    history = both("history")
    assert [change["kind"] for change in history["changes"]] == ["forget", "unpin", "pin", "move", "edit", "add"]
    assert set(history["changes"][0]) == {"id", "at", "kind", "summary", "undoable"} and history["changes"][0]["undoable"] is True
    assert both("undo")["kind"] == "undo"
    assert both("redo")["kind"] == "redo"
    assert both("undo")["revision"] == both("list")["revision"]
    check = both("check")
    assert check["ok"] is True and isinstance(check["problems"], list)
    assert both("export")["entries"][0]["id"] == done["id"]
    assert both("config", "get", "recall.max_entries") == both("config", "get", "recall.max_entries") | {"value": 12, "origin": "default"}
    assert both("config", "set", "recall.max_entries", "5")["origin"] == "settings.json"


def test_a_conversation_and_a_decision(both: Command) -> None:
    turn = json.dumps({"session": "chat", "at": "2026-11-30T09:00:00Z", "preset": "p", "origin": "o", "cwd": "/x",
                       "messages": [{"role": "user", "text": "记住：我写文章喜欢短段落", "sender": "me"}, {"role": "assistant", "text": "好"}]})
    observed = both("observe", "-", given=turn)
    assert observed["session"] == "chat" and len(observed["messages"]) == 2
    one, = observed["proposals"]
    shown, = both("review", "list")["proposals"]
    assert set(shown) >= {"id", "operation", "kind", "topic", "text", "reason", "evidence", "status", "note"}
    assert shown["evidence"] == [{"source": observed["messages"][0], "quote": "记住：我写文章喜欢短段落"}]
    assert (both.vault / shown["note"]).exists()
    assert both("organize") == {"proposals": [], "note": None, "model": False}
    assert both("review", "show", one)["status"] == "open"
    done = both("review", "approve", one)
    assert (done["id"], done["status"], done["revision"]) == (one, "approved", both("list")["revision"])
    assert both("review", "approve", one)["status"] == "approved"
    assert both("review", "dismiss", one, status=4)["error"]["code"] == "conflict"
    assert both("review", "show", "nope", status=3)["error"]["code"] == "not_found"
    both("undo")
    assert both("review", "list") == {"proposals": []} and both("review", "list", "--all")["proposals"][0]["status"] == "undone"
    assert both("organize")["proposals"] == [] and both("list")["entries"] == []
    for bad, code, status in [("{", "bad_input", 2), ("[]", "bad_input", 2), ('{"session":"../x","messages":[{"role":"user","text":"x"}]}', "bad_input", 2),
                              ('{"session":"c","messages":[]}', "bad_input", 2), ('{"session":"c","messages":[],"extra":1}', "bad_input", 2),
                              (json.dumps({"session": "c", "messages": [{"role": "user", "text": "x" * 10_000_000}]}), "too_large", 2),
                              ('{"session":"c","messages":[{"role":"user","text":"\\ud800"}]}', "bad_text", 2)]:
        assert both("observe", "-", given=bad, status=status)["error"]["code"] == code, bad[:60]
    assert both("observe", "/nowhere/turn.json", status=2)["error"]["code"] == "bad_input"


def test_errors(both: Command) -> None:
    unknown = entry_id("f")
    for words, status, code in [
        (["show", unknown], 3, "not_found"), (["edit", unknown, "x"], 3, "not_found"), (["forget", unknown], 3, "not_found"),
        (["remember", ""], 2, "bad_text"), (["remember", "x" * 2001], 2, "bad_text"), (["remember", "x", "--topic", "../x"], 2, "bad_topic"),
        (["remember", "the api key is sk-live-1234567890abcdef"], 2, "secret_found"), (["undo"], 4, "nothing_to_undo"),
        (["search", "x", "--offset", "-1"], 2, "bad_input"), (["config", "get", "nope"], 2, "bad_setting"),
        (["config", "set", "recall.max_entries", "99"], 2, "bad_setting"), (["remember"], 2, "usage"), (["frobnicate"], 2, "usage"),
        (["remember", "x", "--nope"], 2, "usage"), (["search", "x", "--offset", "abc"], 2, "usage"), ([], 2, "usage"),
    ]:
        document = both(*words, status=status)
        assert document["error"]["code"] == code, words
        assert set(document["error"]) == {"code", "message", "hint"} and document["error"]["message"]


def test_status_without_a_daemon(command: Command) -> None:
    assert command("status") == {"running": False, "pid": None, "socket": None, "revision": None, "entries": None, "health": None}
    assert command("stop") == {"stopped": False}


def test_status_of_a_daemon_and_its_sockets(command: Command) -> None:
    command("remember", "one")
    with command.daemon() as daemon:
        found = command("status")
        assert (found["running"], found["pid"], found["entries"]) == (True, daemon.process.pid, 1)
        assert found["health"] == {"status": "ok", "faults": []}
        path = Path(found["socket"])
        assert stat.S_IMODE(path.stat().st_mode) == 0o600 and stat.S_IMODE(path.parent.stat().st_mode) == 0o700
        endpoint = path.with_suffix(".json")
        assert stat.S_IMODE(endpoint.stat().st_mode) == 0o600
        again = command.run("--vault", str(command.vault), "--json", "run")
        assert (again.status, again.code) == (4, "already_running")
        assert command("start")["pid"] == daemon.process.pid
    assert not path.exists() and not endpoint.exists()


def test_start_and_stop(command: Command) -> None:
    started = command("start")
    assert started["running"] is True
    assert command("remember", "through the daemon")["topic"] == "general"
    assert command("stop") == {"stopped": True}
    assert command("status")["running"] is False
    assert len(command("list")["entries"]) == 1


def test_a_stale_endpoint_of_a_killed_daemon_is_no_obstacle(command: Command) -> None:
    with command.daemon() as daemon:
        command("remember", "before")
        daemon.kill()
        assert command("status")["running"] is False
        assert len(command("list")["entries"]) == 1
    with command.daemon():
        assert command("status")["entries"] == 1


def test_a_silent_daemon_is_busy(command: Command) -> None:
    import signal

    with command.daemon() as daemon:
        daemon.process.send_signal(signal.SIGSTOP)
        try:
            refused = command("status", status=5)
            assert refused["error"]["code"] == "busy"
        finally:
            daemon.process.send_signal(signal.SIGCONT)


@pytest.mark.parametrize("kind", ["file", "folder"])
def test_something_else_at_the_socket_path_is_not_removed(command: Command, kind: str) -> None:
    with command.daemon():
        path = Path(command("status")["socket"])
    path.write_text("mine", encoding="utf-8") if kind == "file" else path.mkdir()
    done = command.run("--vault", str(command.vault), "--json", "run")
    assert (done.status, done.code) == (2, "socket_path_busy")
    assert path.exists()


def test_a_long_runtime_folder_is_named(command: Command, tmp_path: Path) -> None:
    done = command.run("--vault", str(command.vault), "--json", "run", DEEPSEEDIAN_RUNTIME_DIR=str(tmp_path / ("x" * 110)))
    assert (done.status, done.code) == (2, "socket_path_too_long")


def test_vaults_that_are_none(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x", encoding="utf-8")
    (tmp_path / "plain").mkdir()
    for path, words, code, status in [("file", ["list"], "bad_vault", 2), ("nowhere", ["list"], "bad_vault", 2), ("plain", ["list"], "no_memory", 3)]:
        assert Command(tmp_path / path)(*words, status=status)["error"]["code"] == code
    assert Command(tmp_path / "x")("init", str(tmp_path / "file"), status=2)["error"]["code"] == "bad_vault"


def test_init_needs_no_vault_option_and_overwrites_nothing(tmp_path: Path) -> None:
    vault = tmp_path / "v"
    (vault / ".obsidian").mkdir(parents=True)
    (vault / ".obsidian/app.json").write_text('{"mine":1}', encoding="utf-8")
    (vault / "note.md").write_text("mine", encoding="utf-8")
    command = Command(tmp_path / "nowhere")
    first = command("init", str(vault))
    assert set(first) == {"vault", "vaultId", "memory"}
    again = command("init", str(vault))
    assert again == first
    assert (vault / ".obsidian/app.json").read_text(encoding="utf-8") == '{"mine":1}'
    assert sorted(path.name for path in vault.iterdir()) == [".obsidian", "note.md"]


def test_memory_where_obsidian_shows_it(tmp_path: Path) -> None:
    command = Command(tmp_path / "v")
    done = command("init", str(tmp_path / "v"), "--memory-folder", "Memory")
    assert done["memory"] == str(tmp_path / "v/Memory")
    command("remember", "x")
    assert (tmp_path / "v/Memory/topics/general.md").exists()
    assert command("init", str(tmp_path / "v"), "--memory-folder", "Elsewhere", status=4)["error"]["code"] == "conflict"
    assert command("init", str(tmp_path / "w"), "--memory-folder", "../x", status=2)["error"]["code"] == "bad_setting"


def test_the_vault_is_found_from_inside_and_by_environment(command: Command, tmp_path: Path) -> None:
    command("remember", "x")
    (command.vault / "a/b").mkdir(parents=True)
    for where, environment in ((command.vault / "a/b", {}), (tmp_path, {"DEEPSEEDIAN_VAULT": str(command.vault)})):
        done = subprocess.run([sys.executable, "-m", "deepseedian", "--json", "list"], cwd=where, capture_output=True, encoding="utf-8",
                              env=os.environ | environment, check=False)
        assert len(json.loads(done.stdout)["entries"]) == 1


def test_text_from_standard_input(command: Command) -> None:
    done = command("remember", "-", given="第一行\n\nsecond\n")
    assert command("show", done["id"])["text"] == "第一行\n\nsecond"


def test_help_is_a_document_too(command: Command) -> None:
    assert "Usage" in command("remember", "--help")["help"]
    assert "Usage" in command("--help")["help"]


def test_people_get_text(command: Command) -> None:
    command("remember", "one")
    done = command.run("--vault", str(command.vault), "list")
    assert "[general] one" in done.out
    done = command.run("--vault", str(command.vault), "show", entry_id("f"))
    assert (done.status, done.out) == (3, "") and "→ deepseedian list" in done.err


def test_recall_loads_a_short_list_of_modules(command: Command) -> None:
    """The 150 ms of a recall are imports; this list may only grow for a reason."""
    with command.daemon():
        script = ("import sys; from deepseedian.cli.main import main\n"
                  "try: main()\nexcept SystemExit: pass\n"
                  "print(chr(10).join(sorted(name for name in sys.modules if '.' not in name or name.startswith('deepseedian'))), file=sys.stderr)")
        done = subprocess.run([sys.executable, "-I", "-c", script, "--vault", str(command.vault), "recall", "x"], capture_output=True,
                              encoding="utf-8", check=False, env=os.environ)
    loaded = set(done.stderr.split())
    ours = {name for name in loaded if name.startswith("deepseedian")}
    assert ours == {"deepseedian", "deepseedian.cli", "deepseedian.cli.door", "deepseedian.cli.main", "deepseedian.cli.recall",
                    "deepseedian.cli.show", "deepseedian.client", "deepseedian.config", "deepseedian.config.folders", "deepseedian.errors"}
    heavy = {"asyncio", "fastapi", "pydantic", "uvicorn", "watchdog", "filelock", "sqlite3", "Stemmer", "tomlkit", "logging", "httpx2",
             "openai", "numpy", "ctypes", "apscheduler"}
    assert not heavy & loaded, heavy & loaded


def test_another_user_cannot_connect(command: Command) -> None:
    if os.getuid() != 0:
        pytest.skip("only root can become another user")
    with command.daemon():
        path = command("status")["socket"]
        script = f"import os, socket\nos.setuid(65534)\ns = socket.socket(socket.AF_UNIX)\ntry:\n    s.connect({path!r})\nexcept PermissionError:\n    print('refused')"
        done = subprocess.run([sys.executable, "-c", script], capture_output=True, encoding="utf-8", check=False)
        assert done.stdout.strip() == "refused"
        with socket.socket(socket.AF_UNIX) as mine:
            mine.connect(path)


def test_odd_arguments_get_the_same_answer_through_both_doors(both: Command) -> None:
    for words, code, status in [(["show", ""], "not_found", 3), (["show", "a/b"], "not_found", 3), (["show", "../x"], "not_found", 3),
                                (["forget", "ID/"], "not_found", 3), (["review", "show", ""], "not_found", 3), (["config", "get", ""], "bad_setting", 2),
                                (["config", "get", "a/b"], "bad_setting", 2), (["check", "--restore", "--accept"], "bad_input", 2),
                                (["config", "set", "review.folder", ""], "bad_setting", 2), (["config", "set", "review.folder", ".obsidian"], "bad_setting", 2),
                                (["config", "set", "model.endpoint", "http://127.0.0.1:99999/v1"], "bad_setting", 2),
                                (["config", "set", "model.name", "a\nb"], "bad_setting", 2), (["init", ""], "bad_input", 2),
                                (["init", "x", "--memory-folder", "."], "bad_setting", 2)]:
        assert both(*words, status=status)["error"]["code"] == code, words
    both("remember", "one", "--topic", "Work")
    assert len(both("list", "--topic", "work")["entries"]) == 1
    for odd in ("\udcff", "a\udcff"):
        assert both("search", odd)["total"] == 0
        assert both("show", odd, status=3)["error"]["code"] == "not_found"
    for turn in ('{"session":1,"messages":[{"role":"user","text":"x"}]}', '{"session":"c","messages":{}}', '{"session":"c","messages":["x"]}',
                 '{"session":"c","messages":[{"role":"user","text":"x"}],"at":5}', '{"session":"c","messages":[{"role":"user","text":"x"}],"preset":5}'):
        assert both("observe", "-", given=turn, status=2)["error"]["code"] == "bad_input", turn


def test_help_words_among_the_arguments_are_data(command: Command) -> None:
    assert "vault" in command("recall", "--", "--help")
    assert "id" in command("remember", "x y z", "--source", "-h")


@pytest.mark.parametrize("words", [["list"], ["--json", "list"], ["--json", "show", "nope"], ["--json", "--help"], ["export"]])
def test_a_closed_or_full_standard_output_is_no_traceback(command: Command, words: list[str]) -> None:
    command("remember", "one")
    program = f"'{sys.executable}' -m deepseedian --vault '{command.vault}' {' '.join(words)}"
    for shell in (f"{program} | head -c 0", f"{program} >&-", f"{program} > /dev/full", f"PYTHONUNBUFFERED=1 {program} | head -c 0"):
        done = subprocess.run(["sh", "-c", shell], capture_output=True, encoding="utf-8", check=False, env=os.environ, timeout=60)
        assert "Traceback" not in done.stderr and "Exception ignored" not in done.stderr, (shell, done.stderr)


def test_json_is_json_in_every_locale(command: Command) -> None:
    command("remember", "中文 🙂")
    for environment in ({"LC_ALL": "POSIX", "PYTHONCOERCECLOCALE": "0", "PYTHONUTF8": "0"}, {"PYTHONIOENCODING": "utf-8:strict"}):
        done = command.run("--vault", str(command.vault), "--json", "list", **environment)
        assert done.json["entries"][0]["text"] == "中文 🙂"


def test_files_of_the_present_folder_are_no_modules(command: Command, tmp_path: Path) -> None:
    (tmp_path / "cwd").mkdir()
    for name in ("http.py", "sched.py", "json.py"):
        (tmp_path / "cwd" / name).write_text(f"open({str(tmp_path / 'PWNED')!r}, 'w')\nraise RuntimeError\n", encoding="utf-8")
    done = subprocess.run([sys.executable, "-P", "-m", "deepseedian", "--vault", str(command.vault), "--json", "start"], cwd=tmp_path / "cwd",
                          capture_output=True, encoding="utf-8", check=False, env=os.environ, timeout=60)
    assert json.loads(done.stdout)["running"] is True and not (tmp_path / "PWNED").exists()
    command("stop")


def test_a_daemon_whose_vault_was_moved_ends(command: Command, tmp_path: Path) -> None:
    from tests.commands import until

    command("remember", "one")
    with command.daemon() as daemon:
        moved = command.vault.rename(tmp_path / "moved")
        assert until(lambda: daemon.process.poll() is not None, 15)
    there = Command(moved)
    assert there("start")["running"] is True
    assert len(there("list")["entries"]) == 1
    there("stop")


def test_start_tells_why_the_daemon_did_not(command: Command) -> None:
    path = command.vault / ".obsidian/plugins/deepseedian/memory/state.json"
    body = json.loads(path.read_bytes())
    path.write_text(json.dumps(body | {"version": 1}), encoding="utf-8")
    assert command("start")["running"] is True, "an original folder is served read-only"
    command("stop")
    done = command.run("--vault", str(command.vault), "--json", "start", DEEPSEEDIAN_RUNTIME_DIR=str(command.vault / ("x" * 110)))
    assert (done.status, done.code) == (2, "socket_path_too_long")
