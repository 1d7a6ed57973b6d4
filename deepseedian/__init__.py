"""Deepseedian: long-term AI memory for an Obsidian vault, kept as plain Markdown.

The layers, imports point downwards only (import-linter holds them):

    cli                  the command line, a client of the wire
    daemon               sockets, endpoint file, watcher, schedule, service units
    api                  routes and wire models
    evaluation           recall measured in throw-away vaults: retrieval sets, the fixed memory check, a judge's worth
    sidecar              composition root: one opened vault with its stores, one module per kind of use
    agent                the model loop: a turn with a model, its context, the one table of tools
    memory | notes       use cases: recall, remember, capture, review, organize | the index of the vault's own notes
    store | models       files and SQLite | the chat and embedding ports, credentials
    config | broadcast   layered settings that know their origin | in-process event feed
    core                 pure values and functions: no I/O, no clock, no randomness
    errors               the one exception tree

`client` (standard library only) is what the command line and editors use to reach a daemon; `editors` holds clients that are no
Python and speak the same wire.
"""

__version__ = "0.1.0"
