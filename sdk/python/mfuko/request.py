"""Any route by its method and path, and what is inside the answers: data, and pages of lists."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Callable, Generic, TypeVar

from .errors import Failure, MfukoError
from .transport import Answer, CallOptions, Sent

if TYPE_CHECKING:
    from typing_extensions import Unpack

Item = TypeVar("Item")


@dataclass(frozen=True)
class Page(Generic[Item]):
    items: list[Item]
    #: For ``cursor`` of the next page; None on the last one.
    next_cursor: str | None


def each(
    list_page: Callable[..., Page[Item]], query: Mapping[str, Any] | None = None, **call: Unpack[CallOptions]
) -> Iterator[Item]:
    """One after the other, over all pages: ``for payment in each(shop.payments.list, {"limit": 100})``. However many there
    are; a cursor that comes a second time would lead in circles, and is an error."""
    asked = dict(query or {})
    seen: set[str] = set()
    while True:
        page = list_page(asked, **call)
        yield from page.items
        if page.next_cursor is None:
            return
        if page.next_cursor in seen:
            raise MfukoError(Failure("unreadable_answer", "The list does not end: a cursor came a second time", 200))
        seen.add(page.next_cursor)
        asked["cursor"] = page.next_cursor


class Requests:
    """What all calls are made with."""

    def __init__(self, send: Callable[[Sent], Answer]) -> None:
        self._send = send

    def reply(
        self,
        method: str,
        path: str,
        *,
        params: Mapping[str, Any] | None = None,
        query: Mapping[str, Any] | None = None,
        body: Mapping[str, Any] | None = None,
        call: CallOptions,
    ) -> Any:
        """The whole answer."""
        return self._send(Sent(method, path, call, params, query, body)).body

    def data(
        self,
        method: str,
        path: str,
        *,
        params: Mapping[str, Any] | None = None,
        query: Mapping[str, Any] | None = None,
        body: Mapping[str, Any] | None = None,
        call: CallOptions,
    ) -> Any:
        """What is inside the envelope."""
        answer = self._send(Sent(method, path, call, params, query, body))
        return _inside(answer)["data"]

    def page(
        self, path: str, *, params: Mapping[str, Any] | None = None, query: Any = None, call: CallOptions
    ) -> Page[Any]:
        answer = self._send(Sent("GET", path, call, params, query))
        envelope = _inside(answer)
        return Page(envelope["data"], envelope.get("meta", {}).get("next_cursor"))


def _inside(answer: Answer) -> Mapping[str, Any]:
    if isinstance(answer.body, dict) and "data" in answer.body:
        return answer.body
    failure = Failure(
        "unreadable_answer",
        f"The answer (status {answer.status}) is not one of the service's own",
        answer.status,
        request_id=answer.request_id,
        idempotency_key=answer.key,
    )
    raise MfukoError(failure)
