"""What makes a function a tool: it answers with an envelope whatever happens, and only results that go out count as seen."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Concatenate, ParamSpec

from pageindex.document.codec import encode_json
from pageindex.errors import PageIndexError, StoreError
from pageindex.text.tokens import count_tokens
from pageindex.tools.envelope import Call, Envelope, Refusal, call, failure
from pageindex.tools.session import Session

__all__ = ["IMAGE_TOKENS", "cost", "tool"]

IMAGE_TOKENS = 1_600  #: What a page's picture costs, roughly: providers count pixels and scale large pictures down.

P = ParamSpec("P")
Body = Callable[Concatenate[Session, P], Envelope]


def cost(value: object) -> int:
    """Tokens of a value as JSON."""
    return count_tokens(encode_json(value).decode())


def tool(body: Body[P]) -> Body[P]:
    """Run a body under the session's lock, turn its errors into envelopes, and record what it showed once it has ended well."""

    @wraps(body)
    def answered(session: Session, /, *args: P.args, **kwargs: P.kwargs) -> Envelope:
        with session.lock:
            try:
                session.begin()
                envelope = body(session, *args, **kwargs)
                session.checkpoint()
            except Refusal as refusal:
                return _dropped(session, failure(refusal.error, refusal.options, **refusal.data))
            except PageIndexError as error:
                return _dropped(session, failure(error, _otherwise(error)))
            except OSError as error:
                fault = StoreError(f"{error.strerror or error}", "Run 'pageindex doctor'.", code="SYSTEM")
                return _dropped(session, failure(fault, _otherwise(fault)))
            session.commit(_price(envelope))
            return envelope

    return answered


def _price(envelope: Envelope) -> int:
    """Tokens of a reply; a picture costs a model what its size in pixels makes it, not its length in base64."""
    if "image" not in envelope:
        return cost(envelope)
    return cost({**envelope, "image": None}) + IMAGE_TOKENS


def _dropped(session: Session, envelope: Envelope) -> Envelope:
    session.abandon()
    session.spent += cost(envelope)
    return envelope


def _otherwise(error: PageIndexError) -> list[str | Call]:
    """What to do where the tool itself proposed nothing: look for the documents that can be read."""
    if error.code in ("CANCELLED", "DEADLINE", "SYSTEM"):
        return []
    return [call("browse_documents", recursive=True)]
