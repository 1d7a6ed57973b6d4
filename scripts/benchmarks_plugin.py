"""How long the Obsidian plugin's views take until something is to be seen, in a real browser against a running daemon."""

import os
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))


def main() -> None:
    with tempfile.TemporaryDirectory(prefix="dsd-") as name:
        folder = Path(name)
        for part in ("STATE", "CONFIG", "RUNTIME"):
            os.environ[f"DEEPSEEDIAN_{part}_DIR"] = str(folder / part.lower())
        os.environ["DEEPSEEDIAN_SEMANTIC"] = "off"
        from tests.obsidian import bench

        bench.installed()
        bench.large(folder / "vault")
        with bench.daemon(folder / "vault"):
            told = bench.ran("node", "--test", "large.test.mjs", BENCH_VAULT=str(folder / "vault"), BENCH_SHOTS=name,
                             BENCH_CHROMIUM=bench.chromium(), BENCH_PROGRAM="deepseedian", BENCH_MOST_MS="300000")
        print(next(line.lstrip("# ") for line in told.splitlines() if "first paint in the browser" in line))


if __name__ == "__main__":
    main()
