"""The note tools of an opened vault: what is left out, and how each door reaches them."""

import json
import os
from collections.abc import Callable
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from deepseedian.api.app import create
from deepseedian.api.host import Host
from deepseedian.errors import BadInput, Busy, NotFound
from deepseedian.sidecar import Sidecar, initialise
from tests.commands import Command, until
from tests.live import Live


@pytest.fixture
def vault(tmp_path: Path) -> Path:
    """Without the notes that a new vault begins with."""
    root = tmp_path / "vault"
    initialise(root)
    for path in root.rglob("*.md"):
        if ".obsidian" not in path.parts:
            path.unlink()
    return root


def note(vault: Path, path: str, text: str) -> None:
    (vault / path).parent.mkdir(parents=True, exist_ok=True)
    (vault / path).write_text(text, encoding="utf-8")


def found(sidecar: Sidecar, query: str) -> list[object]:
    return [hit["path"] for hit in sidecar.notes_search(query)["results"]]  # type: ignore[attr-defined]


def test_the_six_tools(vault: Path, sidecar: Sidecar) -> None:
    note(vault, "Work/Plan.md", "---\nstatus: open\n---\n# Next\n周会改到每周四 #work [[Home]]")
    note(vault, "Home.md", "start")
    assert found(sidecar, "周會") == ["Work/Plan.md"]
    assert sidecar.notes_read("Home.md")["text"] == "1\tstart"
    assert sidecar.notes_metadata("Home.md")["backlinks"] == [{"path": "Work/Plan.md", "line": 5}]
    assert sidecar.notes_query(property="status", value="open")["total"] == 1
    assert sidecar.notes_resolve("[[Plan#Next]]", "Home.md")["line"] == 4
    assert sidecar.notes_related("Home.md")["related"] == [{"path": "Work/Plan.md", "title": "Plan", "points": 4, "reasons": ["it links to this note"]}]
    assert sidecar.notes_problems()["problems"] == []


def test_a_command_sees_what_was_just_saved(vault: Path, sidecar: Sidecar) -> None:
    assert found(sidecar, "aardvark") == []
    note(vault, "a.md", "aardvark")
    assert found(sidecar, "aardvark") == ["a.md"]
    (vault / "a.md").unlink()
    assert found(sidecar, "aardvark") == []


def test_memory_review_notes_and_hidden_folders_are_no_notes(tmp_path: Path) -> None:
    vault = tmp_path / "visible"
    initialise(vault, memory_folder="Brain/Memory")
    with_notes = Sidecar.open(vault)
    with_notes.remember("the aardvark is a secret")
    for path in ("Deepseedian/Review/2026-01-01 0101-abcd.md", ".obsidian/note.md", ".trash/old.md", "Brain/Memory/archive/own.md"):
        note(vault, path, "aardvark")
    note(vault, "Brain/open.md", "aardvark")
    topic = "Brain/Memory/topics/general.md"
    assert "aardvark" in (vault / topic).read_text(encoding="utf-8")
    assert found(with_notes, "aardvark") == ["Brain/open.md"]
    for path in (topic, "brain/memory/topics/general.md", "Deepseedian/Review/2026-01-01 0101-abcd.md"):
        for ask in (with_notes.notes_read, with_notes.notes_metadata, with_notes.notes_related):
            with pytest.raises(NotFound):
                ask(path)
        with pytest.raises(NotFound):
            with_notes.notes_resolve(f"[[{path}]]")
    with pytest.raises(BadInput):
        with_notes.notes_read(".obsidian/note.md")
    with_notes.close()


@pytest.mark.skipif(os.name == "nt", reason="links need rights there")
def test_memory_that_is_a_link_within_the_vault(vault: Path, memory: Path, opened: Callable[..., Sidecar]) -> None:
    (vault / "Shown").mkdir()
    memory.rename(vault / "Shown/Real")
    memory.symlink_to(vault / "Shown/Real")
    sidecar = opened()
    note(vault, "Shown/Real/topics/x.md", "aardvark")
    assert found(sidecar, "aardvark") == []
    with pytest.raises(NotFound):
        sidecar.notes_read("Shown/Real/topics/x.md")


