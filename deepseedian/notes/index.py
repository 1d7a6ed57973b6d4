"""The index of the vault's own notes, as the tools for models use it."""

from deepseedian.notes.asking import Asking


class NoteIndex(Asking):
    """One vault's. Thread-safe, and several processes may use one file; close it.

    `refresh` follows the vault; `search` and `query` ask the index; `read`, `metadata`, `resolve` and `related` read
    files as they are now. Nothing is ever written into the vault. Every answer is at most 24,000 characters of JSON.
    """
