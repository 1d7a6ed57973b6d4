"""The Obsidian plugin: its types, its lint, its committed bundle, its client and its views, against a real daemon."""

import json
import os
import re
import shutil
import sys
from pathlib import Path

import pytest

from deepseedian.agent.completion import REASONS
from deepseedian.sidecar import completing, initialise
from tests.commands import Command
from tests.obsidian import bench
from tests.obsidian.bench import HERE, PLUGIN

pytestmark = pytest.mark.timeout(480)


@pytest.fixture(scope="session")
def tools() -> Path:
    return bench.installed()


def test_types_and_bundle(tools: Path) -> None:
    """Strictly typed against Obsidian's own API, and the committed file is what the sources give."""
    assert bench.ran("node", "node_modules/typescript/bin/tsc", "-p", ".") == ""
    assert "main.js is what src/ gives" in bench.ran("node", "build.mjs", "--check")


def test_every_reason_for_no_completion_is_told_in_the_persons_language() -> None:
    source = (PLUGIN / "src/reasons.js").read_text(encoding="utf-8")
    known = set(re.findall(r"^\t(\w+): \[", source, re.M)) | set(re.findall(r'"(\w+)"', source.partition("const UNFIT = [")[2].partition("]")[0]))
    given = set(REASONS) | set(re.findall(r'_told\("(\w+)"', Path(completing.__file__).read_text(encoding="utf-8")))
    assert given - known == {"cancelled"}  # which whoever cancelled knows


def test_lint(tools: Path, tmp_path: Path) -> None:
    """No finding of the rules of Obsidian's review, which do find what is bad."""
    lint = ("node", str(HERE / "node_modules/eslint/bin/eslint.js"), "--max-warnings", "0", "-c", str(HERE / "eslint.config.mjs"))
    assert bench.ran(*lint, ".", folder=PLUGIN) == ""
    bad = tmp_path / "src/bad.js"
    bad.parent.mkdir()
    bad.write_text("export const bad = (/** @type {HTMLElement} */ el, /** @type {string} */ text) => { el.innerHTML = text; };\n", encoding="utf-8")
    shutil.copyfile(PLUGIN / "manifest.json", tmp_path / "manifest.json")
    config = tmp_path / "tsconfig.json"
    config.write_text(json.dumps({"extends": str(HERE / "tsconfig.json"), "include": [str(bad)]}), encoding="utf-8")
    with pytest.raises(AssertionError, match="no-unsanitized/property"):
        bench.ran(*lint, "src/bad.js", folder=tmp_path, BENCH_TSCONFIG=str(config))


def test_client(tools: Path, vault: Path) -> None:
    with bench.daemon(vault):
        print(bench.ran("node", "--test", "client.test.mjs", BENCH_VAULT=str(vault)))


def test_sources_are_small_plain_and_safe() -> None:
    """What no tool sees: sizes, a word on each module, no way to make elements out of text, nothing from the network."""
    manifest = json.loads((PLUGIN / "manifest.json").read_text(encoding="utf-8"))
    assert manifest["isDesktopOnly"] and len(manifest["description"]) < 250 and "obsidian" not in manifest["name"].lower()
    assert json.loads((PLUGIN / "versions.json").read_text(encoding="utf-8"))[manifest["version"]] == manifest["minAppVersion"]
    for path in sorted((PLUGIN / "src").glob("*.js")):
        text = path.read_text(encoding="utf-8")
        assert text.startswith("/**") and len(text.splitlines()) < 250, path
        assert not re.search(r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|eval\(|new Function|\bfetch\(|requestUrl|XMLHttpRequest", text), path


def test_init_brings_the_plugin_and_overwrites_nothing(tmp_path: Path) -> None:
    new, old, other = tmp_path / "new", tmp_path / "old", tmp_path / "other"
    initialise(new)
    folder = new / ".obsidian/plugins/deepseedian"
    assert {path.name for path in folder.iterdir() if path.is_file()} >= {"main.js", "manifest.json", "styles.css"}
    assert not (folder / "src").exists() and not (folder / "versions.json").exists()
    assert json.loads((new / ".obsidian/community-plugins.json").read_text(encoding="utf-8")) == ["deepseedian"]

    (old / ".obsidian").mkdir(parents=True)
    (old / "note.md").write_text("mine", encoding="utf-8")
    initialise(old)
    assert (old / ".obsidian/plugins/deepseedian/main.js").is_file() and not (old / ".obsidian/community-plugins.json").exists()

    theirs = other / ".obsidian/plugins/deepseedian"
    theirs.mkdir(parents=True)
    (theirs / "main.js").write_text("theirs", encoding="utf-8")
    initialise(other)
    assert (theirs / "main.js").read_text(encoding="utf-8") == "theirs" and not (theirs / "manifest.json").exists()


def test_in_a_browser(tools: Path, vault: Path, tmp_path: Path) -> None:
    """Chat, review, memory, traces and settings as a person uses them; pictures go to DEEPSEEDIAN_TEST_ARTEFACTS where that is set."""
    shots = Path(os.environ.get("DEEPSEEDIAN_TEST_ARTEFACTS") or tmp_path / "pictures") / "obsidian"
    shots.mkdir(parents=True, exist_ok=True)
    with bench.daemon(vault) as live:
        program = bench.program(tmp_path / "deepseedian")
        try:
            print(bench.ran("node", "--test", "browser.test.mjs", timeout=420, BENCH_VAULT=str(vault), BENCH_SHOTS=str(shots),
                            BENCH_CHROMIUM=bench.chromium(), BENCH_PROGRAM=str(program), **live.command.environment))
        finally:
            Command(vault).run("--vault", str(vault), "stop")  # the one that the plugin started


def test_completion_in_a_browser(tools: Path, vault: Path, tmp_path: Path) -> None:
    """Grey text at the cursor, by command and after a pause: keys, undo, input methods, lists, refused places, late answers, a killed daemon."""
    shots = Path(os.environ.get("DEEPSEEDIAN_TEST_ARTEFACTS") or tmp_path / "pictures") / "obsidian"
    shots.mkdir(parents=True, exist_ok=True)
    with bench.daemon(vault) as live:
        print(bench.ran("node", "--test", "place.test.mjs", "complete.test.mjs", timeout=240, BENCH_VAULT=str(vault), BENCH_SHOTS=str(shots),
                        BENCH_CHROMIUM=bench.chromium(), BENCH_PYTHON=sys.executable, BENCH_PROGRAM="deepseedian", **live.command.environment))


def test_much_in_a_browser(tools: Path, tmp_path: Path) -> None:
    """5,000 entries and 200 conversations are listed at once; `scripts/bench plugin` prints how fast."""
    bench.large(tmp_path / "large")
    with bench.daemon(tmp_path / "large"):
        print(bench.ran("node", "--test", "large.test.mjs", BENCH_VAULT=str(tmp_path / "large"), BENCH_SHOTS=str(tmp_path), BENCH_CHROMIUM=bench.chromium(),
                        BENCH_PROGRAM="deepseedian"))
