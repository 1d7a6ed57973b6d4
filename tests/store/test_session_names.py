"""A session's file: its own on every file system, whatever the host called the session."""

from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from deepseedian.store.session_files import file_name, files, session_of
from deepseedian.store.session_log import SESSION
from deepseedian.store.sessions import Sessions, checked

NOW = "2026-11-30T09:00:00.000Z"
DEVICES = {"con", "prn", "aux", "nul", *(f"{name}{digit}" for name in ("com", "lpt") for digit in range(10))}
NAMES = st.from_regex(SESSION, fullmatch=True) | st.sampled_from(["con", "CON", "Nul.x", "com1", "AAa" * 40, "A" * 120])


def turn(session: str, text: str) -> list[dict[str, str]]:
    return [{"role": "user", "text": f"{session}: {text}"}]


@given(NAMES, NAMES)
def test_a_name_comes_back_and_no_two_share_one(one: str, other: str) -> None:
    name = file_name(one)
    assert session_of(Path(name)) == one and session_of(Path(f"{one}.jsonl")) == one
    assert name == name.lower() and (name == file_name(other)) == (one == other)
    assert name.partition(".")[0] not in DEVICES and len(name) <= 220  # with the temporary name's beginning and end it is still a name


def test_usual_names_stay_as_they_were() -> None:
    for name in ("chat-1", "tea", "1f0c9e52-7a53-4a1c-9d5e-3b1f2a3c4d5e", "console", "import-a.b_c"):
        assert file_name(name) == f"{name}.jsonl"
    assert file_name("Tea") == "+tea.jsonl" and file_name("USA") == "++usa+.jsonl" and file_name("con.1") == "+_con.1.jsonl"


def test_sessions_that_differ_in_case_are_kept_apart(tmp_path: Path) -> None:
    store = Sessions(tmp_path / "s")
    names = ["tea", "Tea", "TEA", "con", "CON", "nul.log"]
    for name in names:
        store.append(checked(name, NOW, turn(name, "first"), {}, NOW))
        store.append(checked(name, "2026-12-01T09:00:00.000Z", turn(name, "second"), {}, NOW))
    on_disk = [path.name for path in (tmp_path / "s").glob("*.jsonl")]
    assert len({name.casefold() for name in on_disk}) == len(names) and not {name.partition(".")[0] for name in on_disk} & DEVICES
    again = Sessions(tmp_path / "s")
    assert sorted(again.names()) == sorted(names) and {about.id for about in again.list().sessions} == set(names)
    for name in names:
        assert [message.text for message in again.messages(name)] == [f"{name}: first", f"{name}: second"]
    assert again.search("nul.log: second").total == 1 and {about.id for about in again.search("con:").sessions} == {"con", "CON"}
    again.set("Tea", title="Afternoon")
    again.delete("TEA")
    assert sorted(again.names()) == sorted(set(names) - {"TEA"}) and again.about("Tea").title == "Afternoon" and again.about("tea").title != "Afternoon"
    assert again.erase(lambda id, text: text.replace("con: first", "gone")) == 1
    assert again.messages("con")[0].text == "gone"


def test_a_file_that_was_named_otherwise_is_read_and_added_to_where_it_lies(tmp_path: Path) -> None:
    """Sync tools name copies as they like, and earlier versions named files like their sessions."""
    store = Sessions(tmp_path / "s")
    store.append(checked("plain", NOW, turn("plain", "first"), {}, NOW))
    data = (tmp_path / "s/plain.jsonl").read_text(encoding="utf-8")
    (tmp_path / "s/Old.jsonl").write_text(data.replace('"plain"', '"Old"'), encoding="utf-8")
    (tmp_path / "s/plain.sync-conflict-20261130-091200-ABCDEFG.jsonl").write_text(data, encoding="utf-8")
    assert sorted(store.names()) == ["Old", "plain", "plain.sync-conflict-20261130-091200-ABCDEFG"]
    store.append(checked("Old", "2026-12-01T09:00:00.000Z", turn("Old", "second"), {}, NOW))
    assert len(store.turns("Old")) == 2 and store.about("plain.sync-conflict-20261130-091200-ABCDEFG").id
    assert {path.name for path in files(tmp_path / "s")} == {"Old.jsonl", "plain.jsonl", "plain.sync-conflict-20261130-091200-ABCDEFG.jsonl"}


def test_moving_into_the_vault_and_back_keeps_each(tmp_path: Path) -> None:
    inside = False
    store = Sessions(tmp_path / "home", vault=tmp_path / "plugin/sessions", in_vault=lambda: inside, device="d1")
    (tmp_path / "plugin").mkdir()
    for name in ("tea", "Tea"):
        store.append(checked(name, NOW, turn(name, "first"), {}, NOW))
    inside = True
    assert sorted(store.names()) == ["Tea", "tea"] and {path.name for path in files(tmp_path / "plugin/sessions")} == {"tea.jsonl", "+tea.jsonl"}
    inside = False
    assert sorted(store.names()) == ["Tea", "tea"] and {path.name for path in files(tmp_path / "home")} == {"tea.jsonl", "+tea.jsonl"}
    assert [store.messages(name)[0].text for name in ("tea", "Tea")] == ["tea: first", "Tea: first"]


def test_deleting_reaches_the_file_of_an_older_program_too(tmp_path: Path) -> None:
    """A sync tool may bring `Tea.jsonl` of a device with an earlier version when `+tea.jsonl` is there already."""
    store = Sessions(tmp_path / "s")
    for name in ("Tea", "tea"):
        store.append(checked(name, NOW, turn(name, "first"), {}, NOW))
    (tmp_path / "s/Tea.jsonl").write_bytes((tmp_path / "s/+tea.jsonl").read_bytes())
    store.delete("Tea")
    assert store.names() == ["tea"] and [path.name for path in files(tmp_path / "s")] == ["tea.jsonl"]
