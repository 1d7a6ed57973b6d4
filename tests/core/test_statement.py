"""Statements of pages as agents keep them."""

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from deepseedian.core import topic
from deepseedian.core.statement import named, statements

PAGE = """---
name: rules
---
# CLAUDE.md

Short intro,
in two lines.

@docs/other.md

## Testing & *style*

- [ ] use pytest
  - no mocks
* second item

Run the suite:

```sh
make test   # - no item
```
<!-- a comment -->

***

### Deep [x](y)
1. one

   with a second paragraph
> quoted

## 发布
- 只在周四发布
"""


def test_items_and_paragraphs_with_their_headings() -> None:
    found = [(said.text, said.line, said.headings) for said in statements(PAGE)]
    assert found == [
        ("Short intro,\nin two lines.", 6, ()),
        ("@docs/other.md", 9, ()),
        ("use pytest\n- no mocks", 13, ("Testing & *style*",)),
        ("second item", 15, ("Testing & *style*",)),
        ("Run the suite:\n\n```sh\nmake test   # - no item\n```", 17, ("Testing & *style*",)),
        ("one\n\nwith a second paragraph", 27, ("Testing & *style*", "Deep [x](y)")),
        ("> quoted", 30, ("Testing & *style*", "Deep [x](y)")),
        ("只在周四发布", 33, ("发布",)),
    ]
    assert [said.topic for said in statements(PAGE)][2::5] == ["Testing & style", "发布"]


def test_line_ends_and_the_mark_of_the_file_change_nothing() -> None:
    assert statements("\ufeff" + PAGE.replace("\n", "\r\n")) == statements(PAGE)


@pytest.mark.parametrize(("heading", "name"), [
    ("`code` / **bold**: rules?", "code bold rules"), ("[Style](http://x/y)", "Style"), ("../../etc/passwd", "etc passwd"),
    ("CON", ""), ("***", ""), ("", ""), ("。" * 300, "。" * 53), ("\u202ereversed", "reversed"), ("a" * 500, "a" * 60)])
def test_a_heading_names_a_topic_that_every_system_can_keep(heading: str, name: str) -> None:
    assert named(heading) == name
    if name:
        topic.checked(named(heading))


@given(st.text(alphabet="# -*>`~|[]()<!a1.\n\t\\_=&;", max_size=300))
def test_any_page_is_read_and_nothing_in_it_is_made_up(page: str) -> None:
    for said in statements(page):
        assert said.text.strip() and 1 <= said.line <= page.count("\n") + 1
        assert {*"".join(said.text.split())} <= {*page}


@pytest.mark.parametrize("page", [">" * 200_000, "- " * 100_000, "[" * 200_000, "`" * 200_000, "[a]: b\n" * 20_000, "<a\n" * 50_000,
                                  "---\n" * 50_000, "".join("  " * depth + "- a\n" for depth in range(300)), "\t" * 200_000 + "a"])
def test_hostile_pages_take_no_long_time(page: str) -> None:
    begun = time.process_time()
    statements(page)
    assert time.process_time() - begun < 10