def test_folders_that_obsidian_leaves_out(vault: Path, sidecar: Sidecar) -> None:
    note(vault, "Private/a.md", "aardvark")
    note(vault, "Public/b.md", "aardvark")
    assert found(sidecar, "aardvark") == ["Private/a.md", "Public/b.md"]
    for filters in (["Private/"], ["Private"], ["private/", "/regex/", 5, "", "/"]):
        (vault / ".obsidian/app.json").write_text(json.dumps({"userIgnoreFilters": filters}), encoding="utf-8")
        assert found(sidecar, "aardvark") == ["Public/b.md"], filters
        assert sidecar.notes_query()["total"] == 1
        with pytest.raises(NotFound):
            sidecar.notes_read("Private/a.md")
    for broken in ("{", "[]", '{"userIgnoreFilters": 5}', '{"userIgnoreFilters": null}', "\ud800".encode("utf-8", "surrogatepass").decode("latin-1")):
        (vault / ".obsidian/app.json").write_text(broken, encoding="utf-8")
        assert len(found(sidecar, "aardvark")) == 2, broken


def test_status_and_health(vault: Path, sidecar: Sidecar, monkeypatch: pytest.MonkeyPatch) -> None:
    assert sidecar.status()["notes"] is None  # nobody asked: nothing is loaded
    note(vault, "bad.md", "---\na: [\n---\n")
    sidecar.notes_search("bad")
    state = sidecar.status()["notes"]
    assert isinstance(state, dict) and state["notes"] == 1 and state["problems"] == 1 and state["state"] == "ready"
    assert [one["code"] for one in sidecar.notes_problems()["problems"]] == ["front_matter_invalid"]  # type: ignore[attr-defined]
    assert sidecar.health()["status"] == "ok"  # a fault of one note is none of ours
    monkeypatch.setattr(sidecar.note_index.tree, "excluded", lambda: (_ for _ in ()).throw(OSError("gone")))
    with pytest.raises(OSError):
        sidecar.note_index.refresh()
    assert [fault["code"] for fault in sidecar.health()["faults"]] == ["notes_index"]  # type: ignore[attr-defined]


def test_a_closed_vault_makes_no_index(opened: Callable[..., Sidecar]) -> None:
    sidecar = opened()
    sidecar.close()
    with pytest.raises(Busy):
        sidecar.notes_search("x")


def test_nothing_is_written_into_the_vault(vault: Path, sidecar: Sidecar) -> None:
    note(vault, "a.md", "---\nx: 1\n---\naardvark [[b]]")
    before = {path: path.stat().st_mtime_ns for path in vault.rglob("*")}
    found(sidecar, "aardvark")
    sidecar.notes_related("a.md")
    sidecar.notes_metadata("a.md")
    assert {path: path.stat().st_mtime_ns for path in vault.rglob("*")} == before


def test_over_the_wire(vault: Path, sidecar: Sidecar) -> None:
    note(vault, "Work/Plan 1.md", "---\nstatus: open\n---\n# Next\nquokka #work\n\nsay ^id")
    with TestClient(create(Host(sidecar, "t" * 43, 54321, "/run/x.sock")), base_url="http://127.0.0.1:54321",  # type: ignore[arg-type]
                    headers={"Authorization": f"Bearer {'t' * 43}"}) as client:
        def get(what: str, **values: object) -> dict[str, object]:
            answer = client.get(f"/v1/notes/{what}", params=values)
            assert answer.status_code == 200, answer.text
            return answer.json()  # type: ignore[no-any-return]

        assert get("search", query="quokka", limit=1)["total"] == 1
        assert get("read", path="Work/Plan 1.md", offset=4)["text"] == "4\t# Next\n5\tquokka #work\n6\t\n7\tsay ^id"
        assert get("metadata", path="Work/Plan 1.md")["tags"] == ["work"]
        assert get("query", tag="work", property="status", value="open", folder="Work")["total"] == 1
        assert get("resolve", link="[[Plan 1#^id]]")["text"] == "say ^id"
        assert get("related", path="Work/Plan 1.md")["related"] == [] and get("problems")["total"] == 0
        for path, status, code in (("read?path=../x.md", 400, "bad_input"), ("read?path=no.md", 404, "not_found"), ("search", 400, "bad_input"),
                                   ("read?path=a%0A.md", 400, "bad_input"), ("search?query=x&offset=-1", 400, "bad_input")):
            answer = client.get(f"/v1/notes/{path}")
            assert (answer.status_code, answer.json()["error"]["code"]) == (status, code)


