"""What went wrong, as one exception. Decide by ``code``; ``message`` is for people and may change."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True)
class Failure:
    """Beyond the service's own codes: ``connection_failed``, ``timed_out`` and ``unreadable_answer``."""

    code: str
    message: str
    #: Of the answer; 0 without one.
    status: int
    request_id: str | None = None
    errors: dict[str, str] = field(default_factory=dict)
    retry_after: int | None = None
    attempts_left: int | None = None
    idempotency_key: str | None = None


class MfukoError(Exception):
    """The service refused, could not be reached, or what came is no answer of it."""

    def __init__(self, failure: Failure) -> None:
        # The one argument is all there is: so it survives being sent to another process.
        super().__init__(failure)
        self.code = failure.code
        self.message = failure.message
        #: Of the answer; 0 without one.
        self.status = failure.status
        #: Tell it to the service when something looks wrong.
        self.request_id = failure.request_id
        #: Field → what is wrong with it. Empty unless fields are wrong.
        self.errors = failure.errors
        #: In how many seconds it makes sense to try again.
        self.retry_after = failure.retry_after
        #: After a wrong PIN: how many more lock it.
        self.attempts_left = failure.attempts_left
        #: What the request was sent with. The same key again, and it happens once, whatever became of this try.
        self.idempotency_key = failure.idempotency_key

    def __str__(self) -> str:
        about = ", ".join(part for part in (self.code, self.request_id) if part)
        fields = "".join(f"; {name}: {text}" for name, text in self.errors.items())
        return f"{self.message} ({about}){fields}"


def failure_of(
    *,
    status: int,
    body: Any,
    request_id: str | None,
    retry_after: str | None,
    idempotency_key: str | None = None,
) -> Failure:
    """What an answer that is no success says. A page of a proxy on the way is no answer of the service."""
    seconds = _seconds_of(retry_after)
    if not _is_error_body(body):
        return Failure(
            code="unreadable_answer",
            message=f"The answer (status {status}) is not one of the service's own",
            status=status,
            request_id=request_id,
            retry_after=seconds,
            idempotency_key=idempotency_key,
        )
    return Failure(
        code=body["code"],
        message=body["message"],
        status=status,
        request_id=body["request_id"],
        errors=dict(body.get("errors") or {}),
        retry_after=seconds,
        attempts_left=body.get("attempts_left"),
        idempotency_key=idempotency_key,
    )


def _is_error_body(body: Any) -> bool:
    if not isinstance(body, dict) or body.get("success") is not False:
        return False
    return all(isinstance(body.get(name), str) for name in ("message", "code", "request_id"))


def _seconds_of(text: str | None) -> int | None:
    """Whole seconds; the service writes no dates."""
    return int(text) if text is not None and re.fullmatch("[0-9]{1,9}", text) else None
