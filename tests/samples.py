"""Inputs that several tests share."""


def marker(letter: str, extra: str = "") -> str:
    """The one-line start marker of a sample entry."""
    entry_id = f"aaaaaaaa-0000-4000-8000-{letter:0>12}"
    return f'<!-- deepseedian-entry {{"id":"{entry_id}","createdAt":"2026-01-02T03:04:05Z","source":"manual"{extra}}} -->'


def entry_id(letter: str) -> str:
    return f"aaaaaaaa-0000-4000-8000-{letter:0>12}"


FIXTURE_3 = (f"{marker('a')}\n回答里的英文缩写第一次出现时写出全称。\n\n{marker('b')}\nTwo-space indent, no tabs.\n\n"
             f"{marker('c')}\nRelease on Thursdays only.")
