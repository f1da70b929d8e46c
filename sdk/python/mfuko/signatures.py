"""The two signatures of a notification, compared in constant time.

``SVC-Signature`` covers the body and nothing else; the Standard Webhooks one also covers the id and the time of the
attempt, so that an old request can't be played again.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
import re

_PREFIX = "whsec_"
_SIGNATURES_MOST = 10
_KEY_LEAST = 24


def is_secret(text: object) -> bool:
    """A Client Secret: ``whsec_`` and base64 of at least 24 bytes."""
    key = _key_of(text) if isinstance(text, str) else None
    return key is not None and len(key) >= _KEY_LEAST


def is_webhook_signature(secret: str, *, id: str, timestamp: str, signature: str, body: bytes) -> bool:
    """``signature``: ``v1,<base64> v1,<base64>``; any one that fits will do. Key: what the base64 of the secret stands for."""
    key = _key_of(secret)
    if key is None:
        raise ValueError("client_secret is whsec_ and base64")
    content = f"{id}.{timestamp}.".encode() + body
    wanted = hmac.new(key, content, hashlib.sha256).digest()
    for part in signature.split(" ")[:_SIGNATURES_MOST]:
        version, _, rest = part.partition(",")
        given = _from_base64(rest.partition(",")[0]) if version == "v1" else None
        if given is not None and hmac.compare_digest(given, wanted):
            return True
    return False


def is_body_signature(secret: str, *, signatures: str, body: bytes) -> bool:
    """Small hexadecimal letters, several separated by commas. Key: the secret as it is written, prefix and all."""
    wanted = hmac.new(secret.encode(), body, hashlib.sha256).hexdigest()
    for text in signatures.split(",")[:_SIGNATURES_MOST]:
        if re.fullmatch("[0-9a-f]{64}", text) and hmac.compare_digest(text, wanted):
            return True
    return False


def digest_of(body: bytes) -> str:
    """What stands for a body that has no id of its own."""
    return hashlib.sha256(body).hexdigest()


def _key_of(secret: str) -> bytes | None:
    return _from_base64(secret[len(_PREFIX) :]) if secret.startswith(_PREFIX) else None


def _from_base64(text: str) -> bytes | None:
    if len(text) % 4 != 0 or re.fullmatch("[A-Za-z0-9+/]+={0,2}", text) is None:
        return None
    return base64.b64decode(text)
