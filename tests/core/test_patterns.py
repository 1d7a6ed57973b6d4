"""Every regular expression of the package meets long runs of what makes bad ones explode, and must be done in time.

Found by reading the sources, so that a new one is covered without a new test: calls of `re.compile` and of
`re.search`, `re.sub` and their like, calls of functions that compile what they are given, and patterns that
modules hold. Each is tried with the methods that the package uses it with.
"""

import ast
import importlib
import pkgutil
import re
import re._constants as codes  # type: ignore[import-not-found]
import re._parser as reading  # type: ignore[import-not-found]
import signal
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache, partial
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

import deepseedian
from deepseedian.core import candidate, cues_en, cues_zh, first_person_en, lasting_en, lasting_zh, marks_en, marks_zh, unkept
from tests.naive import bites

SECONDS = 1.0  # of processor time, for a machine slower than the one where each takes a few milliseconds
LENGTH = 100_000
PIECES_LENGTH = 4000  # enough for what grows exponentially
RUNS = ("a", " ", "-", "<!--", ">", "\n", "`", "a ", "1", "。", "\r", "{", "我")
METHODS = ("match", "search", "fullmatch", "sub", "finditer", "findall", "split")
# Modules whose patterns others use, and how.
ELSEWHERE = {f"deepseedian.core.{name}": ("match", "search") for name in ("cues_en", "cues_zh", "unkept", "marks_en", "marks_zh")}
# Patterns that only ever see something short: (where, length, why).
BOUNDED = {"deepseedian.store.reading._SAYS_SO": (1000, "a path below the memory folder"),
           "deepseedian.store.reading._MAY_BE": (1000, "a path below the memory folder"),
           "deepseedian.store.books._COPIED": (1000, "a file name"),
           "deepseedian.store.books._RULES_COPY": (1000, "a file name"),
           **{f"deepseedian.core.correction.{name}": (1000, "a message, cut to this length before") for name in (
               "_DENIED", "_CHANGE", "_WORK", "_HARMLESS", "_MADE_UP", "_AGREES", "_HEDGES", "_ENDS")},
           **{f"{module.__name__}.{name}": (1000 if name in ("ASK", "TASK", "BEHIND", "LATER") or module is unkept else 400, "the beginning of a sentence")
              for module in (cues_en, cues_zh, unkept, marks_en, marks_zh) for name, value in vars(module).items() if isinstance(value, re.Pattern)},
           **{f"deepseedian.core.candidate.{name}": (1000, "one sentence, checked for its length before")
              for name, value in vars(candidate).items() if isinstance(value, re.Pattern) and name not in ("_CONCLUDES", "_WORD", "_WIDE")},
           **{f"{module.__name__}.{name}": (400, "the beginning of a sentence")
              for module in (lasting_en, lasting_zh, first_person_en) for name, value in vars(module).items() if isinstance(value, re.Pattern)},
           **{f"deepseedian.core.own_words.{name}": (1000, "the beginning of a sentence, or a short line") for name in (
               "_HANDS_OVER", "_WRITES", "_PLAY", "_FRAMES", "_CRAFT", "_PUTS_RIGHT", "_SPEAKS", "_ABOUT_BEFORE", "_ABOUT_ME", "_CHECKS", "_POINTS_ON")},
           "deepseedian.core.hygiene._AGAIN": (2000, "a text, cut to this length before")}


@dataclass(frozen=True)
class Used:
    """A pattern, where it stands, and the methods it is used with."""

    where: str
    pattern: "re.Pattern[Any]"
    methods: tuple[str, ...]


def modules() -> Iterator[ModuleType]:
    for module in pkgutil.walk_packages(deepseedian.__path__, "deepseedian."):
        if not module.name.endswith("__main__"):
            yield importlib.import_module(module.name)


def found() -> list[Used]:
    return [used for module in modules() for used in (*_held(module), *_written(module))]


@cache
def _tree(module: ModuleType) -> ast.Module:
    assert module.__file__
    return ast.parse(Path(module.__file__).read_text(encoding="utf-8"))


@cache
def _nodes(module: ModuleType) -> tuple[ast.AST, ...]:
    return tuple(ast.walk(_tree(module)))


def _held(module: ModuleType) -> Iterator[Used]:
    """Patterns under a name of the module."""
    for name, value in vars(module).items():
        if isinstance(value, re.Pattern):
            methods = {node.attr for node in _nodes(module) if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name)
                       and node.value.id == name} & set(METHODS)
            yield Used(f"{module.__name__}.{name}", value, tuple(sorted(methods)) or ELSEWHERE.get(module.__name__, METHODS))


def _written(module: ModuleType) -> Iterator[Used]:
    """Patterns in calls: `re.fullmatch("…", text)`, and what is given to a function that compiles its argument."""
    nodes = _nodes(module)
    makers = {function.name for function in nodes if isinstance(function, ast.FunctionDef)
              for call in ast.walk(function) if _is_re(call, "compile") and isinstance(_first(call), ast.Name)
              and _first(call).id in {argument.arg for argument in function.args.args}}  # type: ignore[attr-defined]
    parents = {child: node for node in nodes for child in ast.iter_child_nodes(node)}
    for call in nodes:
        made = isinstance(call, ast.Call) and isinstance(call.func, ast.Name) and call.func.id in makers
        direct = next((method for method in METHODS if _is_re(call, method)), "")
        if made or direct:
            parent = parents[call]
            method = direct or (parent.attr if isinstance(parent, ast.Attribute) else "match")
            source = _evaluated(module, _first(call))
            yield Used(f"{module.__name__}:{call.lineno}", re.compile(source, 0 if "(?i)" in str(source) or direct else re.I),  # type: ignore[attr-defined]
                       (method if method in METHODS else "match",))


