"""Shops (MerchantClient), people (PlatformClient) and notifications (Receiver)."""

from .amounts import CURRENCIES, Amount, Money, format_amount, from_minor, is_amount, to_minor
from .errors import MfukoError
from .merchant import MerchantClient
from .platform import PlatformClient
from .receiver import (
    CallbackNotification,
    GatewayNotification,
    Handler,
    Notification,
    NotificationError,
    Outcome,
    Receiver,
)
from .request import Page, each
from .retry import new_idempotency_key
from .seen import Seen, SeenInMemory
from .seen import State as SeenState
from .transport import CallOptions, ClientOptions

__version__ = "1.0.0"

__all__ = [
    "CURRENCIES",
    "Amount",
    "CallOptions",
    "CallbackNotification",
    "ClientOptions",
    "GatewayNotification",
    "Handler",
    "MerchantClient",
    "MfukoError",
    "Money",
    "Notification",
    "NotificationError",
    "Outcome",
    "Page",
    "PlatformClient",
    "Receiver",
    "Seen",
    "SeenInMemory",
    "SeenState",
    "each",
    "format_amount",
    "from_minor",
    "is_amount",
    "new_idempotency_key",
    "to_minor",
]
