"""The embedding model as its owner sees it: what there is, whether it works, and embedding what has no vector yet."""

from collections.abc import Callable

from deepseedian.sidecar.opened import Document, Opened


class Embedding(Opened):
    """Questions about the model, and the work it has to do once."""

    def embedding_models(self) -> Document:
        """{"address","models"}: what the embedding server lists. Raises ModelFailed."""
        return self.similarity.models()

    def embedding_test(self) -> Document:
        """{"model","dimension","latencyMs","address","origin","mode","key","tried":[{"address","outcome"}]}; model is empty without one."""
        return self.similarity.test()

    def embedding_refresh(self, progress: Callable[[int, int], None] = lambda done, total: None) -> Document:
        """Look for a model and embed what has no vector: the status of semantic recall.

        A daemon does it behind its answer, and tells of it on the feed; a command does it here. Raises ModelFailed.
        """
        self._warm()
        return self.similarity.hurry() if self.resident else self.similarity.refresh(progress)
