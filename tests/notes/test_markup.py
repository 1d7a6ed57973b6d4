"""What a note holds: headings, links, tags and blocks, and what only looks like them."""

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from deepseedian.notes import links, markup
from deepseedian.notes.links import Link


def page(text: str) -> markup.Page:
    return markup.parsed(text.split("\n"))


def targets(text: str) -> list[tuple[str, str]]:
    return [(link.target, link.part) for link in page(text).links]


def test_links_of_every_kind() -> None:
    text = "[[a]] ![[b.png|100]] [[c#h|shown]] [[d#^id]] [[#local]] [x](e%20f.md#g) [y](<h i.md>) ![z](j.canvas) [r]\n\n[r]: k.md\n"
    assert targets(text) == [("a", ""), ("b.png", ""), ("c", "h"), ("d", "^id"), ("", "local"), ("e f.md", "g"), ("h i.md", ""), ("j.canvas", ""), ("k.md", "")]
    assert [link.embed for link in page("![[a]] [[b]]").links] == [True, False]
    assert targets("| a |\n|---|\n| [[t\\|shown]] |") == [("t", "")]
    assert page("---\nup: '[[Home]]'\n---\nx").links == (Link("Home", "", 2),)


def test_what_only_looks_like_a_link_or_tag() -> None:
    for text in ("`[[a]] #a`", "```\n[[a]] #a\n```", "~~~\n[[a]] #a", "    [[a]] #a", "\\[[a]] \\#a", "<!-- [[a]] #a -->", "<div>\n[[a]] #a\n</div>",
                 "[a](https://x.y) <http://x.y/#a>", "[[a\nb]] x#a", "#123 # #! a&#39;"):
        assert (page(text).links, page(text).tags) == ((), ()), text


def test_tags() -> None:
    text = "---\ntags: [front]\n---\n#one #two/three, #中文/标签，后 (#no) #y1984 #front #🍀 #a_b-c\n# Heading #in-heading\n- #item\n"
    assert page(text).tags == ("front", "one", "two/three", "中文/标签", "y1984", "🍀", "a_b-c", "in-heading", "item")


def test_headings_and_their_sections() -> None:
    found = page("---\na: b\n---\n# One ##\ntext\n## Sub\nmore\n\nTwo\n===\n## Sub\n### C#\nend\n\n> # quoted\n\n```\n# no\n```")
    assert [(one.level, one.text, one.line) for one in found.headings] == [(1, "One", 4), (2, "Sub", 6), (1, "Two", 9), (2, "Sub", 11), (3, "C#", 12)]
    assert found.section("One") == (4, 9) and found.section("one") == (4, 9)
    assert found.section("Sub") == (6, 9) and found.section("Two#Sub") == (11, 20) and found.section("One##Sub") == (6, 9)
    assert found.section("C#") == (12, 20) and found.section("Two#Sub#C") == (12, 20)
    assert found.section("One#C#") is None and found.section("Three") is None and found.section("no") is None


def test_blocks() -> None:
    found = page("para one\nsecond ^p1\n\n- item ^i1\n- two\n  - sub ^s1\n\n^whole\n\n| a |\n|---|\n| b |\n\n^table\n\n`code ^no`\n\n```\nx ^no\n```\n\n^fence\n\n> quote ^q1\n")
    assert found.blocks == {"p1": (1, 3), "i1": (4, 5), "s1": (6, 8), "whole": (4, 8), "table": (10, 13), "fence": (18, 21), "q1": (24, 25)}


def test_a_link_as_it_is_asked_for() -> None:
    assert markup.first_link("![[a#^b|c]]") == Link("a", "^b", 1, True)
    assert markup.first_link("[x](<a b.md#q>)") == Link("a b.md", "q", 1)
    assert markup.first_link("a#b") is markup.first_link("https://x.y") is None


@pytest.mark.parametrize(("target", "source", "path"), [
    ("x", "A/s.md", "A/x.md"), ("x", "B/C/s.md", "B/C/D/x.md"), ("x", "s.md", "x.md"), ("x", "Z/s.md", "x.md"), ("X", "Z/s.md", "x.md"),
    ("A/x", "B/s.md", "A/x.md"), ("D/x", "s.md", "B/C/D/x.md"), ("./x", "A/s.md", "A/x.md"), ("../x", "A/s.md", "x.md"), ("./x", "Z/s.md", None),
    ("/x", "A/s.md", "x.md"), ("/A/x.md", "", "A/x.md"), ("x.md", "A/s.md", "A/x.md"), ("../../x", "A/s.md", None), ("C/x", "s.md", None), ("", "s.md", None),
])
def test_the_note_that_is_meant(target: str, source: str, path: str | None) -> None:
    every = ["B/C/D/x.md", "A/x.md", "x.md", "longer/x.md"]
    assert links.chosen(every, target, source) == path == links.chosen(reversed(every), target, source)


@pytest.mark.parametrize("text", ["[" * 60_000, "[[a" * 20_000, "*a " * 30_000, "`a" * 30_000, ">" * 30_000, "- " * 20_000, "#a " * 20_000, "[a](" * 20_000,
                                  "".join(" " * (2 * depth) + "- a\n" for depth in range(300)), "|" * 20_000 + "\n" + "|-" * 20_000])
def test_no_text_takes_for_ever(text: str) -> None:
    begun = time.monotonic()
    assert page(text).lines
    assert time.monotonic() < begun + 20


PIECES = st.sampled_from(["[[", "]]", "|", "#", "^id", "`", "```", "\n", "    ", "- ", "> ", "# ", "---", "$", "<!--", "-->", "[a](", ")", "标签", "🍀", "\\", "%%", "\0", "\u2028", "\t"])


@given(st.lists(PIECES | st.text(max_size=5), max_size=40).map("".join))
def test_any_text_is_a_page(text: str) -> None:
    found = page(text)
    lines = text.count("\n") + 1
    assert all(1 <= one.line <= lines for one in found.headings) and all(1 <= begin < end <= lines + 1 for begin, end in found.blocks.values())
    assert all(1 <= link.line <= lines for link in found.links)
    for heading in found.headings:
        if "#" not in heading.text and heading.text:
            assert found.section(heading.text) is not None
