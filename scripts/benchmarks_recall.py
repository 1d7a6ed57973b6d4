"""`scripts/bench recall`: quality and speed of recall beside its baselines, in one run.

    scripts/bench recall [quality|plumbing|latency …] [FILE … | ENTRIES …] [--lexical]
    scripts/bench recall --vault PATH        latency on one's own vault; nothing is written there

Quality and plumbing read the data of DEEPSEEDIAN_TEST_DATA. `--lexical` leaves embedding models out.
"""

import os

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # before anything imports numpy

import sys
import tempfile
import time
from pathlib import Path

PARTS = ("quality", "plumbing", "latency")


def main(words: list[str]) -> None:
    if "--vault" in words:
        if len(words) != 2 or words[0] != "--vault":
            sys.exit(__doc__)
        from benchmarks_own import own

        from deepseedian.errors import DeepseedianError

        try:
            own(Path(words[1]))
        except DeepseedianError as error:
            sys.exit(f"{error.message}: {error.hint}")
        return
    lexical = "--lexical" in words
    words = [word for word in words if word != "--lexical"]
    parts = [word for word in words if word in PARTS] or list(PARTS)
    sizes = [int(word) for word in words if word.isdecimal()]
    files = [word for word in words if word not in PARTS and not word.isdecimal()]
    data = Path(os.environ.get("DEEPSEEDIAN_TEST_DATA", "/nowhere"))
    known = [path.name.removesuffix(".jsonl.gz") for path in (data / "retrieval").glob("*.jsonl.gz")]
    if any(name not in known for name in files):
        sys.exit(f"{__doc__}\nfiles: {', '.join(sorted(known)) or 'none; set DEEPSEEDIAN_TEST_DATA'}")
    if not (data / "generator/gen.py").is_file():
        sys.exit("set DEEPSEEDIAN_TEST_DATA to the folder with retrieval/ and generator/")
    measure(data, parts, sizes, files, lexical)


def measure(data: Path, parts: list[str], sizes: list[int], files: list[str], lexical: bool) -> None:
    from benchmarks import isolated

    if hasattr(os, "getloadavg"):
        print(f"{os.cpu_count()} processors, load {os.getloadavg()[0]:.1f}: above 0.5 others are measured too", flush=True)
    with tempfile.TemporaryDirectory(prefix="dsb-") as name:
        folder = isolated(Path(name))
        if "quality" in parts:
            from benchmarks_quality import quality

            began = time.perf_counter()
            quality(data, lexical=lexical, only=files)
            print(f"quality took {time.perf_counter() - began:.0f} s", flush=True)
        if "plumbing" in parts or "latency" in parts:
            from benchmarks_latency import run

            os.environ["DEEPSEEDIAN_SEMANTIC"] = "off"
            began = time.perf_counter()
            run(data, folder, sizes, plumbing="plumbing" in parts, latency="latency" in parts)
            print(f"{' and '.join(part for part in parts if part != 'quality')} took {time.perf_counter() - began:.0f} s", flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