def test_a_daemon_follows_edits_and_moves(vault: Path) -> None:
    """The real program: notes of before it started, edits, a folder that is moved, and the command line."""
    note(vault, "Old/before.md", "aardvark")
    with Live(vault) as daemon:
        def paths(query: str) -> list[str]:
            return [hit["path"] for hit in daemon.ask("notes_search", query=query)["results"]]

        assert until(lambda: paths("aardvark") == ["Old/before.md"], 20)
        assert until(lambda: (daemon.ask("status")["notes"] or {}).get("state") == "ready", 20)
        note(vault, "new.md", "quokka")
        assert until(lambda: paths("quokka") == ["new.md"], 10)
        (vault / "Old").rename(vault / "Moved")
        assert until(lambda: [one["path"] for one in daemon.ask("notes_query", query="before")["notes"]] == ["Moved/before.md"], 10)
        (vault / "new.md").unlink()
        assert until(lambda: daemon.ask("notes_query")["total"] == 1, 10)
        command = Command(vault)
        assert command("notes", "search", "aardvark")["results"][0]["path"] == "Moved/before.md"
        assert command("notes", "read", "nope.md", status=3)["error"]["code"] == "not_found"
        daemon.kill()
    assert Command(vault)("notes", "query", "--folder", "Moved")["total"] == 1


def test_the_commands_as_people_read_them(vault: Path) -> None:
    from click.testing import CliRunner

    from deepseedian.cli.main import cli

    note(vault, "Plan.md", "---\nstatus: open\ntags: [work]\n---\n# Next\nquokka [[Home]] [[Gone]]\n")
    note(vault, "Home.md", "\n".join(["line"] * 150))
    note(vault, "bad.md", "---\na: [\n---\n")

    def said(*words: str) -> str:
        done = CliRunner().invoke(cli, ["--vault", str(vault), "notes", *words], catch_exceptions=False)
        assert done.exit_code == 0, done.output
        return done.output

    assert said("search", "quokka").startswith("Plan.md:6\n  # Next quokka") and said("search", "nothing-of-this") == "nothing matches\n"
    assert said("read", "Home.md").endswith("100\tline\n--offset 101 goes on\n") and said("read", "Home.md", "--offset", "150") == "150\tline\n"
    assert said("metadata", "Plan.md") == ("Plan.md: 6 lines\nproperties\n  status: open\n  tags: ['work']\nheadings\n  5: # Next\ntags\n  #work\n"
                                           "links\n  Home → Home.md\n  Gone → nothing\n")
    assert said("query", "--tag", "work") == "Plan.md  #work\n" and said("query", "xyz") == "none\n"
    assert said("resolve", "[[Plan#Next]]") == "Plan.md:5-6\n\n# Next\nquokka [[Home]] [[Gone]]\n"
    assert said("related", "Home.md") == "  4  Plan.md\n     it links to this note\n".lstrip("\n")
    assert said("problems").startswith("bad.md:") and "front_matter_invalid" in said("problems")


def test_the_start_of_a_recall_loads_none_of_it(vault: Path, opened: Callable[..., Sidecar]) -> None:
    import subprocess
    import sys

    words = ("import sys; from pathlib import Path; from deepseedian.sidecar import Sidecar; s = Sidecar.open(Path(sys.argv[1])); s.recall('x'); s.status(); s.close();"
             "print([name for name in sys.modules if name.startswith(('deepseedian.notes', 'markdown_it', 'yaml', 'frontmatter'))])")
    done = subprocess.run([sys.executable, "-c", words, str(vault)], capture_output=True, encoding="utf-8", check=True, timeout=60)
    assert done.stdout.strip() == "[]"
