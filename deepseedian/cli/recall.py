"""recall and search."""

import click

from deepseedian.cli.door import Door, pass_door
from deepseedian.cli.show import Document, answer, rows


@click.command("recall")
@click.argument("question")
@click.option("--why", is_flag=True, help="Also the receipt: what matched, each part of the score, why left out.")
@click.option("--as-of", default="", metavar="DATE", help="From the memory as it was: 2026-03-01 (its end), or 2026-03-01 14:30.")
@click.option("--session", default="", help="Whose turn it is; what it was given is kept.")
@click.option("--inject", is_flag=True, help="The text to put before the turn, without what the session has received.")
@pass_door
def recall_command(door: Door, question: str, why: bool, as_of: str, session: str, inject: bool) -> None:
    """The index of a turn: the entries that QUESTION is offered."""
    found = door.call("recall", question=question, why=why, as_of=as_of, session=session, inject=inject, door="command line")
    answer(found, lambda: _index(found))


def _index(found: Document) -> str:
    receipt = found.get("receipt")
    nothing = f"nothing is offered of {found['total']} entries: {found.get('reason') or 'nothing matches'}"
    lines = rows(found["index"], lambda row: f"{row['id']}  {row['summary']}", nothing)
    if found.get("text"):
        lines = str(found["text"])
    return lines if not isinstance(receipt, dict) else lines + "\n\n" + _receipt(receipt)


def _receipt(receipt: Document) -> str:
    terms = receipt.get("terms")
    head = [f"terms: {' '.join(map(str, terms)) if isinstance(terms, list) else ''}", f"matched: {receipt['matched']}"]
    if receipt.get("reason"):
        head.append(f"reason: {receipt['reason']}")
    offered = rows(receipt["offered"], scored, "")
    left = rows(receipt["leftOut"], lambda item: f"left out ({item['reason']}): {scored(item)}", "")
    return "\n".join(part for part in (*head, offered, left) if part)


def scored(item: Document) -> str:
    parts = item.get("parts")
    detail = " + ".join(f"{part['term']} {part['score']}" for part in parts) if isinstance(parts, list) else ""
    for name, sign in (("besides", "+"), ("weights", "×")):
        more = item.get(name)
        detail += "".join(f" {sign} {key} {value}" for key, value in more.items()) if isinstance(more, dict) else ""
    return f"{item['id']}  {item['score']} ({item['reason']}) {detail}".rstrip()


@click.command("search")
@click.argument("query", default="")
@click.option("--offset", default=0, show_default=True, help="How many results to skip.")
@click.option("--limit", default=8, show_default=True, help="How many results to show.")
@click.option("--as-of", default="", metavar="DATE", help="In the memory as it was, archive included.")
@pass_door
def search_command(door: Door, query: str, offset: int, limit: int, as_of: str) -> None:
    """Page through all entries that match QUERY; without one, through everything, newest first."""
    found = door.call("search", query=query, offset=offset, limit=limit, as_of=as_of)
    answer(found, lambda: rows(found["results"], lambda row: f"{row['id']}  {row['summary']}", "nothing matches")
           + f"\n{found['total']} in all")