def _is_re(node: ast.AST, method: str) -> bool:
    return (isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == method
            and isinstance(node.func.value, ast.Name) and node.func.value.id == "re")


def _first(call: ast.AST) -> ast.expr:
    assert isinstance(call, ast.Call)
    return call.args[0]


def _evaluated(module: ModuleType, node: ast.expr) -> Any:
    """The pattern as written; a NameError here means one that is put together at run time, which nobody could check."""
    return eval(compile(ast.Expression(node), module.__name__, "eval"), vars(module))


def pieces(pattern: "re.Pattern[Any]") -> set[str]:
    """A shortest text for each part of a pattern: what its own repetitions and alternatives are made of.

    A run of a part that is followed by something else is what a pattern explodes on that can split the run in several ways.
    """
    found: set[str] = set()

    def text(parsed: Any) -> str:
        told = "".join(one(code, value) for code, value in parsed)
        found.add(told)
        return told

    def one(code: Any, value: Any) -> str:
        if code in (codes.MAX_REPEAT, codes.MIN_REPEAT, codes.POSSESSIVE_REPEAT):
            return text(value[2]) * max(value[0], 1)
        if code is codes.BRANCH:
            return next(iter([text(branch) for branch in value[1]]))
        nested = {codes.SUBPATTERN: lambda: value[3], codes.ATOMIC_GROUP: lambda: value}.get(code)
        return text(nested()) if nested else {codes.LITERAL: lambda: chr(value), codes.ANY: lambda: "a",
                                              codes.IN: lambda: _member(value)}.get(code, str)()

    source = pattern.pattern
    text(reading.parse(source.decode("latin-1") if isinstance(source, bytes) else source, pattern.flags & (re.I | re.S | re.M | re.X)))
    return found - {""}


def _member(parsed: Any) -> str:
    code, value = parsed[0]
    kinds = {codes.CATEGORY_SPACE: " ", codes.CATEGORY_NOT_WORD: " ", codes.CATEGORY_DIGIT: "1"}
    return {codes.LITERAL: lambda: chr(value), codes.RANGE: lambda: chr(value[0]), codes.NEGATE: lambda: "我"}.get(
        code, lambda: kinds.get(value, "a"))()


def tried(used: Used, run: str, most: int = LENGTH, end: str = "") -> str:
    """What was too slow; empty when nothing was."""
    length = BOUNDED.get(used.where, (most, ""))[0]
    text: Any = (run * length)[: max(length, len(run))] + end
    data = text.encode() if isinstance(used.pattern.pattern, bytes) else text
    empty = data[:0]
    calls: dict[str, Callable[[], object]] = {
        "sub": partial(used.pattern.sub, empty, data), "finditer": lambda: list(used.pattern.finditer(data))}
    for method in used.methods:
        signal.setitimer(signal.ITIMER_PROF, SECONDS)
        try:
            calls.get(method, partial(getattr(used.pattern, method), data))()  # type: ignore[no-untyped-call]
        except TimeoutError:
            return f"{used.where} .{method}() over {run!r} × {length}"
        finally:
            signal.setitimer(signal.ITIMER_PROF, 0)
    return ""


@pytest.fixture
def alarm() -> Iterator[None]:
    """Processor time that has run out raises TimeoutError, also inside a pattern."""
    def expired(*_: object) -> None:
        raise TimeoutError

    before = signal.signal(signal.SIGPROF, expired)
    yield
    signal.signal(signal.SIGPROF, before)


@pytest.mark.skipif(sys.platform == "win32", reason="processes cannot be bounded here")
@bites("nested_quantifier")
def test_no_pattern_explodes(alarm: None) -> None:
    patterns = found()
    assert len(patterns) >= 60
    for used in patterns:
        for run in RUNS:
            assert not tried(used, run)


@pytest.mark.skipif(sys.platform == "win32", reason="processes cannot be bounded here")
def test_no_pattern_explodes_on_a_run_of_its_own_parts(alarm: None) -> None:
    """嗯嗯嗯…, forty times and then another letter, was once tried in every way to cut it."""
    several = re.compile("(?:(?:hello|fine|嗯+)\\W*)+$")
    assert "嗯" in pieces(several) and tried(Used("here", several, ("match",)), "嗯", PIECES_LENGTH, "\0x")
    for used in found():
        for piece in pieces(used.pattern):
            assert not tried(used, piece, PIECES_LENGTH, "\0x") and not tried(used, piece + " ", PIECES_LENGTH, "\0x")


def test_every_compiled_pattern_is_among_them() -> None:
    seen = {used.pattern.pattern for used in found()}
    for module in modules():
        for call in _nodes(module):
            if _is_re(call, "compile") and not (isinstance(_first(call), ast.Name)):
                assert _evaluated(module, _first(call)) in seen, f"{module.__name__}:{call.lineno}"  # type: ignore[attr-defined]


def test_what_is_called_bounded_is_there() -> None:
    assert BOUNDED.keys() <= {used.where for used in found()}
