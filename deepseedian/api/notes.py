"""The routes under /v1/notes: the vault's own notes, read only."""

from fastapi import APIRouter

from deepseedian.api.answer import Answer
from deepseedian.api.routes import Serving

router = APIRouter()


@router.get("/notes/search")
def notes_search(host: Serving, query: str, offset: int = 0, limit: int = 8, folder: str = "") -> Answer:
    return Answer(host.sidecar.notes_search(query, offset, limit, folder))


@router.get("/notes/read")
def notes_read(host: Serving, path: str, offset: int = 1) -> Answer:
    return Answer(host.sidecar.notes_read(path, offset))


@router.get("/notes/metadata")
def notes_metadata(host: Serving, path: str) -> Answer:
    return Answer(host.sidecar.notes_metadata(path))


@router.get("/notes/query")
def notes_query(host: Serving, folder: str = "", tag: str = "", property: str = "", value: str = "", query: str = "", offset: int = 0,
                limit: int = 20) -> Answer:
    return Answer(host.sidecar.notes_query(folder, tag, property, value, query, offset, limit))


@router.get("/notes/resolve")
def notes_resolve(host: Serving, link: str, source: str = "") -> Answer:
    return Answer(host.sidecar.notes_resolve(link, source))


@router.get("/notes/related")
def notes_related(host: Serving, path: str) -> Answer:
    return Answer(host.sidecar.notes_related(path))


@router.get("/notes/problems")
def notes_problems(host: Serving, offset: int = 0, limit: int = 100) -> Answer:
    return Answer(host.sidecar.notes_problems(offset, limit))
