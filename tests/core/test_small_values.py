"""Comments, topics, secrets, snapshots: the small values that everything else rests on."""

import json
from unittest.mock import patch

import pytest
from hypothesis import given
from hypothesis import strategies as st

from deepseedian.core import comment, secret, topic
from deepseedian.core import snapshot as snapshots
from deepseedian.core.entry import Entry, stamp
from deepseedian.core.snapshot import Entries, MemoryFile, advanced, assemble, revision_of, sha256
from deepseedian.errors import BadInput, BadTopic

values = st.recursive(st.none() | st.booleans() | st.integers() | st.text(max_size=12), lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3), max_leaves=8)


@given(st.dictionaries(st.text(max_size=8), values, max_size=5), st.text(max_size=8), values.filter(lambda value: value is not None))
def test_one_member_changes_and_the_others_keep_their_bytes(fields: dict[str, object], key: str, value: object) -> None:
    text = json.dumps(fields, indent=1, ensure_ascii=False)
    changed = comment.merged(text, {key: value})
    assert comment.loads(changed) == fields | {key: value}
    dropped = comment.merged(changed, {key: None})
    assert comment.loads(dropped) == {name: item for name, item in fields.items() if name != key}
    if key not in fields:
        assert dropped == text or not fields


@given(values)
def test_written_json_never_ends_a_comment(value: object) -> None:
    text = comment.dumps(value)
    assert comment.loads(text) == value
    assert ">" not in text and "--" not in text and not set(text) & {"\u2028", "\u2029", "\x85", "\n"}


@pytest.mark.parametrize("text", ['{"a":1,"a":2}', '{"a":NaN}', "[" * 100_000, "", "{", "1" * 6000, '{"a":Infinity}', "{'a':1}"])
def test_sloppy_json_is_refused(text: str) -> None:
    with pytest.raises(BadInput):
        comment.loads(text)


@pytest.mark.parametrize("name", ["work", "工作", "a b", "a/b", "2026", "C++ notes", "Café", "🐤 ideas", "x" * 100])
def test_good_topics(name: str) -> None:
    assert topic.checked(name) == name


@pytest.mark.parametrize("name", ["", " a", "a ", "a//b", "/a", "a/", ".a", "a.", "~a", "a/../b", "con", "CON.md", "com1", "a:b", "a*b", "a|b", "a\\b",
                                  "a\nb", "a\u202eb", "a\u200bb", "a#b", "[a]", "x" * 161, "a/b/c/d/e", "\ud800"])
def test_bad_topics(name: str) -> None:
    with pytest.raises(BadTopic):
        topic.checked(name)


FAKES = ["sk-abc123def456", "sk-proj-Abc123_def-456", "sk-ant-api03-abc123def", "ghp_" + "a1" * 18, "github_pat_" + "a1_" * 10, "glpat-a1b2c3d4e5f6g7h8", "AKIAIOSFODNN7EXAMPLE",
         "AIza" + "a1" * 18, "ya29." + "a1" * 15, "xoxb-123456789012-abc", "xapp-1-A111-222", "hf_" + "aB1" * 8, "npm_" + "aB1" * 12, "pypi-AgEIcHlwaS5vcmcaB1cD",
         "dop_v1_" + "a1" * 32, "SG." + "a1" * 11 + "." + "b2" * 20, "sq0atp-" + "a1" * 11, "shpat_" + "a1" * 16, "LTAI5tAbC123dEf456", "AKIDz8krbsJ5yKBZQpn74WFkmLPx3",
         "key-" + "a1" * 16, "123456789:AAE" + "a1" * 17, "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.abc", "-----BEGIN RSA PRIVATE KEY-----", "-----BEGIN OPENSSH PRIVATE KEY-----",
         "postgres://user:pa55word@db.example/x", "Authorization: Bearer abcdef0123456789abcdef", "password: hunter2!", "密码是 abc12345", "api_key = 'Zx81-kk20-ab'",
         "my token is 8f3a-99b1-22cd", "口令：qwer1234!"]


