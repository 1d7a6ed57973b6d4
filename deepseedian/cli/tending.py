"""sweep, conflicts and report."""

import click

from deepseedian.cli.door import Door, pass_door
from deepseedian.cli.show import Document, answer, local_day, rows


@click.command("sweep")
@pass_door
def sweep_command(door: Door) -> None:
    """Look over the whole memory for what says the same, contradicts or is past its date, and propose what to do."""
    found = door.call("sweep")
    made = found["proposals"]
    more = f"\nproposals that wait for you now: {len(made)}, see deepseedian review" if isinstance(made, list) and made else ""
    answer(found, lambda: rows(found["findings"], _finding, "nothing needs tidying") + more)


@click.command("conflicts")
@pass_door
def conflicts_command(door: Door) -> None:
    """What the last sweep found, as far as it is still so; without one, what there is now. Nothing is proposed."""
    found = door.call("conflicts")
    answer(found, lambda: rows(found["conflicts"], _finding, "nothing contradicts, doubles or is due"))


def _finding(item: Document) -> str:
    entries = rows(item["entries"], lambda row: f"  {local_day(row['at'])}  {row['id']}  {row['summary']}", "")
    return "\n".join(part for part in (f"{str(item['kind']).replace('_', ' ')} {item['detail']}".rstrip(), entries) if part)


@click.command("report")
@click.option("--week", is_flag=True, help="Of the last seven days.")
@click.option("--days", default=1, show_default=True, help="Of so many days.")
@pass_door
def report_command(door: Door, week: bool, days: int) -> None:
    """Write a note on what memory did: learned, changed, recalled most, corrected, what waits, what it cost."""
    found = door.call("report", days=7 if week else days)
    answer(found, lambda: f"written to {found['note']}\n\n{found['text']}")
