"""The vector cache: one vector for each text and space, spaces that never meet, and nothing left of what was erased."""

from pathlib import Path

import pytest

from deepseedian.core.similar import Calibration
from deepseedian.store.vectors import KEPT_SPACES, VectorCache, digest

np = pytest.importorskip("numpy", reason="numpy is not installed")


def unit(seed: int, dimension: int = 64, rows: int = 1):  # type: ignore[no-untyped-def]
    found = np.random.default_rng(seed).standard_normal((rows, dimension)).astype(np.float32)
    return found / np.linalg.norm(found, axis=1, keepdims=True)


def probe(seed: int, dimension: int = 64):  # type: ignore[no-untyped-def]
    return unit(seed, dimension)[0]


def test_vectors_come_back_as_they_went_in(tmp_path: Path) -> None:
    cache = VectorCache(tmp_path / "vectors.db")
    space = cache.space("m", probe(1), "here")
    vectors = unit(2, rows=1200)
    hashes = [digest(f"text {number}") for number in range(1200)]
    assert cache.missing(space, hashes * 2) == hashes
    cache.add(space, hashes, vectors)
    cache.close()
    cache = VectorCache(tmp_path / "vectors.db")
    found = cache.of(cache.spaces()[0], [*hashes, digest("unknown")])
    assert found.keys() == set(hashes) and cache.missing(space, hashes) == []
    back = np.stack([found[text] for text in hashes])
    assert abs(back @ back.T - vectors @ vectors.T).max() < 0.0005  # half floats are enough
    cache.close()


def test_a_text_is_known_by_what_it_says(tmp_path: Path) -> None:
    assert digest("  one\n") == digest("one") != digest("One")
    assert digest("a\ud800b") != digest("a\ud801b")


def test_spaces_of_other_models_dimensions_and_probes_never_meet(tmp_path: Path) -> None:
    cache = VectorCache(tmp_path / "vectors.db")
    first = cache.space("m", probe(1), "here")
    cache.add(first, [digest("text")], unit(3))
    others = [cache.space("n", probe(1), "here"), cache.space("m", probe(1, 32), "here"), cache.space("m", probe(2), "here")]
    assert len({first.id, *(space.id for space in others)}) == 4
    assert all(cache.missing(space, [digest("text")]) for space in others) and not any(cache.of(s, [digest("text")]) for s in others)
    near = probe(1) + 0.01 * probe(9)  # the same model on other hardware
    again = cache.space("m", near / np.linalg.norm(near), "there")
    assert again.id == first.id and again.address == "there" and cache.spaces()[0].id == first.id
    cache.close()


def test_a_scale_is_kept_with_its_space(tmp_path: Path) -> None:
    cache = VectorCache(tmp_path / "vectors.db")
    space = cache.space("m", probe(1), "here")
    assert space.calibration is None
    cache.calibrate(space, Calibration(0.1, 0.6))
    assert cache.space("m", probe(1), "here").calibration == Calibration(0.1, 0.6)
    cache.close()


def test_what_is_erased_is_gone_to_the_byte(tmp_path: Path) -> None:
    cache = VectorCache(tmp_path / "vectors.db")
    spaces = [cache.space(name, probe(1), "here") for name in "mn"]
    vectors = unit(4, rows=2)
    for space in spaces:
        cache.add(space, [digest("secret"), digest("other")], vectors)
    told = (digest("secret"), vectors[0].astype("<f2").tobytes())
    files = [tmp_path / "vectors.db", tmp_path / "vectors.db-wal"]
    assert all(any(form in path.read_bytes() for path in files) for form in told)
    assert cache.erase(["secret ", "never there"]) == 2
    assert not any(form in path.read_bytes() for path in files if path.exists() for form in told)
    assert all(list(cache.of(space, [digest("secret"), digest("other")])) == [digest("other")] for space in spaces)
    cache.close()


def test_pruning_keeps_what_is_said_and_the_spaces_used_last(tmp_path: Path) -> None:
    cache = VectorCache(tmp_path / "vectors.db")
    spaces = [cache.space(f"m{number}", probe(1), "here") for number in range(KEPT_SPACES + 2)]
    for space in spaces:
        cache.add(space, [digest("said"), digest("gone")], unit(5, rows=2))
    cache.prune({digest("said")})
    assert [space.model for space in cache.spaces()] == [space.model for space in reversed(spaces[2:])]
    assert [cache.count(space) for space in spaces] == [0, 0] + [1] * KEPT_SPACES
    cache.close()


def test_a_damaged_file_is_begun_anew_and_leaves_nothing_behind(tmp_path: Path) -> None:
    path = tmp_path / "vectors.db"
    path.write_bytes(b"no database" * 1000)
    cache = VectorCache(path)
    assert cache.spaces() == [] and sorted(item.name for item in tmp_path.iterdir() if "unreadable" in item.name) == []
    assert path.stat().st_mode & 0o777 == 0o600
    cache.close()