@pytest.mark.parametrize("text", FAKES)
def test_secrets_are_found_and_not_shown(text: str) -> None:
    found = secret.find(f"note to self {text} end")
    assert found and len(found) <= 6


@pytest.mark.parametrize("text", ["The password is in 1Password.", "密码放在 1Password 里", "API keys live in the keyring", "token budget is 1200", "sk-learn is a library",
                                  "My password manager is Bitwarden", "api key: https://vault.example/kv", "see ghp_ tokens", "the secret is patience", "口令在保险箱"])
def test_where_secrets_are_kept_is_no_secret(text: str) -> None:
    assert secret.find(text) == ""


def test_hostile_texts_are_scanned_quickly() -> None:
    for char in ("a", " ", "-", "<!--", ">", "=", "password: ", "eyJa.", "sk-"):
        secret.find(char * (100_000 // len(char)))


def file(path: str, *texts: str) -> MemoryFile:
    entries = tuple(Entry(f"{path}:{text}", text, path, {"id": f"{path}:{text}", "createdAt": text}) for text in texts)
    return MemoryFile(path, sha256("".join(texts).encode()), 0, entries)


def test_the_revision_is_what_the_docstring_says() -> None:
    files = {found.path: found for found in (file("topics/b.md", "x"), file("topics/a.md", "y"), file("RULES.md"))}
    lines = "".join(f"{files[path].sha256} {path}\n" for path in ("RULES.md", "topics/a.md", "topics/b.md"))
    assert revision_of(files) == sha256(lines.encode())
    decomposed = file("topics/cafe\u0301.md", "x")
    assert revision_of({"x": decomposed}) == sha256(f"{decomposed.sha256} topics/café.md\n".encode())


@given(st.lists(st.dictionaries(st.sampled_from(["topics/a.md", "topics/b.md", "archive/a.md"]), st.sets(st.sampled_from("uvwxyz"), max_size=4), max_size=3), min_size=1, max_size=5))
def test_an_advanced_snapshot_equals_an_assembled_one(steps: list[dict[str, set[str]]]) -> None:
    snapshot = assemble("v", {})
    for step in steps:
        files = {path: MemoryFile(path, sha256(repr(sorted(ids)).encode()), 0, tuple(Entry(key, key, path, {"id": key}) for key in sorted(ids)))
                 for path, ids in step.items()}
        old = snapshot
        snapshot, change = advanced(old, files)
        fresh = assemble("v", files)
        assert (dict(snapshot.entries), dict(snapshot.archive), snapshot.revision) == (dict(fresh.entries), dict(fresh.archive), fresh.revision)
        assert {entry.id for entry in change.added} == fresh.entries.keys() - old.entries.keys()
        assert {entry.id for entry in change.removed} == old.entries.keys() - fresh.entries.keys()


@pytest.mark.parametrize(("seconds", "text"), [(0.0, "1970-01-01T00:00:00.000Z"), (1_767_323_045.9996, "2026-01-02T03:04:05.999Z")])
def test_stamps(seconds: float, text: str) -> None:
    assert stamp(seconds) == text


@given(st.lists(st.tuples(st.sampled_from("abcdef"), st.booleans()), max_size=40), st.integers(1, 5))
def test_entries_that_share_what_did_not_change_are_as_a_dict(changes: list[tuple[str, bool]], most: int) -> None:
    with patch.object(snapshots, "MOST_CHANGED", most):
        plain: dict[str, Entry] = {}
        shared = Entries({})
        for number, (key, there) in enumerate(changes):
            entry = Entry(key, str(number), "topics/x.md", {}) if there else None
            plain.pop(key, None)
            if entry is not None:
                plain[key] = entry
            before = dict(shared)
            after = shared.with_changes({key: entry})
            assert dict(shared) == before
            shared = after
            assert dict(shared) == plain and len(shared) == len(plain) and all((key in shared) == (key in plain) for key in "abcdefg")
