"""Made from docs/reference/openapi.json by `npm run docs`: not to be changed by hand.

What each route takes (``…Body``, ``…Query``) and answers (``…Data``, ``…Item`` of a list, ``…Reply`` as a whole), by the
operation's name. For type checkers; nothing of it is needed when a program runs.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Dict, List, Literal, Optional, TypedDict, Union

from .amounts import Money

if TYPE_CHECKING:
    from typing_extensions import NotRequired


#: Stable and machine-readable.
ErrorCode = Literal["bad_request", "unauthenticated", "forbidden", "not_found", "payload_too_large", "unsupported_media_type", "validation_failed", "insufficient_funds", "limit_exceeded", "invalid_state", "idempotency_conflict", "pin_incorrect", "pin_locked", "pin_not_set", "account_frozen", "second_factor_required", "rate_limited", "internal_error", "unavailable"]


#: The process answers.
class GetLivenessReply(TypedDict):
    status: Literal["ok"]
    #: Semantic version of the service.
    version: str
    #: ISO 8601, UTC
    time: str


GetReadinessReply = GetLivenessReply


#: `email` or `phone` is needed. Without `handle` one is made from the name.
class RegisterBody(TypedDict):
    #: As it is shown to others. Any script.
    name: str
    #: Any characters. What is guessed first (common words, own names, rows of keys) is refused.
    password: str
    #: Small and capital letters are the same.
    email: NotRequired[str]
    #: In international form (E.164).
    phone: NotRequired[str]
    #: 3 to 20 of `a-z 0-9 _`, starts with a letter. Capitals become small, a leading `@` is ignored.
    handle: NotRequired[str]
    #: ISO 3166, two capitals. Decides the currency of the first wallet. Without it the phone number tells.
    country: NotRequired[str]
    #: The language of mails and pages.
    locale: NotRequired[Literal["en", "sw", "fr"]]
    #: 4 to 6 digits, as text. Runs, repeats, years and the like are refused.
    pin: NotRequired[str]
    #: Where the session is kept. `cookie`: for pages of this service; a cookie that no script can read is set too, and `refresh` takes it. Default: token.
    session: NotRequired[Literal["token", "cookie"]]


#: A person
class RegisterDataUser(TypedDict):
    #: Opaque; never changes.
    id: str
    #: What others send money to.
    handle: str
    name: str
    email: Optional[str]
    #: Mails about the account go to a confirmed address only, the code that confirms it excepted.
    email_confirmed: bool
    phone: Optional[str]
    country: Optional[str]
    locale: Literal["en", "sw", "fr"]
    #: Of the first wallet.
    default_currency: Literal["UGX", "KES", "TZS", "RWF", "NGN", "ZAR", "USD"]
    #: Moving money needs one.
    has_pin: bool
    #: A mail for money in and out.
    email_receipts: bool
    #: No money can be moved.
    frozen: bool
    roles: List[str]
    #: ISO 8601, UTC
    created_at: str


#: Who you are, and what shows it
class RegisterData(TypedDict):
    #: A JWT. Send it as `Authorization: Bearer …`.
    token: str
    token_type: Literal["Bearer"]
    #: Seconds.
    expires_in: int
    #: A person
    user: RegisterDataUser


#: Exactly one of `email`, `phone` and `handle`.
class LoginBody(TypedDict):
    #: Small and capital letters are the same.
    email: NotRequired[str]
    #: In international form (E.164).
    phone: NotRequired[str]
    #: 3 to 20 of `a-z 0-9 _`, starts with a letter. Capitals become small, a leading `@` is ignored.
    handle: NotRequired[str]
    #: The present password.
    password: str
    #: Where the session is kept. `cookie`: for pages of this service; a cookie that no script can read is set too, and `refresh` takes it. Default: token.
    session: NotRequired[Literal["token", "cookie"]]


LoginDataUser = RegisterDataUser


#: Who you are, and what shows it
class LoginData(TypedDict):
    #: A JWT. Send it as `Authorization: Bearer …`.
    token: str
    token_type: Literal["Bearer"]
    #: Seconds.
    expires_in: int
    #: A person
    user: LoginDataUser


class RefreshBody(TypedDict):
    #: The JWT, when it is not sent as `Authorization: Bearer`.
    token: NotRequired[str]


RefreshDataUser = RegisterDataUser


#: Who you are, and what shows it
class RefreshData(TypedDict):
    #: A JWT. Send it as `Authorization: Bearer …`.
    token: str
    token_type: Literal["Bearer"]
    #: Seconds.
    expires_in: int
    #: A person
    user: RefreshDataUser


#: Exactly one of `email`, `phone` and `handle`.
class ForgotPasswordBody(TypedDict):
    #: Small and capital letters are the same.
    email: NotRequired[str]
    #: In international form (E.164).
    phone: NotRequired[str]
    #: 3 to 20 of `a-z 0-9 _`, starts with a letter. Capitals become small, a leading `@` is ignored.
    handle: NotRequired[str]


#: The name that the code was asked for with, the code, and the new password.
class ResetPasswordBody(TypedDict):
    #: Small and capital letters are the same.
    email: NotRequired[str]
    #: In international form (E.164).
    phone: NotRequired[str]
    #: 3 to 20 of `a-z 0-9 _`, starts with a letter. Capitals become small, a leading `@` is ignored.
    handle: NotRequired[str]
    #: From the mail. Small letters are fine, and so is leaving out the hyphen.
    code: str
    #: Any characters. What is guessed first (common words, own names, rows of keys) is refused.
    password: str


#: A login that is still good
class ListSessionsItem(TypedDict):
    id: str
    #: What the program calls itself.
    device: str
    #: Where it logged in from.
    address: str
    #: The login; ISO 8601, UTC.
    created_at: str
    #: The latest login or refresh; ISO 8601, UTC.
    last_used_at: str
    #: The one this request belongs to.
    current: bool


class GetMeDataLimitsUGX(TypedDict):
    #: Of a single transfer, withdrawal or contribution.
    least: Money
    #: Of a single one.
    most: Money
    #: Of all that leave one wallet in any 24 hours.
    daily_most: Money


GetMeDataLimitsKES = GetMeDataLimitsUGX


GetMeDataLimitsTZS = GetMeDataLimitsUGX


GetMeDataLimitsRWF = GetMeDataLimitsUGX


GetMeDataLimitsNGN = GetMeDataLimitsUGX


GetMeDataLimitsZAR = GetMeDataLimitsUGX


GetMeDataLimitsUSD = GetMeDataLimitsUGX


#: By currency.
class GetMeDataLimits(TypedDict):
    UGX: GetMeDataLimitsUGX
    KES: GetMeDataLimitsKES
    TZS: GetMeDataLimitsTZS
    RWF: GetMeDataLimitsRWF
    NGN: GetMeDataLimitsNGN
    ZAR: GetMeDataLimitsZAR
    USD: GetMeDataLimitsUSD


#: You
class GetMeData(TypedDict):
    #: Opaque; never changes.
    id: str
    #: What others send money to.
    handle: str
    name: str
    email: Optional[str]
    #: Mails about the account go to a confirmed address only, the code that confirms it excepted.
    email_confirmed: bool
    phone: Optional[str]
    country: Optional[str]
    locale: Literal["en", "sw", "fr"]
    #: Of the first wallet.
    default_currency: Literal["UGX", "KES", "TZS", "RWF", "NGN", "ZAR", "USD"]
    #: Moving money needs one.
    has_pin: bool
    #: A mail for money in and out.
    email_receipts: bool
    #: No money can be moved.
    frozen: bool
    roles: List[str]
    #: ISO 8601, UTC
    created_at: str
    #: By currency.
    limits: GetMeDataLimits


#: What is left out stays as it is.
class ChangeMeBody(TypedDict):
    #: As it is shown to others. Any script.
    name: NotRequired[str]
    #: The language of mails and pages.
    locale: NotRequired[Literal["en", "sw", "fr"]]
    #: A mail for money in and out.
    email_receipts: NotRequired[bool]


ChangeMeDataLimitsUGX = GetMeDataLimitsUGX


ChangeMeDataLimitsKES = GetMeDataLimitsUGX


ChangeMeDataLimitsTZS = GetMeDataLimitsUGX


ChangeMeDataLimitsRWF = GetMeDataLimitsUGX


ChangeMeDataLimitsNGN = GetMeDataLimitsUGX


ChangeMeDataLimitsZAR = GetMeDataLimitsUGX


ChangeMeDataLimitsUSD = GetMeDataLimitsUGX


#: By currency.
class ChangeMeDataLimits(TypedDict):
    UGX: ChangeMeDataLimitsUGX
    KES: ChangeMeDataLimitsKES
    TZS: ChangeMeDataLimitsTZS
    RWF: ChangeMeDataLimitsRWF
    NGN: ChangeMeDataLimitsNGN
    ZAR: ChangeMeDataLimitsZAR
    USD: ChangeMeDataLimitsUSD


#: You
class ChangeMeData(TypedDict):
    #: Opaque; never changes.
    id: str
    #: What others send money to.
    handle: str
    name: str
    email: Optional[str]
    #: Mails about the account go to a confirmed address only, the code that confirms it excepted.
    email_confirmed: bool
    phone: Optional[str]
    country: Optional[str]
    locale: Literal["en", "sw", "fr"]
    #: Of the first wallet.
    default_currency: Literal["UGX", "KES", "TZS", "RWF", "NGN", "ZAR", "USD"]
    #: Moving money needs one.
    has_pin: bool
    #: A mail for money in and out.
    email_receipts: bool
    #: No money can be moved.
    frozen: bool
    roles: List[str]
    #: ISO 8601, UTC
    created_at: str
    #: By currency.
    limits: ChangeMeDataLimits


class SetPinBody(TypedDict):
    #: 4 to 6 digits, as text. Runs, repeats, years and the like are refused.
    pin: str
    #: The present password.
    password: str


class ChangePasswordBody(TypedDict):
    #: The present password.
    password: str
    #: Any characters. What is guessed first (common words, own names, rows of keys) is refused.
    new_password: str


class ChangeEmailBody(TypedDict):
    #: Small and capital letters are the same.
    email: str
    #: The present password.
    password: str


ChangeEmailData = RegisterDataUser


class ChangePhoneBody(TypedDict):
    #: In international form (E.164).
    phone: str
    #: The present password.
    password: str


ChangePhoneData = RegisterDataUser


class ConfirmEmailBody(TypedDict):
    #: From the mail. Small letters are fine, and so is leaving out the hyphen.
    code: str


#: A wallet
class ListWalletsItem(TypedDict):
    #: Opaque; never changes.
    id: str
    #: One wallet a currency.
    currency: Literal["UGX", "KES", "TZS", "RWF", "NGN", "ZAR", "USD"]
    name: str
    #: All that is in it.
    balance: Money
    #: What of it is set aside for something on its way, a withdrawal for example.
    held: Money
    #: `balance` less `held`: what can be used.
    available: Money
    #: The wallet in the currency of your country.
    is_default: bool
    #: When it was opened; ISO 8601, UTC.
    created_at: str


class OpenWalletBody(TypedDict):
    #: A currency you have no wallet in yet.
    currency: Literal["UGX", "KES", "TZS", "RWF", "NGN", "ZAR", "USD"]


OpenWalletData = ListWalletsItem


ListTransactionsQuery = TypedDict(
    "ListTransactionsQuery",
    {
        #: Of this wallet only.
        "currency": "NotRequired[Literal[\"UGX\", \"KES\", \"TZS\", \"RWF\", \"NGN\", \"ZAR\", \"USD\"]]",
        "type": "NotRequired[Literal[\"transfer\", \"deposit\", \"withdrawal\", \"payment\", \"refund\", \"group_contribution\", \"group_payout\", \"campaign_contribution\", \"campaign_payout\"]]",
        #: `in`: what came in. `out`: what left.
        "direction": "NotRequired[Literal[\"in\", \"out\"]]",
        "status": "NotRequired[Literal[\"pending\", \"completed\", \"failed\"]]",
        #: From this moment on. A day begins at 00:00 UTC.
        "from": "NotRequired[str]",
        #: Before this moment. A day is taken whole, up to 24:00 UTC.
        "to": "NotRequired[str]",
        #: Words of the note, or a part of the name or handle of the other side; case and accents do not matter. A whole reference finds that one transaction.
        "q": "NotRequired[str]",
        #: How many a page holds.
        "limit": "NotRequired[int]",
        #: `meta.next_cursor` of the page before.
        "cursor": "NotRequired[str]",
    },
)


#: The other side, as it was called at the time.
class ListTransactionsItemCounterparty(TypedDict):
    #: When it is a person.
    handle: NotRequired[str]
    name: str


#: A transaction
class ListTransactionsItem(TypedDict):
    #: Short enough to read aloud.
    reference: str
    type: Literal["transfer", "deposit", "withdrawal", "payment", "refund", "group_contribution", "group_payout", "campaign_contribution", "campaign_payout"]
    #: Seen from your wallet.
    direction: Literal["in", "out"]
    #: What moved in or out of your wallet; always above zero. Who sends a transfer sees the whole amount, who receives it what arrived.
    amount: Money
    #: What of it you paid as a fee, already inside `amount` when money left. 0 on the side that pays none.
    fee: Money
    currency: Literal["UGX", "KES", "TZS", "RWF", "NGN", "ZAR", "USD"]
    status: Literal["pending", "completed", "failed"]
    #: The other side, as it was called at the time.
    counterparty: ListTransactionsItemCounterparty
    note: Optional[str]
    #: What was in the wallet afterwards; null while no money has moved.
    balance_after: Optional[Money]
    #: ISO 8601, UTC
    created_at: str


ExportTransactionsQuery = TypedDict(
    "ExportTransactionsQuery",
    {
        #: Of this wallet only.
        "currency": "NotRequired[Literal[\"UGX\", \"KES\", \"TZS\", \"RWF\", \"NGN\", \"ZAR\", \"USD\"]]",
        "type": "NotRequired[Literal[\"transfer\", \"deposit\", \"withdrawal\", \"payment\", \"refund\", \"group_contribution\", \"group_payout\", \"campaign_contribution\", \"campaign_payout\"]]",
        #: `in`: what came in. `out`: what left.
        "direction": "NotRequired[Literal[\"in\", \"out\"]]",
        "status": "NotRequired[Literal[\"pending\", \"completed\", \"failed\"]]",
        #: From this moment on. A day begins at 00:00 UTC.
        "from": "NotRequired[str]",
        #: Before this moment. A day is taken whole, up to 24:00 UTC.
        "to": "NotRequired[str]",
        #: Words of the note, or a part of the name or handle of the other side; case and accents do not matter. A whole reference finds that one transaction.
        "q": "NotRequired[str]",
    },
)


GetTransactionDataCounterparty = ListTransactionsItemCounterparty


class GetTransactionDataSteps(TypedDict):
    status: Literal["pending", "completed", "failed"]
    #: ISO 8601, UTC
    at: str


#: A transaction and its steps
class GetTransactionData(TypedDict):
    #: Short enough to read aloud.
    reference: str
    type: Literal["transfer", "deposit", "withdrawal", "payment", "refund", "group_contribution", "group_payout", "campaign_contribution", "campaign_payout"]
    #: Seen from your wallet.
    direction: Literal["in", "out"]
    #: What moved in or out of your wallet; always above zero. Who sends a transfer sees the whole amount, who receives it what arrived.
    amount: Money
    #: What of it you paid as a fee, already inside `amount` when money left. 0 on the side that pays none.
    fee: Money
    currency: Literal["UGX", "KES", "TZS", "RWF", "NGN", "ZAR", "USD"]
    status: Literal["pending", "completed", "failed"]
    #: The other side, as it was called at the time.
    counterparty: GetTransactionDataCounterparty
    note: Optional[str]
    #: What was in the wallet afterwards; null while no money has moved.
    balance_after: Optional[Money]
    #: ISO 8601, UTC
    created_at: str
    #: What became of it, the oldest first.
    steps: List[GetTransactionDataSteps]
    #: Why a deposit or a withdrawal failed; `note` says it in words.
    failure_code: NotRequired[str]


class ListMethodsQuery(TypedDict):
    #: Three-letter code.
    currency: Literal["UGX", "KES", "TZS", "RWF", "NGN", "ZAR", "USD"]
    #: What it is for.
    purpose: Literal["deposit", "withdrawal", "payment"]


class ListMethodsItem(TypedDict):
    id: Literal["wallet", "mpesa", "mtn", "airtel", "paystack"]
    #: As people know it.
    name: str
    kind: Literal["wallet", "mobile_money", "card", "bank"]
    #: What must be given with it. Your own phone and e-mail address are taken for a deposit.
    fields: List[Literal["phone", "email", "account"]]
    #: How it did in the last five minutes. One that is down still takes orders, but may take long.
    health: Literal["up", "degraded", "down"]
    #: Phone numbers that begin so are probably of this provider.
    prefixes: List[str]


class InitiateDepositBody(TypedDict):
    #: What arrives in your wallet. A deposit costs nothing.
    amount: Union[Money, str]
    #: Three-letter code.
    currency: Literal["UGX", "KES", "TZS", "RWF", "NGN", "ZAR", "USD"]
    #: One of `GET /api/methods`.
    method: Literal["mpesa", "mtn", "airtel", "paystack"]
    #: The phone that pays. Without it yours is taken.
    phone: NotRequired[str]
    #: For cards: where the provider sends its receipt. Without it yours is taken.
    email: NotRequired[str]


#: When the provider refused it at once.
class InitiateDepositDataFailure(TypedDict):
    code: Literal["insufficient_balance", "cancelled_by_customer", "phone_unreachable", "expired", "wrong_pin", "payment_in_progress", "payer_not_found", "payer_limit_reached", "recipient_not_found", "recipient_not_allowed", "amount_out_of_bounds", "duplicate_transaction", "provider_unavailable", "provider_config", "provider_error", "another_amount"]
    message: str


class InitiateDepositData(TypedDict):
    #: Short enough to read aloud.
    reference: str
    #: What becomes of it is in your history, under the reference.
    status: Literal["pending", "completed", "failed"]
    #: One of `GET /api/methods`.
    method: Literal["mpesa", "mtn", "airtel", "paystack"]
    amount: Money
    #: Three-letter code.
    currency: Literal["UGX", "KES", "TZS", "RWF", "NGN", "ZAR", "USD"]
    #: What to do next, in your language.
    instructions: str
    #: The provider's own page, where you pay: for cards.
    redirect_url: NotRequired[str]
    #: When the provider refused it at once.
    failure: NotRequired[InitiateDepositDataFailure]


class PreviewWithdrawalBody(TypedDict):
    #: What arrives at the provider. The fee leaves your wallet beside it.
    amount: Union[Money, str]
    #: Three-letter code.
    currency: Literal["UGX", "KES", "TZS", "RWF", "NGN", "ZAR", "USD"]
    #: One of `GET /api/methods`.
    method: Literal["mpesa", "mtn", "airtel", "paystack"]
    #: The phone that gets the money.
    phone: NotRequired[str]
    #: For methods that pay to a bank account: the code of the bank and the number.
    account: NotRequired[str]


class PreviewWithdrawalData(TypedDict):
    #: What arrives.
    amount: Money
    #: What leaves your wallet beside it.
    fee: Money
    #: What is held at once: both together.
    total: Money
    #: Three-letter code.
    currency: Literal["UGX", "KES", "TZS", "RWF", "NGN", "ZAR", "USD"]
    #: What you could still spend; negative when it does not suffice.
    balance_after: Money
    #: Is there enough in the wallet now?
    sufficient: bool


class WithdrawBody(TypedDict):
    #: What arrives at the provider. The fee leaves your wallet beside it.
    amount: Union[Money, str]
    #: Three-letter code.
    currency: Literal["UGX", "KES", "TZS", "RWF", "NGN", "ZAR", "USD"]
    #: One of `GET /api/methods`.
    method: Literal["mpesa", "mtn", "airtel", "paystack"]
    #: The phone that gets the money.
    phone: NotRequired[str]
    #: For methods that pay to a bank account: the code of the bank and the number.
    account: NotRequired[str]
    #: The transaction PIN, as text.
    pin: str


class WithdrawData(TypedDict):
    #: Short enough to read aloud.
    reference: str
    #: What becomes of it is in your history, under the reference.
    status: Literal["pending", "completed", "failed"]
    #: One of `GET /api/methods`.
    method: Literal["mpesa", "mtn", "airtel", "paystack"]
    #: What arrives.
    amount: Money
    #: What leaves your wallet beside it.
    fee: Money
    #: Three-letter code.
    currency: Literal["UGX", "KES", "TZS", "RWF", "NGN", "ZAR", "USD"]
    #: What to do next, in your language.
    instructions: str


class CreateCampaignBody(TypedDict):
    #: Fixed once somebody has contributed.
    title: str
    #: What the money is for. Plain text; empty lines part paragraphs.
    story: str
    #: Three-letter code.
    currency: Literal["UGX", "KES", "TZS", "RWF", "NGN", "ZAR", "USD"]
    #: What is to be raised. It may become more.
    goal_amount: Union[Money, str]
    #: Nobody can contribute from then on; within a year. ISO 8601.
    ends_at: NotRequired[str]
    #: Default: `other`.
    category: NotRequired[Literal["business", "community", "education", "emergency", "environment", "faith", "family", "health", "memorial", "other"]]
    #: A picture, by https. It is shown from where it is.
    cover_url: NotRequired[str]


#: By an operator: nobody can contribute, and nothing can be taken out.
class CreateCampaignDataPaused(TypedDict):
    reason: str
    #: ISO 8601, UTC
    since: str


CreateCampaignDataReturned = CreateCampaignDataPaused


class CreateCampaignDataOwner(TypedDict):
    handle: str
    name: str


class CreateCampaignData(TypedDict):
    id: str
    title: str
    story: str
    category: Literal["business", "community", "education", "emergency", "environment", "faith", "family", "health", "memorial", "other"]
    cover_url: Optional[str]
    #: Three-letter code.
    currency: Literal["UGX", "KES", "TZS", "RWF", "NGN", "ZAR", "USD"]
    goal_amount: Money
    #: What came in, less what went back. What the owner has taken out still counts.
    raised_amount: Money
    #: Everybody once.
    contributor_count: int
    #: Whole percent of the goal; may be more than 100.
    progress: int
    #: Also a paused one is `active`: see `paused`.
    status: Literal["active", "ended"]
    paused: Optional[CreateCampaignDataPaused]
    returned: Optional[CreateCampaignDataReturned]
    owner: CreateCampaignDataOwner
    #: Its public page.
    url: str
    ends_at: Optional[str]
    #: ISO 8601, UTC
    created_at: str
    #: What can be taken out. Shown to its owner.
    balance: NotRequired[Money]
    #: With the fees. Shown to its owner.
    withdrawn_amount: NotRequired[Money]


class ListOwnCampaignsQuery(TypedDict):
    #: How many a page holds.
    limit: NotRequired[int]
    #: `meta.next_cursor` of the page before.
    cursor: NotRequired[str]


ListOwnCampaignsItemPaused = CreateCampaignDataPaused


ListOwnCampaignsItemReturned = CreateCampaignDataPaused


ListOwnCampaignsItemOwner = CreateCampaignDataOwner


class ListOwnCampaignsItem(TypedDict):
    id: str
    title: str
    story: str
    category: Literal["business", "community", "education", "emergency", "environment", "faith", "family", "health", "memorial", "other"]
    cover_url: Optional[str]
    #: Three-letter code.
    currency: Literal["UGX", "KES", "TZS", "RWF", "NGN", "ZAR", "USD"]
    goal_amount: Money
    #: What came in, less what went back. What the owner has taken out still counts.
    raised_amount: Money
    #: Everybody once.
    contributor_count: int
    #: Whole percent of the goal; may be more than 100.
    progress: int
    #: Also a paused one is `active`: see `paused`.
    status: Literal["active", "ended"]
    paused: Optional[ListOwnCampaignsItemPaused]
    returned: Optional[ListOwnCampaignsItemReturned]
    owner: ListOwnCampaignsItemOwner
    #: Its public page.
    url: str
    ends_at: Optional[str]
    #: ISO 8601, UTC
    created_at: str
    #: What can be taken out. Shown to its owner.
    balance: NotRequired[Money]
    #: With the fees. Shown to its owner.
    withdrawn_amount: NotRequired[Money]


class BrowseCampaignsQuery(TypedDict):
    #: How many a page holds.
    limit: NotRequired[int]
    #: `meta.next_cursor` of the page before.
    cursor: NotRequired[str]
    #: Words of the title or the story: all of them; the last one may go on.
    q: NotRequired[str]
    category: NotRequired[Literal["business", "community", "education", "emergency", "environment", "faith", "family", "health", "memorial", "other"]]
    #: Three-letter code.
    currency: NotRequired[Literal["UGX", "KES", "TZS", "RWF", "NGN", "ZAR", "USD"]]
    #: `ending`: soonest first. `most_funded`: by the part of the goal. Default: `newest`.
    sort: NotRequired[Literal["newest", "ending", "most_funded"]]


BrowseCampaignsItemPaused = CreateCampaignDataPaused


BrowseCampaignsItemReturned = CreateCampaignDataPaused


BrowseCampaignsItemOwner = CreateCampaignDataOwner


class BrowseCampaignsItem(TypedDict):
    id: str
    title: str
    story: str
    category: Literal["business", "community", "education", "emergency", "environment", "faith", "family", "health", "memorial", "other"]
    cover_url: Optional[str]
    #: Three-letter code.
    currency: Literal["UGX", "KES", "TZS", "RWF", "NGN", "ZAR", "USD"]
    goal_amount: Money
    #: What came in, less what went back. What the owner has taken out still counts.
    raised_amount: Money
    #: Everybody once.
    contributor_count: int
    #: Whole percent of the goal; may be more than 100.
    progress: int
    #: Also a paused one is `active`: see `paused`.
    status: Literal["active", "ended"]
    paused: Optional[BrowseCampaignsItemPaused]
    returned: Optional[BrowseCampaignsItemReturned]
    owner: BrowseCampaignsItemOwner
    #: Its public page.
    url: str
    ends_at: Optional[str]
    #: ISO 8601, UTC
    created_at: str


GetCampaignDataPaused = CreateCampaignDataPaused


GetCampaignDataReturned = CreateCampaignDataPaused


GetCampaignDataOwner = CreateCampaignDataOwner


class GetCampaignData(TypedDict):
    id: str
    title: str
    story: str
    category: Literal["business", "community", "education", "emergency", "environment", "faith", "family", "health", "memorial", "other"]
    cover_url: Optional[str]
    #: Three-letter code.
    currency: Literal["UGX", "KES", "TZS", "RWF", "NGN", "ZAR", "USD"]
    goal_amount: Money
    #: What came in, less what went back. What the owner has taken out still counts.
    raised_amount: Money
    #: Everybody once.
    contributor_count: int
    #: Whole percent of the goal; may be more than 100.
    progress: int
    #: Also a paused one is `active`: see `paused`.
    status: Literal["active", "ended"]
    paused: Optional[GetCampaignDataPaused]
    returned: Optional[GetCampaignDataReturned]
    owner: GetCampaignDataOwner
    #: Its public page.
    url: str
    ends_at: Optional[str]
    #: ISO 8601, UTC
    created_at: str
    #: What can be taken out. Shown to its owner.
    balance: NotRequired[Money]
    #: With the fees. Shown to its owner.
    withdrawn_amount: NotRequired[Money]


class ChangeCampaignBody(TypedDict):
    #: Fixed once somebody has contributed.
    title: NotRequired[str]
    #: What the money is for. Plain text; empty lines part paragraphs.
    story: NotRequired[str]
    goal_amount: NotRequired[Union[Money, str]]
    ends_at: NotRequired[Optional[str]]
    #: Default: `other`.
    category: NotRequired[Literal["business", "community", "education", "emergency", "environment", "faith", "family", "health", "memorial", "other"]]
    cover_url: NotRequired[Optional[str]]


ChangeCampaignDataPaused = CreateCampaignDataPaused


ChangeCampaignDataReturned = CreateCampaignDataPaused


ChangeCampaignDataOwner = CreateCampaignDataOwner


class ChangeCampaignData(TypedDict):
    id: str
    title: str
    story: str
    category: Literal["business", "community", "education", "emergency", "environment", "faith", "family", "health", "memorial", "other"]
    cover_url: Optional[str]
    #: Three-letter code.
    currency: Literal["UGX", "KES", "TZS", "RWF", "NGN", "ZAR", "USD"]
    goal_amount: Money
    #: What came in, less what went back. What the owner has taken out still counts.
    raised_amount: Money
    #: Everybody once.
    contributor_count: int
    #: Whole percent of the goal; may be more than 100.
    progress: int
    #: Also a paused one is `active`: see `paused`.
    status: Literal["active", "ended"]
    paused: Optional[ChangeCampaignDataPaused]
    returned: Optional[ChangeCampaignDataReturned]
    owner: ChangeCampaignDataOwner
    #: Its public page.
    url: str
    ends_at: Optional[str]
    #: ISO 8601, UTC
    created_at: str
    #: What can be taken out. Shown to its owner.
    balance: NotRequired[Money]
    #: With the fees. Shown to its owner.
    withdrawn_amount: NotRequired[Money]


EndCampaignDataPaused = CreateCampaignDataPaused


EndCampaignDataReturned = CreateCampaignDataPaused


EndCampaignDataOwner = CreateCampaignDataOwner


class EndCampaignData(TypedDict):
    id: str
    title: str
    story: str
    category: Literal["business", "community", "education", "emergency", "environment", "faith", "family", "health", "memorial", "other"]
    cover_url: Optional[str]
    #: Three-letter code.
    currency: Literal["UGX", "KES", "TZS", "RWF", "NGN", "ZAR", "USD"]
    goal_amount: Money
    #: What came in, less what went back. What the owner has taken out still counts.
    raised_amount: Money
    #: Everybody once.
    contributor_count: int
    #: Whole percent of the goal; may be more than 100.
    progress: int
    #: Also a paused one is `active`: see `paused`.
    status: Literal["active", "ended"]
    paused: Optional[EndCampaignDataPaused]
    returned: Optional[EndCampaignDataReturned]
    owner: EndCampaignDataOwner
    #: Its public page.
    url: str
    ends_at: Optional[str]
    #: ISO 8601, UTC
    created_at: str
    #: What can be taken out. Shown to its owner.
    balance: NotRequired[Money]
    #: With the fees. Shown to its owner.
    withdrawn_amount: NotRequired[Money]


class ContributeToCampaignBody(TypedDict):
    #: In the campaign's currency. All of it arrives.
    amount: Union[Money, str]
    #: The transaction PIN, as text.
    pin: str
    #: For everybody to see.
    message: NotRequired[str]
    #: Your name is shown to nobody but operators. The amount is.
    anonymous: NotRequired[bool]


class ContributeToCampaignDataCampaign(TypedDict):
    id: str
    title: str


class ContributeToCampaignData(TypedDict):
    reference: str
    campaign: ContributeToCampaignDataCampaign
    #: What left your wallet and has arrived.
    amount: Money
    #: Three-letter code.
    currency: Literal["UGX", "KES", "TZS", "RWF", "NGN", "ZAR", "USD"]
    #: Contributions are free.
    fee: Money
    message: Optional[str]
    anonymous: bool
    #: ISO 8601, UTC
    created_at: str


class WithdrawFromCampaignBody(TypedDict):
    #: The fee is taken from it. Default: all there is.
    amount: NotRequired[Union[Money, str]]
    #: The transaction PIN, as text.
    pin: str


class WithdrawFromCampaignData(TypedDict):
    reference: str
    #: What left the campaign.
    amount: Money
    #: Three-letter code.
    currency: Literal["UGX", "KES", "TZS", "RWF", "NGN", "ZAR", "USD"]
    fee: Money
    owner_gets: Money


class PreviewCampaignWithdrawalBody(TypedDict):
    #: The fee is taken from it. Default: all there is.
    amount: NotRequired[Union[Money, str]]


class PreviewCampaignWithdrawalData(TypedDict):
    #: What would leave the campaign.
    amount: Money
    #: Three-letter code.
    currency: Literal["UGX", "KES", "TZS", "RWF", "NGN", "ZAR", "USD"]
    fee: Money
    owner_gets: Money


ListContributionsQuery = ListOwnCampaignsQuery


class ListContributionsItem(TypedDict):
    name: Optional[str]
    amount: Money
    #: Three-letter code.
    currency: Literal["UGX", "KES", "TZS", "RWF", "NGN", "ZAR", "USD"]
    message: Optional[str]
    anonymous: bool
    #: What went back of it.
    returned_amount: Money
    #: ISO 8601, UTC
    created_at: str


ListCampaignUpdatesQuery = ListOwnCampaignsQuery


class ListCampaignUpdatesItem(TypedDict):
    id: str
    text: str
    #: ISO 8601, UTC
    created_at: str


class AddCampaignUpdateBody(TypedDict):
    #: News for everybody who looks at the campaign.
    text: str


AddCampaignUpdateData = ListCampaignUpdatesItem


class PreviewTransferBody(TypedDict):
    #: The recipient's handle.
    recipient: str
    #: What leaves your wallet. The fee is taken from it.
    amount: Union[Money, str]
    #: Three-letter code.
    currency: Literal["UGX", "KES", "TZS", "RWF", "NGN", "ZAR", "USD"]
    #: For both to see.
    note: NotRequired[str]


PreviewTransferDataRecipient = CreateCampaignDataOwner


class PreviewTransferData(TypedDict):
    #: What leaves your wallet.
    amount: Money
    #: Three-letter code.
    currency: Literal["UGX", "KES", "TZS", "RWF", "NGN", "ZAR", "USD"]
    #: What is taken from it.
    fee: Money
    recipient_gets: Money
    recipient: PreviewTransferDataRecipient
    #: What you could still spend; negative when it does not suffice.
    balance_after: Money
    #: Is there enough in the wallet now?
    sufficient: bool


class SendMoneyBody(TypedDict):
    #: The recipient's handle.
    recipient: str
    #: What leaves your wallet. The fee is taken from it.
    amount: Union[Money, str]
    #: Three-letter code.
    currency: Literal["UGX", "KES", "TZS", "RWF", "NGN", "ZAR", "USD"]
    #: For both to see.
    note: NotRequired[str]
    #: The transaction PIN, as text.
    pin: str


class SendMoneyData(TypedDict):
    #: Short enough to read aloud.
    reference: str
    #: What left your wallet.
    amount: Money
    #: Three-letter code.
    currency: Literal["UGX", "KES", "TZS", "RWF", "NGN", "ZAR", "USD"]
    fee: Money
    recipient_gets: Money


LookUpHandleData = CreateCampaignDataOwner


class ListRecentRecipientsItem(TypedDict):
    handle: str
    name: str
    #: ISO 8601, UTC
    last_sent_at: str


CreateMoneyRequestBody = TypedDict(
    "CreateMoneyRequestBody",
    {
        #: Who should pay.
        "from": "str",
        #: What leaves their wallet. The fee is taken from it.
        "amount": "Union[Money, str]",
        #: Three-letter code.
        "currency": "Literal[\"UGX\", \"KES\", \"TZS\", \"RWF\", \"NGN\", \"ZAR\", \"USD\"]",
        #: For both to see.
        "note": "NotRequired[str]",
    },
)


CreateMoneyRequestDataCounterparty = CreateCampaignDataOwner


class CreateMoneyRequestData(TypedDict):
    id: str
    #: `in`: you are asked to pay. `out`: you asked.
    direction: Literal["in", "out"]
    counterparty: CreateMoneyRequestDataCounterparty
    #: What leaves the wallet of the one who pays.
    amount: Money
    #: What is taken from it when it is paid.
    fee: Money
    #: Three-letter code.
    currency: Literal["UGX", "KES", "TZS", "RWF", "NGN", "ZAR", "USD"]
    note: Optional[str]
    status: Literal["pending", "paid", "declined", "cancelled", "expired"]
    #: Of the transfer that paid it.
    reference: Optional[str]
    #: ISO 8601, UTC
    created_at: str
    #: It can be paid until then.
    expires_at: str
    decided_at: Optional[str]


class ListMoneyRequestsQuery(TypedDict):
    #: How many a page holds.
    limit: NotRequired[int]
    #: `meta.next_cursor` of the page before.
    cursor: NotRequired[str]
    #: Only those you are asked for, or you asked for.
    direction: NotRequired[Literal["in", "out"]]
    status: NotRequired[Literal["pending", "paid", "declined", "cancelled", "expired"]]


ListMoneyRequestsItemCounterparty = CreateCampaignDataOwner


class ListMoneyRequestsItem(TypedDict):
    id: str
    #: `in`: you are asked to pay. `out`: you asked.
    direction: Literal["in", "out"]
    counterparty: ListMoneyRequestsItemCounterparty
    #: What leaves the wallet of the one who pays.
    amount: Money
    #: What is taken from it when it is paid.
    fee: Money
    #: Three-letter code.
    currency: Literal["UGX", "KES", "TZS", "RWF", "NGN", "ZAR", "USD"]
    note: Optional[str]
    status: Literal["pending", "paid", "declined", "cancelled", "expired"]
    #: Of the transfer that paid it.
    reference: Optional[str]
    #: ISO 8601, UTC
    created_at: str
    #: It can be paid until then.
    expires_at: str
    decided_at: Optional[str]


GetMoneyRequestDataCounterparty = CreateCampaignDataOwner


class GetMoneyRequestData(TypedDict):
    id: str
    #: `in`: you are asked to pay. `out`: you asked.
    direction: Literal["in", "out"]
    counterparty: GetMoneyRequestDataCounterparty
    #: What leaves the wallet of the one who pays.
    amount: Money
    #: What is taken from it when it is paid.
    fee: Money
    #: Three-letter code.
    currency: Literal["UGX", "KES", "TZS", "RWF", "NGN", "ZAR", "USD"]
    note: Optional[str]
    status: Literal["pending", "paid", "declined", "cancelled", "expired"]
    #: Of the transfer that paid it.
    reference: Optional[str]
    #: ISO 8601, UTC
    created_at: str
    #: It can be paid until then.
    expires_at: str
    decided_at: Optional[str]


class PayMoneyRequestBody(TypedDict):
    #: The transaction PIN, as text.
    pin: str


PayMoneyRequestDataCounterparty = CreateCampaignDataOwner


class PayMoneyRequestData(TypedDict):
    id: str
    #: `in`: you are asked to pay. `out`: you asked.
    direction: Literal["in", "out"]
    counterparty: PayMoneyRequestDataCounterparty
    #: What leaves the wallet of the one who pays.
    amount: Money
    #: What is taken from it when it is paid.
    fee: Money
    #: Three-letter code.
    currency: Literal["UGX", "KES", "TZS", "RWF", "NGN", "ZAR", "USD"]
    note: Optional[str]
    status: Literal["pending", "paid", "declined", "cancelled", "expired"]
    #: Of the transfer that paid it.
    reference: Optional[str]
    #: ISO 8601, UTC
    created_at: str
    #: It can be paid until then.
    expires_at: str
    decided_at: Optional[str]


DeclineMoneyRequestDataCounterparty = CreateCampaignDataOwner


class DeclineMoneyRequestData(TypedDict):
    id: str
    #: `in`: you are asked to pay. `out`: you asked.
    direction: Literal["in", "out"]
    counterparty: DeclineMoneyRequestDataCounterparty
    #: What leaves the wallet of the one who pays.
    amount: Money
    #: What is taken from it when it is paid.
    fee: Money
    #: Three-letter code.
    currency: Literal["UGX", "KES", "TZS", "RWF", "NGN", "ZAR", "USD"]
    note: Optional[str]
    status: Literal["pending", "paid", "declined", "cancelled", "expired"]
    #: Of the transfer that paid it.
    reference: Optional[str]
    #: ISO 8601, UTC
    created_at: str
    #: It can be paid until then.
    expires_at: str
    decided_at: Optional[str]


CancelMoneyRequestDataCounterparty = CreateCampaignDataOwner


class CancelMoneyRequestData(TypedDict):
    id: str
    #: `in`: you are asked to pay. `out`: you asked.
    direction: Literal["in", "out"]
    counterparty: CancelMoneyRequestDataCounterparty
    #: What leaves the wallet of the one who pays.
    amount: Money
    #: What is taken from it when it is paid.
    fee: Money
    #: Three-letter code.
    currency: Literal["UGX", "KES", "TZS", "RWF", "NGN", "ZAR", "USD"]
    note: Optional[str]
    status: Literal["pending", "paid", "declined", "cancelled", "expired"]
    #: Of the transfer that paid it.
    reference: Optional[str]
    #: ISO 8601, UTC
    created_at: str
    #: It can be paid until then.
    expires_at: str
    decided_at: Optional[str]


class ShowSecondFactorBody(TypedDict):
    #: The six digits that the app shows.
    code: str


class ShowSecondFactorData(TypedDict):
    #: ISO 8601, UTC.
    open_until: str


class CreateGroupBody(TypedDict):
    #: What members call it.
    name: str
    #: What it is for.
    description: NotRequired[str]
    #: Three-letter code.
    currency: Literal["UGX", "KES", "TZS", "RWF", "NGN", "ZAR", "USD"]
    #: `rotating`: each cycle everybody pays the same and one gets the pot. `goal`: everybody gives what they can, and members decide together what it is spent on.
    kind: Literal["rotating", "goal"]
    #: Rotating: what each pays in a cycle. Goal: the least that may be given at once.
    contribution_amount: NotRequired[Union[Money, str]]
    #: Of the cycles of a rotating group.
    frequency: NotRequired[Literal["weekly", "monthly"]]
    #: Of a goal group.
    goal_amount: NotRequired[Union[Money, str]]
    #: What who pays late pays beside the contribution. It is kept in the pot: who waited for it gets it.
    late_fine: NotRequired[Union[Money, str]]
    #: 30 if not said otherwise.
    max_members: NotRequired[int]
    #: `public`: everybody can find it and join. `private`: only with the invitation code.
    visibility: Literal["private", "public"]
    #: Where its days end; if not said, where its currency is at home.
    time_zone: NotRequired[str]


CreateGroupDataCyclePaidBy = CreateCampaignDataOwner


CreateGroupDataCycleNextPayoutTo = CreateCampaignDataOwner


class CreateGroupDataCycle(TypedDict):
    number: int
    round: int
    #: How many cycles the round has: one for each who takes part.
    of: int
    #: The end of the day in the time zone of the group.
    due_at: str
    #: Is that over?
    late: bool
    #: For whom it is paid, the first first.
    paid_by: List[CreateGroupDataCyclePaidBy]
    next_payout_to: Optional[CreateGroupDataCycleNextPayoutTo]
    your_due: Optional[Money]


class CreateGroupData(TypedDict):
    id: str
    name: str
    description: Optional[str]
    #: Three-letter code.
    currency: Literal["UGX", "KES", "TZS", "RWF", "NGN", "ZAR", "USD"]
    kind: Literal["rotating", "goal"]
    contribution_amount: Optional[Money]
    frequency: Optional[Literal["weekly", "monthly"]]
    goal_amount: Optional[Money]
    late_fine: Optional[Money]
    time_zone: str
    #: What is in the pot, as the ledger has it.
    balance: Money
    member_count: int
    max_members: int
    visibility: Literal["private", "public"]
    role: Optional[Literal["chair", "treasurer", "member"]]
    cycle: Optional[CreateGroupDataCycle]
    #: For members.
    invite_code: NotRequired[str]
    #: For members: the code as a link.
    invite_url: NotRequired[str]
    #: ISO 8601, UTC
    created_at: str


class ListGroupsQuery(TypedDict):
    #: How many a page holds.
    limit: NotRequired[int]
    #: `meta.next_cursor` of the page before.
    cursor: NotRequired[str]
    #: `mine` (if not said otherwise), or public ones that you could join.
    scope: NotRequired[Literal["mine", "discover"]]
    #: Three-letter code.
    currency: NotRequired[Literal["UGX", "KES", "TZS", "RWF", "NGN", "ZAR", "USD"]]
    kind: NotRequired[Literal["rotating", "goal"]]


ListGroupsItemCyclePaidBy = CreateCampaignDataOwner


ListGroupsItemCycleNextPayoutTo = CreateCampaignDataOwner


class ListGroupsItemCycle(TypedDict):
    number: int
    round: int
    #: How many cycles the round has: one for each who takes part.
    of: int
    #: The end of the day in the time zone of the group.
    due_at: str
    #: Is that over?
    late: bool
    #: For whom it is paid, the first first.
    paid_by: List[ListGroupsItemCyclePaidBy]
    next_payout_to: Optional[ListGroupsItemCycleNextPayoutTo]
    your_due: Optional[Money]


class ListGroupsItem(TypedDict):
    id: str
    name: str
    description: Optional[str]
    #: Three-letter code.
    currency: Literal["UGX", "KES", "TZS", "RWF", "NGN", "ZAR", "USD"]
    kind: Literal["rotating", "goal"]
    contribution_amount: Optional[Money]
    frequency: Optional[Literal["weekly", "monthly"]]
    goal_amount: Optional[Money]
    late_fine: Optional[Money]
    time_zone: str
    #: What is in the pot, as the ledger has it.
    balance: Money
    member_count: int
    max_members: int
    visibility: Literal["private", "public"]
    role: Optional[Literal["chair", "treasurer", "member"]]
    cycle: Optional[ListGroupsItemCycle]
    #: For members.
    invite_code: NotRequired[str]
    #: For members: the code as a link.
    invite_url: NotRequired[str]
    #: ISO 8601, UTC
    created_at: str


class ChangeGroupBody(TypedDict):
    #: What members call it.
    name: NotRequired[str]
    #: What it is for.
    description: NotRequired[str]
    visibility: NotRequired[Literal["private", "public"]]
    #: 30 if not said otherwise.
    max_members: NotRequired[int]
    #: From the next round on; 0 for none.
    late_fine: NotRequired[Union[Money, str]]


ChangeGroupDataCyclePaidBy = CreateCampaignDataOwner


ChangeGroupDataCycleNextPayoutTo = CreateCampaignDataOwner


class ChangeGroupDataCycle(TypedDict):
    number: int
    round: int
    #: How many cycles the round has: one for each who takes part.
    of: int
    #: The end of the day in the time zone of the group.
    due_at: str
    #: Is that over?
    late: bool
    #: For whom it is paid, the first first.
    paid_by: List[ChangeGroupDataCyclePaidBy]
    next_payout_to: Optional[ChangeGroupDataCycleNextPayoutTo]
    your_due: Optional[Money]


class ChangeGroupData(TypedDict):
    id: str
    name: str
    description: Optional[str]
    #: Three-letter code.
    currency: Literal["UGX", "KES", "TZS", "RWF", "NGN", "ZAR", "USD"]
    kind: Literal["rotating", "goal"]
    contribution_amount: Optional[Money]
    frequency: Optional[Literal["weekly", "monthly"]]
    goal_amount: Optional[Money]
    late_fine: Optional[Money]
    time_zone: str
    #: What is in the pot, as the ledger has it.
    balance: Money
    member_count: int
    max_members: int
    visibility: Literal["private", "public"]
    role: Optional[Literal["chair", "treasurer", "member"]]
    cycle: Optional[ChangeGroupDataCycle]
    #: For members.
    invite_code: NotRequired[str]
    #: For members: the code as a link.
    invite_url: NotRequired[str]
    #: ISO 8601, UTC
    created_at: str


GetGroupDataCyclePaidBy = CreateCampaignDataOwner


GetGroupDataCycleNextPayoutTo = CreateCampaignDataOwner


class GetGroupDataCycle(TypedDict):
    number: int
    round: int
    #: How many cycles the round has: one for each who takes part.
    of: int
    #: The end of the day in the time zone of the group.
    due_at: str
    #: Is that over?
    late: bool
    #: For whom it is paid, the first first.
    paid_by: List[GetGroupDataCyclePaidBy]
    next_payout_to: Optional[GetGroupDataCycleNextPayoutTo]
    your_due: Optional[Money]


class GetGroupDataMembers(TypedDict):
    handle: str
    name: str
    role: Literal["chair", "treasurer", "member"]
    #: ISO 8601, UTC
    joined_at: str
    turn: Optional[int]
    has_received: Optional[bool]
    has_paid: Optional[bool]
    late: bool


GetGroupDataRoundSeatsMember = CreateCampaignDataOwner


GetGroupDataRoundSeatsOfferedTo = CreateCampaignDataOwner


class GetGroupDataRoundSeats(TypedDict):
    turn: int
    member: GetGroupDataRoundSeatsMember
    status: Literal["waiting", "received", "left"]
    received_in_cycle: Optional[int]
    offered_to: Optional[GetGroupDataRoundSeatsOfferedTo]


class GetGroupDataRoundDrawWords(TypedDict):
    handle: str
    word: str


class GetGroupDataRoundDraw(TypedDict):
    #: SHA-256 of the seed, published before the start.
    commitment: str
    seed: Optional[str]
    words: List[GetGroupDataRoundDrawWords]


class GetGroupDataRound(TypedDict):
    number: int
    status: Literal["announced", "open", "done", "dissolved"]
    order: Optional[Literal["join", "draw", "hand"]]
    cycle: Optional[int]
    due_at: Optional[str]
    #: In the order in which they receive.
    seats: List[GetGroupDataRoundSeats]
    draw: Optional[GetGroupDataRoundDraw]
    announced_at: Optional[str]
    started_at: Optional[str]
    ended_at: Optional[str]


GetGroupDataDebtsFrom = CreateCampaignDataOwner


GetGroupDataDebtsTo = CreateCampaignDataOwner


GetGroupDataDebts = TypedDict(
    "GetGroupDataDebts",
    {
        "from": "GetGroupDataDebtsFrom",
        "to": "GetGroupDataDebtsTo",
        #: What is left of it.
        "amount": "Money",
        #: `missed`: a contribution that did not come. `left`: what is given back to who left before their turn.
        "why": "Literal[\"missed\", \"left\"]",
        "round": "int",
    },
)


GetGroupDataFeedBy = CreateCampaignDataOwner


GetGroupDataFeedMember = CreateCampaignDataOwner


class GetGroupDataFeed(TypedDict):
    #: What happened: `contributed`, `pot`, `joined`, …
    type: str
    by: Optional[GetGroupDataFeedBy]
    member: Optional[GetGroupDataFeedMember]
    amount: Optional[Money]
    fine: Optional[Money]
    round: Optional[int]
    cycle: Optional[int]
    note: Optional[str]
    reference: Optional[str]
    entry: Optional[int]
    #: ISO 8601, UTC
    created_at: str


class GetGroupData(TypedDict):
    id: str
    name: str
    description: Optional[str]
    #: Three-letter code.
    currency: Literal["UGX", "KES", "TZS", "RWF", "NGN", "ZAR", "USD"]
    kind: Literal["rotating", "goal"]
    contribution_amount: Optional[Money]
    frequency: Optional[Literal["weekly", "monthly"]]
    goal_amount: Optional[Money]
    late_fine: Optional[Money]
    time_zone: str
    #: What is in the pot, as the ledger has it.
    balance: Money
    member_count: int
    max_members: int
    visibility: Literal["private", "public"]
    role: Optional[Literal["chair", "treasurer", "member"]]
    cycle: Optional[GetGroupDataCycle]
    #: For members.
    invite_code: NotRequired[str]
    #: For members: the code as a link.
    invite_url: NotRequired[str]
    #: ISO 8601, UTC
    created_at: str
    #: For members, in the order of joining.
    members: NotRequired[List[GetGroupDataMembers]]
    round: NotRequired[Optional[GetGroupDataRound]]
    #: What members owe each other.
    debts: NotRequired[List[GetGroupDataDebts]]
    #: What happened lately, the newest first.
    feed: NotRequired[List[GetGroupDataFeed]]


class JoinGroupBody(TypedDict):
    #: As it was told; dashes, spaces and case do not matter.
    invite_code: NotRequired[str]


JoinGroupDataCyclePaidBy = CreateCampaignDataOwner


JoinGroupDataCycleNextPayoutTo = CreateCampaignDataOwner


class JoinGroupDataCycle(TypedDict):
    number: int
    round: int
    #: How many cycles the round has: one for each who takes part.
    of: int
    #: The end of the day in the time zone of the group.
    due_at: str
    #: Is that over?
    late: bool
    #: For whom it is paid, the first first.
    paid_by: List[JoinGroupDataCyclePaidBy]
    next_payout_to: Optional[JoinGroupDataCycleNextPayoutTo]
    your_due: Optional[Money]


JoinGroupDataMembers = GetGroupDataMembers


JoinGroupDataRoundSeatsMember = CreateCampaignDataOwner


JoinGroupDataRoundSeatsOfferedTo = CreateCampaignDataOwner


class JoinGroupDataRoundSeats(TypedDict):
    turn: int
    member: JoinGroupDataRoundSeatsMember
    status: Literal["waiting", "received", "left"]
    received_in_cycle: Optional[int]
    offered_to: Optional[JoinGroupDataRoundSeatsOfferedTo]


JoinGroupDataRoundDrawWords = GetGroupDataRoundDrawWords


class JoinGroupDataRoundDraw(TypedDict):
    #: SHA-256 of the seed, published before the start.
    commitment: str
    seed: Optional[str]
    words: List[JoinGroupDataRoundDrawWords]


class JoinGroupDataRound(TypedDict):
    number: int
    status: Literal["announced", "open", "done", "dissolved"]
    order: Optional[Literal["join", "draw", "hand"]]
    cycle: Optional[int]
    due_at: Optional[str]
    #: In the order in which they receive.
    seats: List[JoinGroupDataRoundSeats]
    draw: Optional[JoinGroupDataRoundDraw]
    announced_at: Optional[str]
    started_at: Optional[str]
    ended_at: Optional[str]


JoinGroupDataDebtsFrom = CreateCampaignDataOwner


JoinGroupDataDebtsTo = CreateCampaignDataOwner


JoinGroupDataDebts = TypedDict(
    "JoinGroupDataDebts",
    {
        "from": "JoinGroupDataDebtsFrom",
        "to": "JoinGroupDataDebtsTo",
        #: What is left of it.
        "amount": "Money",
        #: `missed`: a contribution that did not come. `left`: what is given back to who left before their turn.
        "why": "Literal[\"missed\", \"left\"]",
        "round": "int",
    },
)


JoinGroupDataFeedBy = CreateCampaignDataOwner


JoinGroupDataFeedMember = CreateCampaignDataOwner


class JoinGroupDataFeed(TypedDict):
    #: What happened: `contributed`, `pot`, `joined`, …
    type: str
    by: Optional[JoinGroupDataFeedBy]
    member: Optional[JoinGroupDataFeedMember]
    amount: Optional[Money]
    fine: Optional[Money]
    round: Optional[int]
    cycle: Optional[int]
    note: Optional[str]
    reference: Optional[str]
    entry: Optional[int]
    #: ISO 8601, UTC
    created_at: str


class JoinGroupData(TypedDict):
    id: str
    name: str
    description: Optional[str]
    #: Three-letter code.
    currency: Literal["UGX", "KES", "TZS", "RWF", "NGN", "ZAR", "USD"]
    kind: Literal["rotating", "goal"]
    contribution_amount: Optional[Money]
    frequency: Optional[Literal["weekly", "monthly"]]
    goal_amount: Optional[Money]
    late_fine: Optional[Money]
    time_zone: str
    #: What is in the pot, as the ledger has it.
    balance: Money
    member_count: int
    max_members: int
    visibility: Literal["private", "public"]
    role: Optional[Literal["chair", "treasurer", "member"]]
    cycle: Optional[JoinGroupDataCycle]
    #: For members.
    invite_code: NotRequired[str]
    #: For members: the code as a link.
    invite_url: NotRequired[str]
    #: ISO 8601, UTC
    created_at: str
    #: For members, in the order of joining.
    members: NotRequired[List[JoinGroupDataMembers]]
    round: NotRequired[Optional[JoinGroupDataRound]]
    #: What members owe each other.
    debts: NotRequired[List[JoinGroupDataDebts]]
    #: What happened lately, the newest first.
    feed: NotRequired[List[JoinGroupDataFeed]]


class JoinGroupByCodeBody(TypedDict):
    #: As it was told; dashes, spaces and case do not matter.
    invite_code: str


JoinGroupByCodeDataCyclePaidBy = CreateCampaignDataOwner


JoinGroupByCodeDataCycleNextPayoutTo = CreateCampaignDataOwner


class JoinGroupByCodeDataCycle(TypedDict):
    number: int
    round: int
    #: How many cycles the round has: one for each who takes part.
    of: int
    #: The end of the day in the time zone of the group.
    due_at: str
    #: Is that over?
    late: bool
    #: For whom it is paid, the first first.
    paid_by: List[JoinGroupByCodeDataCyclePaidBy]
    next_payout_to: Optional[JoinGroupByCodeDataCycleNextPayoutTo]
    your_due: Optional[Money]


JoinGroupByCodeDataMembers = GetGroupDataMembers


JoinGroupByCodeDataRoundSeatsMember = CreateCampaignDataOwner


JoinGroupByCodeDataRoundSeatsOfferedTo = CreateCampaignDataOwner


class JoinGroupByCodeDataRoundSeats(TypedDict):
    turn: int
    member: JoinGroupByCodeDataRoundSeatsMember
    status: Literal["waiting", "received", "left"]
    received_in_cycle: Optional[int]
    offered_to: Optional[JoinGroupByCodeDataRoundSeatsOfferedTo]


JoinGroupByCodeDataRoundDrawWords = GetGroupDataRoundDrawWords


class JoinGroupByCodeDataRoundDraw(TypedDict):
    #: SHA-256 of the seed, published before the start.
    commitment: str
    seed: Optional[str]
    words: List[JoinGroupByCodeDataRoundDrawWords]


class JoinGroupByCodeDataRound(TypedDict):
    number: int
    status: Literal["announced", "open", "done", "dissolved"]
    order: Optional[Literal["join", "draw", "hand"]]
    cycle: Optional[int]
    due_at: Optional[str]
    #: In the order in which they receive.
    seats: List[JoinGroupByCodeDataRoundSeats]
    draw: Optional[JoinGroupByCodeDataRoundDraw]
    announced_at: Optional[str]
    started_at: Optional[str]
    ended_at: Optional[str]


JoinGroupByCodeDataDebtsFrom = CreateCampaignDataOwner


JoinGroupByCodeDataDebtsTo = CreateCampaignDataOwner


JoinGroupByCodeDataDebts = TypedDict(
    "JoinGroupByCodeDataDebts",
    {
        "from": "JoinGroupByCodeDataDebtsFrom",
        "to": "JoinGroupByCodeDataDebtsTo",
        #: What is left of it.
        "amount": "Money",
        #: `missed`: a contribution that did not come. `left`: what is given back to who left before their turn.
        "why": "Literal[\"missed\", \"left\"]",
        "round": "int",
    },
)


JoinGroupByCodeDataFeedBy = CreateCampaignDataOwner


JoinGroupByCodeDataFeedMember = CreateCampaignDataOwner


class JoinGroupByCodeDataFeed(TypedDict):
    #: What happened: `contributed`, `pot`, `joined`, …
    type: str
    by: Optional[JoinGroupByCodeDataFeedBy]
    member: Optional[JoinGroupByCodeDataFeedMember]
    amount: Optional[Money]
    fine: Optional[Money]
    round: Optional[int]
    cycle: Optional[int]
    note: Optional[str]
    reference: Optional[str]
    entry: Optional[int]
    #: ISO 8601, UTC
    created_at: str


class JoinGroupByCodeData(TypedDict):
    id: str
    name: str
    description: Optional[str]
    #: Three-letter code.
    currency: Literal["UGX", "KES", "TZS", "RWF", "NGN", "ZAR", "USD"]
    kind: Literal["rotating", "goal"]
    contribution_amount: Optional[Money]
    frequency: Optional[Literal["weekly", "monthly"]]
    goal_amount: Optional[Money]
    late_fine: Optional[Money]
    time_zone: str
    #: What is in the pot, as the ledger has it.
    balance: Money
    member_count: int
    max_members: int
    visibility: Literal["private", "public"]
    role: Optional[Literal["chair", "treasurer", "member"]]
    cycle: Optional[JoinGroupByCodeDataCycle]
    #: For members.
    invite_code: NotRequired[str]
    #: For members: the code as a link.
    invite_url: NotRequired[str]
    #: ISO 8601, UTC
    created_at: str
    #: For members, in the order of joining.
    members: NotRequired[List[JoinGroupByCodeDataMembers]]
    round: NotRequired[Optional[JoinGroupByCodeDataRound]]
    #: What members owe each other.
    debts: NotRequired[List[JoinGroupByCodeDataDebts]]
    #: What happened lately, the newest first.
    feed: NotRequired[List[JoinGroupByCodeDataFeed]]


class ChangeGroupRoleBody(TypedDict):
    role: Literal["chair", "treasurer", "member"]


ChangeGroupRoleDataCyclePaidBy = CreateCampaignDataOwner


ChangeGroupRoleDataCycleNextPayoutTo = CreateCampaignDataOwner


class ChangeGroupRoleDataCycle(TypedDict):
    number: int
    round: int
    #: How many cycles the round has: one for each who takes part.
    of: int
    #: The end of the day in the time zone of the group.
    due_at: str
    #: Is that over?
    late: bool
    #: For whom it is paid, the first first.
    paid_by: List[ChangeGroupRoleDataCyclePaidBy]
    next_payout_to: Optional[ChangeGroupRoleDataCycleNextPayoutTo]
    your_due: Optional[Money]


ChangeGroupRoleDataMembers = GetGroupDataMembers


ChangeGroupRoleDataRoundSeatsMember = CreateCampaignDataOwner


ChangeGroupRoleDataRoundSeatsOfferedTo = CreateCampaignDataOwner


class ChangeGroupRoleDataRoundSeats(TypedDict):
    turn: int
    member: ChangeGroupRoleDataRoundSeatsMember
    status: Literal["waiting", "received", "left"]
    received_in_cycle: Optional[int]
    offered_to: Optional[ChangeGroupRoleDataRoundSeatsOfferedTo]


ChangeGroupRoleDataRoundDrawWords = GetGroupDataRoundDrawWords


class ChangeGroupRoleDataRoundDraw(TypedDict):
    #: SHA-256 of the seed, published before the start.
    commitment: str
    seed: Optional[str]
    words: List[ChangeGroupRoleDataRoundDrawWords]


class ChangeGroupRoleDataRound(TypedDict):
    number: int
    status: Literal["announced", "open", "done", "dissolved"]
    order: Optional[Literal["join", "draw", "hand"]]
    cycle: Optional[int]
    due_at: Optional[str]
    #: In the order in which they receive.
    seats: List[ChangeGroupRoleDataRoundSeats]
    draw: Optional[ChangeGroupRoleDataRoundDraw]
    announced_at: Optional[str]
    started_at: Optional[str]
    ended_at: Optional[str]


ChangeGroupRoleDataDebtsFrom = CreateCampaignDataOwner


ChangeGroupRoleDataDebtsTo = CreateCampaignDataOwner


ChangeGroupRoleDataDebts = TypedDict(
    "ChangeGroupRoleDataDebts",
    {
        "from": "ChangeGroupRoleDataDebtsFrom",
        "to": "ChangeGroupRoleDataDebtsTo",
        #: What is left of it.
        "amount": "Money",
        #: `missed`: a contribution that did not come. `left`: what is given back to who left before their turn.
        "why": "Literal[\"missed\", \"left\"]",
        "round": "int",
    },
)


ChangeGroupRoleDataFeedBy = CreateCampaignDataOwner


ChangeGroupRoleDataFeedMember = CreateCampaignDataOwner


class ChangeGroupRoleDataFeed(TypedDict):
    #: What happened: `contributed`, `pot`, `joined`, …
    type: str
    by: Optional[ChangeGroupRoleDataFeedBy]
    member: Optional[ChangeGroupRoleDataFeedMember]
    amount: Optional[Money]
    fine: Optional[Money]
    round: Optional[int]
    cycle: Optional[int]
    note: Optional[str]
    reference: Optional[str]
    entry: Optional[int]
    #: ISO 8601, UTC
    created_at: str


class ChangeGroupRoleData(TypedDict):
    id: str
    name: str
    description: Optional[str]
    #: Three-letter code.
    currency: Literal["UGX", "KES", "TZS", "RWF", "NGN", "ZAR", "USD"]
    kind: Literal["rotating", "goal"]
    contribution_amount: Optional[Money]
    frequency: Optional[Literal["weekly", "monthly"]]
    goal_amount: Optional[Money]
    late_fine: Optional[Money]
    time_zone: str
    #: What is in the pot, as the ledger has it.
    balance: Money
    member_count: int
    max_members: int
    visibility: Literal["private", "public"]
    role: Optional[Literal["chair", "treasurer", "member"]]
    cycle: Optional[ChangeGroupRoleDataCycle]
    #: For members.
    invite_code: NotRequired[str]
    #: For members: the code as a link.
    invite_url: NotRequired[str]
    #: ISO 8601, UTC
    created_at: str
    #: For members, in the order of joining.
    members: NotRequired[List[ChangeGroupRoleDataMembers]]
    round: NotRequired[Optional[ChangeGroupRoleDataRound]]
    #: What members owe each other.
    debts: NotRequired[List[ChangeGroupRoleDataDebts]]
    #: What happened lately, the newest first.
    feed: NotRequired[List[ChangeGroupRoleDataFeed]]


RemoveGroupMemberDataCyclePaidBy = CreateCampaignDataOwner


RemoveGroupMemberDataCycleNextPayoutTo = CreateCampaignDataOwner


class RemoveGroupMemberDataCycle(TypedDict):
    number: int
    round: int
    #: How many cycles the round has: one for each who takes part.
    of: int
    #: The end of the day in the time zone of the group.
    due_at: str
    #: Is that over?
    late: bool
    #: For whom it is paid, the first first.
    paid_by: List[RemoveGroupMemberDataCyclePaidBy]
    next_payout_to: Optional[RemoveGroupMemberDataCycleNextPayoutTo]
    your_due: Optional[Money]


RemoveGroupMemberDataMembers = GetGroupDataMembers


RemoveGroupMemberDataRoundSeatsMember = CreateCampaignDataOwner


RemoveGroupMemberDataRoundSeatsOfferedTo = CreateCampaignDataOwner


class RemoveGroupMemberDataRoundSeats(TypedDict):
    turn: int
    member: RemoveGroupMemberDataRoundSeatsMember
    status: Literal["waiting", "received", "left"]
    received_in_cycle: Optional[int]
    offered_to: Optional[RemoveGroupMemberDataRoundSeatsOfferedTo]


RemoveGroupMemberDataRoundDrawWords = GetGroupDataRoundDrawWords


class RemoveGroupMemberDataRoundDraw(TypedDict):
    #: SHA-256 of the seed, published before the start.
    commitment: str
    seed: Optional[str]
    words: List[RemoveGroupMemberDataRoundDrawWords]


class RemoveGroupMemberDataRound(TypedDict):
    number: int
    status: Literal["announced", "open", "done", "dissolved"]
    order: Optional[Literal["join", "draw", "hand"]]
    cycle: Optional[int]
    due_at: Optional[str]
    #: In the order in which they receive.
    seats: List[RemoveGroupMemberDataRoundSeats]
    draw: Optional[RemoveGroupMemberDataRoundDraw]
    announced_at: Optional[str]
    started_at: Optional[str]
    ended_at: Optional[str]


RemoveGroupMemberDataDebtsFrom = CreateCampaignDataOwner


RemoveGroupMemberDataDebtsTo = CreateCampaignDataOwner


RemoveGroupMemberDataDebts = TypedDict(
    "RemoveGroupMemberDataDebts",
    {
        "from": "RemoveGroupMemberDataDebtsFrom",
        "to": "RemoveGroupMemberDataDebtsTo",
        #: What is left of it.
        "amount": "Money",
        #: `missed`: a contribution that did not come. `left`: what is given back to who left before their turn.
        "why": "Literal[\"missed\", \"left\"]",
        "round": "int",
    },
)


RemoveGroupMemberDataFeedBy = CreateCampaignDataOwner


RemoveGroupMemberDataFeedMember = CreateCampaignDataOwner


class RemoveGroupMemberDataFeed(TypedDict):
    #: What happened: `contributed`, `pot`, `joined`, …
    type: str
    by: Optional[RemoveGroupMemberDataFeedBy]
    member: Optional[RemoveGroupMemberDataFeedMember]
    amount: Optional[Money]
    fine: Optional[Money]
    round: Optional[int]
    cycle: Optional[int]
    note: Optional[str]
    reference: Optional[str]
    entry: Optional[int]
    #: ISO 8601, UTC
    created_at: str


class RemoveGroupMemberData(TypedDict):
    id: str
    name: str
    description: Optional[str]
    #: Three-letter code.
    currency: Literal["UGX", "KES", "TZS", "RWF", "NGN", "ZAR", "USD"]
    kind: Literal["rotating", "goal"]
    contribution_amount: Optional[Money]
    frequency: Optional[Literal["weekly", "monthly"]]
    goal_amount: Optional[Money]
    late_fine: Optional[Money]
    time_zone: str
    #: What is in the pot, as the ledger has it.
    balance: Money
    member_count: int
    max_members: int
    visibility: Literal["private", "public"]
    role: Optional[Literal["chair", "treasurer", "member"]]
    cycle: Optional[RemoveGroupMemberDataCycle]
    #: For members.
    invite_code: NotRequired[str]
    #: For members: the code as a link.
    invite_url: NotRequired[str]
    #: ISO 8601, UTC
    created_at: str
    #: For members, in the order of joining.
    members: NotRequired[List[RemoveGroupMemberDataMembers]]
    round: NotRequired[Optional[RemoveGroupMemberDataRound]]
    #: What members owe each other.
    debts: NotRequired[List[RemoveGroupMemberDataDebts]]
    #: What happened lately, the newest first.
    feed: NotRequired[List[RemoveGroupMemberDataFeed]]


RenewGroupCodeDataCyclePaidBy = CreateCampaignDataOwner


RenewGroupCodeDataCycleNextPayoutTo = CreateCampaignDataOwner


class RenewGroupCodeDataCycle(TypedDict):
    number: int
    round: int
    #: How many cycles the round has: one for each who takes part.
    of: int
    #: The end of the day in the time zone of the group.
    due_at: str
    #: Is that over?
    late: bool
    #: For whom it is paid, the first first.
    paid_by: List[RenewGroupCodeDataCyclePaidBy]
    next_payout_to: Optional[RenewGroupCodeDataCycleNextPayoutTo]
    your_due: Optional[Money]


RenewGroupCodeDataMembers = GetGroupDataMembers


RenewGroupCodeDataRoundSeatsMember = CreateCampaignDataOwner


RenewGroupCodeDataRoundSeatsOfferedTo = CreateCampaignDataOwner


class RenewGroupCodeDataRoundSeats(TypedDict):
    turn: int
    member: RenewGroupCodeDataRoundSeatsMember
    status: Literal["waiting", "received", "left"]
    received_in_cycle: Optional[int]
    offered_to: Optional[RenewGroupCodeDataRoundSeatsOfferedTo]


RenewGroupCodeDataRoundDrawWords = GetGroupDataRoundDrawWords


class RenewGroupCodeDataRoundDraw(TypedDict):
    #: SHA-256 of the seed, published before the start.
    commitment: str
    seed: Optional[str]
    words: List[RenewGroupCodeDataRoundDrawWords]


class RenewGroupCodeDataRound(TypedDict):
    number: int
    status: Literal["announced", "open", "done", "dissolved"]
    order: Optional[Literal["join", "draw", "hand"]]
    cycle: Optional[int]
    due_at: Optional[str]
    #: In the order in which they receive.
    seats: List[RenewGroupCodeDataRoundSeats]
    draw: Optional[RenewGroupCodeDataRoundDraw]
    announced_at: Optional[str]
    started_at: Optional[str]
    ended_at: Optional[str]


RenewGroupCodeDataDebtsFrom = CreateCampaignDataOwner


RenewGroupCodeDataDebtsTo = CreateCampaignDataOwner


RenewGroupCodeDataDebts = TypedDict(
    "RenewGroupCodeDataDebts",
    {
        "from": "RenewGroupCodeDataDebtsFrom",
        "to": "RenewGroupCodeDataDebtsTo",
        #: What is left of it.
        "amount": "Money",
        #: `missed`: a contribution that did not come. `left`: what is given back to who left before their turn.
        "why": "Literal[\"missed\", \"left\"]",
        "round": "int",
    },
)


RenewGroupCodeDataFeedBy = CreateCampaignDataOwner


RenewGroupCodeDataFeedMember = CreateCampaignDataOwner


class RenewGroupCodeDataFeed(TypedDict):
    #: What happened: `contributed`, `pot`, `joined`, …
    type: str
    by: Optional[RenewGroupCodeDataFeedBy]
    member: Optional[RenewGroupCodeDataFeedMember]
    amount: Optional[Money]
    fine: Optional[Money]
    round: Optional[int]
    cycle: Optional[int]
    note: Optional[str]
    reference: Optional[str]
    entry: Optional[int]
    #: ISO 8601, UTC
    created_at: str


class RenewGroupCodeData(TypedDict):
    id: str
    name: str
    description: Optional[str]
    #: Three-letter code.
    currency: Literal["UGX", "KES", "TZS", "RWF", "NGN", "ZAR", "USD"]
    kind: Literal["rotating", "goal"]
    contribution_amount: Optional[Money]
    frequency: Optional[Literal["weekly", "monthly"]]
    goal_amount: Optional[Money]
    late_fine: Optional[Money]
    time_zone: str
    #: What is in the pot, as the ledger has it.
    balance: Money
    member_count: int
    max_members: int
    visibility: Literal["private", "public"]
    role: Optional[Literal["chair", "treasurer", "member"]]
    cycle: Optional[RenewGroupCodeDataCycle]
    #: For members.
    invite_code: NotRequired[str]
    #: For members: the code as a link.
    invite_url: NotRequired[str]
    #: ISO 8601, UTC
    created_at: str
    #: For members, in the order of joining.
    members: NotRequired[List[RenewGroupCodeDataMembers]]
    round: NotRequired[Optional[RenewGroupCodeDataRound]]
    #: What members owe each other.
    debts: NotRequired[List[RenewGroupCodeDataDebts]]
    #: What happened lately, the newest first.
    feed: NotRequired[List[RenewGroupCodeDataFeed]]


class ContributeToGroupBody(TypedDict):
    #: Rotating: exactly what is due. Goal: what you like to give.
    amount: Union[Money, str]
    #: The transaction PIN, as text.
    pin: str
    #: For all members to see.
    note: NotRequired[str]
    #: Of the member you pay for.
    on_behalf_of: NotRequired[str]
    #: Rotating: the open cycle, or what is owed from before. If not said, the cycle when that is due.
    toward: NotRequired[Literal["cycle", "debts"]]


class ContributeToGroupDataGroup(TypedDict):
    id: str
    name: str


ContributeToGroupDataMember = CreateCampaignDataOwner


ContributeToGroupDataPayoutTo = CreateCampaignDataOwner


#: It was the last one: the pot went out.
class ContributeToGroupDataPayout(TypedDict):
    to: ContributeToGroupDataPayoutTo
    amount: Money


class ContributeToGroupData(TypedDict):
    reference: str
    #: What left your wallet.
    amount: Money
    #: Of it, for being late.
    fine: Money
    #: Three-letter code.
    currency: Literal["UGX", "KES", "TZS", "RWF", "NGN", "ZAR", "USD"]
    group: ContributeToGroupDataGroup
    member: ContributeToGroupDataMember
    toward: Literal["cycle", "debts", "goal"]
    cycle: Optional[int]
    #: What is in the pot afterwards.
    balance: Money
    payout: Optional[ContributeToGroupDataPayout]


GetGroupFeedQuery = ListOwnCampaignsQuery


GetGroupFeedItemBy = CreateCampaignDataOwner


GetGroupFeedItemMember = CreateCampaignDataOwner


class GetGroupFeedItem(TypedDict):
    #: What happened: `contributed`, `pot`, `joined`, …
    type: str
    by: Optional[GetGroupFeedItemBy]
    member: Optional[GetGroupFeedItemMember]
    amount: Optional[Money]
    fine: Optional[Money]
    round: Optional[int]
    cycle: Optional[int]
    note: Optional[str]
    reference: Optional[str]
    entry: Optional[int]
    #: ISO 8601, UTC
    created_at: str


class GetGroupStatementQuery(TypedDict):
    #: How many a page holds.
    limit: NotRequired[int]
    #: `meta.next_cursor` of the page before.
    cursor: NotRequired[str]
    #: Another member; your own if not said.
    member: NotRequired[str]


GetGroupStatementDataMember = CreateCampaignDataOwner


GetGroupStatementDataMovementsBy = CreateCampaignDataOwner


GetGroupStatementDataMovementsMember = CreateCampaignDataOwner


class GetGroupStatementDataMovements(TypedDict):
    #: What happened: `contributed`, `pot`, `joined`, …
    type: str
    by: Optional[GetGroupStatementDataMovementsBy]
    member: Optional[GetGroupStatementDataMovementsMember]
    amount: Optional[Money]
    fine: Optional[Money]
    round: Optional[int]
    cycle: Optional[int]
    note: Optional[str]
    reference: Optional[str]
    entry: Optional[int]
    #: ISO 8601, UTC
    created_at: str


class GetGroupStatementData(TypedDict):
    member: GetGroupStatementDataMember
    #: Three-letter code.
    currency: Literal["UGX", "KES", "TZS", "RWF", "NGN", "ZAR", "USD"]
    #: Into the pot, fines and what was paid for others included.
    paid: Money
    #: Of that, for being late.
    fines: Money
    #: Of that, for other members.
    paid_for_others: Money
    #: Contributions that came back.
    returned: Money
    #: Pots, payouts, and what was owed.
    received: Money
    #: To other members, still.
    owes: Money
    #: By other members, still.
    is_owed: Money
    movements: List[GetGroupStatementDataMovements]


class GetGroupHeadData(TypedDict):
    format: Literal["mfuko-head-1"]
    group: str
    #: Three-letter code.
    currency: Literal["UGX", "KES", "TZS", "RWF", "NGN", "ZAR", "USD"]
    #: Of the ledger.
    account: str
    #: How many entries the account has.
    seq: str
    #: Of the latest entry: it covers all before it.
    hash: str
    #: In minor units.
    balance: str
    at: Optional[str]


class GetGroupReceiptQuery(TypedDict):
    #: Up to this entry; if not said, up to the latest.
    to: NotRequired[str]


class GetGroupReceiptDataEntryPosting(TypedDict):
    #: Of the ledger.
    id: str
    #: Since 1970, in milliseconds.
    time_ms: str
    kind: str
    #: The exact text that was hashed.
    details: str


class GetGroupReceiptDataEntry(TypedDict):
    #: Without gaps, from 1 on.
    seq: str
    #: In minor units; negative when it left the pot.
    amount: str
    #: In minor units.
    balance_after: str
    #: In minor units.
    held_after: str
    #: Of the entry before it.
    before: str
    #: In minor units.
    balance_before: str
    posting: GetGroupReceiptDataEntryPosting


class GetGroupReceiptDataLater(TypedDict):
    #: Without gaps, from 1 on.
    seq: str
    #: In minor units; negative when it left the pot.
    amount: str
    #: In minor units.
    balance_after: str
    #: In minor units.
    held_after: str
    #: Of its posting.
    digest: str


GetGroupReceiptDataHead = GetGroupHeadData


class GetGroupReceiptData(TypedDict):
    format: Literal["mfuko-receipt-1"]
    entry: GetGroupReceiptDataEntry
    later: List[GetGroupReceiptDataLater]
    head: GetGroupReceiptDataHead


AnnounceGroupDrawDataCyclePaidBy = CreateCampaignDataOwner


AnnounceGroupDrawDataCycleNextPayoutTo = CreateCampaignDataOwner


class AnnounceGroupDrawDataCycle(TypedDict):
    number: int
    round: int
    #: How many cycles the round has: one for each who takes part.
    of: int
    #: The end of the day in the time zone of the group.
    due_at: str
    #: Is that over?
    late: bool
    #: For whom it is paid, the first first.
    paid_by: List[AnnounceGroupDrawDataCyclePaidBy]
    next_payout_to: Optional[AnnounceGroupDrawDataCycleNextPayoutTo]
    your_due: Optional[Money]


AnnounceGroupDrawDataMembers = GetGroupDataMembers


AnnounceGroupDrawDataRoundSeatsMember = CreateCampaignDataOwner


AnnounceGroupDrawDataRoundSeatsOfferedTo = CreateCampaignDataOwner


class AnnounceGroupDrawDataRoundSeats(TypedDict):
    turn: int
    member: AnnounceGroupDrawDataRoundSeatsMember
    status: Literal["waiting", "received", "left"]
    received_in_cycle: Optional[int]
    offered_to: Optional[AnnounceGroupDrawDataRoundSeatsOfferedTo]


AnnounceGroupDrawDataRoundDrawWords = GetGroupDataRoundDrawWords


class AnnounceGroupDrawDataRoundDraw(TypedDict):
    #: SHA-256 of the seed, published before the start.
    commitment: str
    seed: Optional[str]
    words: List[AnnounceGroupDrawDataRoundDrawWords]


class AnnounceGroupDrawDataRound(TypedDict):
    number: int
    status: Literal["announced", "open", "done", "dissolved"]
    order: Optional[Literal["join", "draw", "hand"]]
    cycle: Optional[int]
    due_at: Optional[str]
    #: In the order in which they receive.
    seats: List[AnnounceGroupDrawDataRoundSeats]
    draw: Optional[AnnounceGroupDrawDataRoundDraw]
    announced_at: Optional[str]
    started_at: Optional[str]
    ended_at: Optional[str]


AnnounceGroupDrawDataDebtsFrom = CreateCampaignDataOwner


AnnounceGroupDrawDataDebtsTo = CreateCampaignDataOwner


AnnounceGroupDrawDataDebts = TypedDict(
    "AnnounceGroupDrawDataDebts",
    {
        "from": "AnnounceGroupDrawDataDebtsFrom",
        "to": "AnnounceGroupDrawDataDebtsTo",
        #: What is left of it.
        "amount": "Money",
        #: `missed`: a contribution that did not come. `left`: what is given back to who left before their turn.
        "why": "Literal[\"missed\", \"left\"]",
        "round": "int",
    },
)


AnnounceGroupDrawDataFeedBy = CreateCampaignDataOwner


AnnounceGroupDrawDataFeedMember = CreateCampaignDataOwner


class AnnounceGroupDrawDataFeed(TypedDict):
    #: What happened: `contributed`, `pot`, `joined`, …
    type: str
    by: Optional[AnnounceGroupDrawDataFeedBy]
    member: Optional[AnnounceGroupDrawDataFeedMember]
    amount: Optional[Money]
    fine: Optional[Money]
    round: Optional[int]
    cycle: Optional[int]
    note: Optional[str]
    reference: Optional[str]
    entry: Optional[int]
    #: ISO 8601, UTC
    created_at: str


class AnnounceGroupDrawData(TypedDict):
    id: str
    name: str
    description: Optional[str]
    #: Three-letter code.
    currency: Literal["UGX", "KES", "TZS", "RWF", "NGN", "ZAR", "USD"]
    kind: Literal["rotating", "goal"]
    contribution_amount: Optional[Money]
    frequency: Optional[Literal["weekly", "monthly"]]
    goal_amount: Optional[Money]
    late_fine: Optional[Money]
    time_zone: str
    #: What is in the pot, as the ledger has it.
    balance: Money
    member_count: int
    max_members: int
    visibility: Literal["private", "public"]
    role: Optional[Literal["chair", "treasurer", "member"]]
    cycle: Optional[AnnounceGroupDrawDataCycle]
    #: For members.
    invite_code: NotRequired[str]
    #: For members: the code as a link.
    invite_url: NotRequired[str]
    #: ISO 8601, UTC
    created_at: str
    #: For members, in the order of joining.
    members: NotRequired[List[AnnounceGroupDrawDataMembers]]
    round: NotRequired[Optional[AnnounceGroupDrawDataRound]]
    #: What members owe each other.
    debts: NotRequired[List[AnnounceGroupDrawDataDebts]]
    #: What happened lately, the newest first.
    feed: NotRequired[List[AnnounceGroupDrawDataFeed]]


AcceptGroupSeatDataCyclePaidBy = CreateCampaignDataOwner


AcceptGroupSeatDataCycleNextPayoutTo = CreateCampaignDataOwner


class AcceptGroupSeatDataCycle(TypedDict):
    number: int
    round: int
    #: How many cycles the round has: one for each who takes part.
    of: int
    #: The end of the day in the time zone of the group.
    due_at: str
    #: Is that over?
    late: bool
    #: For whom it is paid, the first first.
    paid_by: List[AcceptGroupSeatDataCyclePaidBy]
    next_payout_to: Optional[AcceptGroupSeatDataCycleNextPayoutTo]
    your_due: Optional[Money]


AcceptGroupSeatDataMembers = GetGroupDataMembers


AcceptGroupSeatDataRoundSeatsMember = CreateCampaignDataOwner


AcceptGroupSeatDataRoundSeatsOfferedTo = CreateCampaignDataOwner


class AcceptGroupSeatDataRoundSeats(TypedDict):
    turn: int
    member: AcceptGroupSeatDataRoundSeatsMember
    status: Literal["waiting", "received", "left"]
    received_in_cycle: Optional[int]
    offered_to: Optional[AcceptGroupSeatDataRoundSeatsOfferedTo]


AcceptGroupSeatDataRoundDrawWords = GetGroupDataRoundDrawWords


class AcceptGroupSeatDataRoundDraw(TypedDict):
    #: SHA-256 of the seed, published before the start.
    commitment: str
    seed: Optional[str]
    words: List[AcceptGroupSeatDataRoundDrawWords]


class AcceptGroupSeatDataRound(TypedDict):
    number: int
    status: Literal["announced", "open", "done", "dissolved"]
    order: Optional[Literal["join", "draw", "hand"]]
    cycle: Optional[int]
    due_at: Optional[str]
    #: In the order in which they receive.
    seats: List[AcceptGroupSeatDataRoundSeats]
    draw: Optional[AcceptGroupSeatDataRoundDraw]
    announced_at: Optional[str]
    started_at: Optional[str]
    ended_at: Optional[str]


AcceptGroupSeatDataDebtsFrom = CreateCampaignDataOwner


AcceptGroupSeatDataDebtsTo = CreateCampaignDataOwner


AcceptGroupSeatDataDebts = TypedDict(
    "AcceptGroupSeatDataDebts",
    {
        "from": "AcceptGroupSeatDataDebtsFrom",
        "to": "AcceptGroupSeatDataDebtsTo",
        #: What is left of it.
        "amount": "Money",
        #: `missed`: a contribution that did not come. `left`: what is given back to who left before their turn.
        "why": "Literal[\"missed\", \"left\"]",
        "round": "int",
    },
)


AcceptGroupSeatDataFeedBy = CreateCampaignDataOwner


AcceptGroupSeatDataFeedMember = CreateCampaignDataOwner


class AcceptGroupSeatDataFeed(TypedDict):
    #: What happened: `contributed`, `pot`, `joined`, …
    type: str
    by: Optional[AcceptGroupSeatDataFeedBy]
    member: Optional[AcceptGroupSeatDataFeedMember]
    amount: Optional[Money]
    fine: Optional[Money]
    round: Optional[int]
    cycle: Optional[int]
    note: Optional[str]
    reference: Optional[str]
    entry: Optional[int]
    #: ISO 8601, UTC
    created_at: str


class AcceptGroupSeatData(TypedDict):
    id: str
    name: str
    description: Optional[str]
    #: Three-letter code.
    currency: Literal["UGX", "KES", "TZS", "RWF", "NGN", "ZAR", "USD"]
    kind: Literal["rotating", "goal"]
    contribution_amount: Optional[Money]
    frequency: Optional[Literal["weekly", "monthly"]]
    goal_amount: Optional[Money]
    late_fine: Optional[Money]
    time_zone: str
    #: What is in the pot, as the ledger has it.
    balance: Money
    member_count: int
    max_members: int
    visibility: Literal["private", "public"]
    role: Optional[Literal["chair", "treasurer", "member"]]
    cycle: Optional[AcceptGroupSeatDataCycle]
    #: For members.
    invite_code: NotRequired[str]
    #: For members: the code as a link.
    invite_url: NotRequired[str]
    #: ISO 8601, UTC
    created_at: str
    #: For members, in the order of joining.
    members: NotRequired[List[AcceptGroupSeatDataMembers]]
    round: NotRequired[Optional[AcceptGroupSeatDataRound]]
    #: What members owe each other.
    debts: NotRequired[List[AcceptGroupSeatDataDebts]]
    #: What happened lately, the newest first.
    feed: NotRequired[List[AcceptGroupSeatDataFeed]]


CloseGroupCycleDataCyclePaidBy = CreateCampaignDataOwner


CloseGroupCycleDataCycleNextPayoutTo = CreateCampaignDataOwner


class CloseGroupCycleDataCycle(TypedDict):
    number: int
    round: int
    #: How many cycles the round has: one for each who takes part.
    of: int
    #: The end of the day in the time zone of the group.
    due_at: str
    #: Is that over?
    late: bool
    #: For whom it is paid, the first first.
    paid_by: List[CloseGroupCycleDataCyclePaidBy]
    next_payout_to: Optional[CloseGroupCycleDataCycleNextPayoutTo]
    your_due: Optional[Money]


CloseGroupCycleDataMembers = GetGroupDataMembers


CloseGroupCycleDataRoundSeatsMember = CreateCampaignDataOwner


CloseGroupCycleDataRoundSeatsOfferedTo = CreateCampaignDataOwner


class CloseGroupCycleDataRoundSeats(TypedDict):
    turn: int
    member: CloseGroupCycleDataRoundSeatsMember
    status: Literal["waiting", "received", "left"]
    received_in_cycle: Optional[int]
    offered_to: Optional[CloseGroupCycleDataRoundSeatsOfferedTo]


CloseGroupCycleDataRoundDrawWords = GetGroupDataRoundDrawWords


class CloseGroupCycleDataRoundDraw(TypedDict):
    #: SHA-256 of the seed, published before the start.
    commitment: str
    seed: Optional[str]
    words: List[CloseGroupCycleDataRoundDrawWords]


class CloseGroupCycleDataRound(TypedDict):
    number: int
    status: Literal["announced", "open", "done", "dissolved"]
    order: Optional[Literal["join", "draw", "hand"]]
    cycle: Optional[int]
    due_at: Optional[str]
    #: In the order in which they receive.
    seats: List[CloseGroupCycleDataRoundSeats]
    draw: Optional[CloseGroupCycleDataRoundDraw]
    announced_at: Optional[str]
    started_at: Optional[str]
    ended_at: Optional[str]


CloseGroupCycleDataDebtsFrom = CreateCampaignDataOwner


CloseGroupCycleDataDebtsTo = CreateCampaignDataOwner


CloseGroupCycleDataDebts = TypedDict(
    "CloseGroupCycleDataDebts",
    {
        "from": "CloseGroupCycleDataDebtsFrom",
        "to": "CloseGroupCycleDataDebtsTo",
        #: What is left of it.
        "amount": "Money",
        #: `missed`: a contribution that did not come. `left`: what is given back to who left before their turn.
        "why": "Literal[\"missed\", \"left\"]",
        "round": "int",
    },
)


CloseGroupCycleDataFeedBy = CreateCampaignDataOwner


CloseGroupCycleDataFeedMember = CreateCampaignDataOwner


class CloseGroupCycleDataFeed(TypedDict):
    #: What happened: `contributed`, `pot`, `joined`, …
    type: str
    by: Optional[CloseGroupCycleDataFeedBy]
    member: Optional[CloseGroupCycleDataFeedMember]
    amount: Optional[Money]
    fine: Optional[Money]
    round: Optional[int]
    cycle: Optional[int]
    note: Optional[str]
    reference: Optional[str]
    entry: Optional[int]
    #: ISO 8601, UTC
    created_at: str


class CloseGroupCycleData(TypedDict):
    id: str
    name: str
    description: Optional[str]
    #: Three-letter code.
    currency: Literal["UGX", "KES", "TZS", "RWF", "NGN", "ZAR", "USD"]
    kind: Literal["rotating", "goal"]
    contribution_amount: Optional[Money]
    frequency: Optional[Literal["weekly", "monthly"]]
    goal_amount: Optional[Money]
    late_fine: Optional[Money]
    time_zone: str
    #: What is in the pot, as the ledger has it.
    balance: Money
    member_count: int
    max_members: int
    visibility: Literal["private", "public"]
    role: Optional[Literal["chair", "treasurer", "member"]]
    cycle: Optional[CloseGroupCycleDataCycle]
    #: For members.
    invite_code: NotRequired[str]
    #: For members: the code as a link.
    invite_url: NotRequired[str]
    #: ISO 8601, UTC
    created_at: str
    #: For members, in the order of joining.
    members: NotRequired[List[CloseGroupCycleDataMembers]]
    round: NotRequired[Optional[CloseGroupCycleDataRound]]
    #: What members owe each other.
    debts: NotRequired[List[CloseGroupCycleDataDebts]]
    #: What happened lately, the newest first.
    feed: NotRequired[List[CloseGroupCycleDataFeed]]


DissolveGroupRoundDataCyclePaidBy = CreateCampaignDataOwner


DissolveGroupRoundDataCycleNextPayoutTo = CreateCampaignDataOwner


class DissolveGroupRoundDataCycle(TypedDict):
    number: int
    round: int
    #: How many cycles the round has: one for each who takes part.
    of: int
    #: The end of the day in the time zone of the group.
    due_at: str
    #: Is that over?
    late: bool
    #: For whom it is paid, the first first.
    paid_by: List[DissolveGroupRoundDataCyclePaidBy]
    next_payout_to: Optional[DissolveGroupRoundDataCycleNextPayoutTo]
    your_due: Optional[Money]


DissolveGroupRoundDataMembers = GetGroupDataMembers


DissolveGroupRoundDataRoundSeatsMember = CreateCampaignDataOwner


DissolveGroupRoundDataRoundSeatsOfferedTo = CreateCampaignDataOwner


class DissolveGroupRoundDataRoundSeats(TypedDict):
    turn: int
    member: DissolveGroupRoundDataRoundSeatsMember
    status: Literal["waiting", "received", "left"]
    received_in_cycle: Optional[int]
    offered_to: Optional[DissolveGroupRoundDataRoundSeatsOfferedTo]


DissolveGroupRoundDataRoundDrawWords = GetGroupDataRoundDrawWords


class DissolveGroupRoundDataRoundDraw(TypedDict):
    #: SHA-256 of the seed, published before the start.
    commitment: str
    seed: Optional[str]
    words: List[DissolveGroupRoundDataRoundDrawWords]


class DissolveGroupRoundDataRound(TypedDict):
    number: int
    status: Literal["announced", "open", "done", "dissolved"]
    order: Optional[Literal["join", "draw", "hand"]]
    cycle: Optional[int]
    due_at: Optional[str]
    #: In the order in which they receive.
    seats: List[DissolveGroupRoundDataRoundSeats]
    draw: Optional[DissolveGroupRoundDataRoundDraw]
    announced_at: Optional[str]
    started_at: Optional[str]
    ended_at: Optional[str]


DissolveGroupRoundDataDebtsFrom = CreateCampaignDataOwner


DissolveGroupRoundDataDebtsTo = CreateCampaignDataOwner


DissolveGroupRoundDataDebts = TypedDict(
    "DissolveGroupRoundDataDebts",
    {
        "from": "DissolveGroupRoundDataDebtsFrom",
        "to": "DissolveGroupRoundDataDebtsTo",
        #: What is left of it.
        "amount": "Money",
        #: `missed`: a contribution that did not come. `left`: what is given back to who left before their turn.
        "why": "Literal[\"missed\", \"left\"]",
        "round": "int",
    },
)


DissolveGroupRoundDataFeedBy = CreateCampaignDataOwner


DissolveGroupRoundDataFeedMember = CreateCampaignDataOwner


class DissolveGroupRoundDataFeed(TypedDict):
    #: What happened: `contributed`, `pot`, `joined`, …
    type: str
    by: Optional[DissolveGroupRoundDataFeedBy]
    member: Optional[DissolveGroupRoundDataFeedMember]
    amount: Optional[Money]
    fine: Optional[Money]
    round: Optional[int]
    cycle: Optional[int]
    note: Optional[str]
    reference: Optional[str]
    entry: Optional[int]
    #: ISO 8601, UTC
    created_at: str


class DissolveGroupRoundData(TypedDict):
    id: str
    name: str
    description: Optional[str]
    #: Three-letter code.
    currency: Literal["UGX", "KES", "TZS", "RWF", "NGN", "ZAR", "USD"]
    kind: Literal["rotating", "goal"]
    contribution_amount: Optional[Money]
    frequency: Optional[Literal["weekly", "monthly"]]
    goal_amount: Optional[Money]
    late_fine: Optional[Money]
    time_zone: str
    #: What is in the pot, as the ledger has it.
    balance: Money
    member_count: int
    max_members: int
    visibility: Literal["private", "public"]
    role: Optional[Literal["chair", "treasurer", "member"]]
    cycle: Optional[DissolveGroupRoundDataCycle]
    #: For members.
    invite_code: NotRequired[str]
    #: For members: the code as a link.
    invite_url: NotRequired[str]
    #: ISO 8601, UTC
    created_at: str
    #: For members, in the order of joining.
    members: NotRequired[List[DissolveGroupRoundDataMembers]]
    round: NotRequired[Optional[DissolveGroupRoundDataRound]]
    #: What members owe each other.
    debts: NotRequired[List[DissolveGroupRoundDataDebts]]
    #: What happened lately, the newest first.
    feed: NotRequired[List[DissolveGroupRoundDataFeed]]


class AddGroupDrawWordBody(TypedDict):
    #: Anything: it goes into the draw.
    word: str


AddGroupDrawWordDataCyclePaidBy = CreateCampaignDataOwner


AddGroupDrawWordDataCycleNextPayoutTo = CreateCampaignDataOwner


class AddGroupDrawWordDataCycle(TypedDict):
    number: int
    round: int
    #: How many cycles the round has: one for each who takes part.
    of: int
    #: The end of the day in the time zone of the group.
    due_at: str
    #: Is that over?
    late: bool
    #: For whom it is paid, the first first.
    paid_by: List[AddGroupDrawWordDataCyclePaidBy]
    next_payout_to: Optional[AddGroupDrawWordDataCycleNextPayoutTo]
    your_due: Optional[Money]


AddGroupDrawWordDataMembers = GetGroupDataMembers


AddGroupDrawWordDataRoundSeatsMember = CreateCampaignDataOwner


AddGroupDrawWordDataRoundSeatsOfferedTo = CreateCampaignDataOwner


class AddGroupDrawWordDataRoundSeats(TypedDict):
    turn: int
    member: AddGroupDrawWordDataRoundSeatsMember
    status: Literal["waiting", "received", "left"]
    received_in_cycle: Optional[int]
    offered_to: Optional[AddGroupDrawWordDataRoundSeatsOfferedTo]


AddGroupDrawWordDataRoundDrawWords = GetGroupDataRoundDrawWords


class AddGroupDrawWordDataRoundDraw(TypedDict):
    #: SHA-256 of the seed, published before the start.
    commitment: str
    seed: Optional[str]
    words: List[AddGroupDrawWordDataRoundDrawWords]


class AddGroupDrawWordDataRound(TypedDict):
    number: int
    status: Literal["announced", "open", "done", "dissolved"]
    order: Optional[Literal["join", "draw", "hand"]]
    cycle: Optional[int]
    due_at: Optional[str]
    #: In the order in which they receive.
    seats: List[AddGroupDrawWordDataRoundSeats]
    draw: Optional[AddGroupDrawWordDataRoundDraw]
    announced_at: Optional[str]
    started_at: Optional[str]
    ended_at: Optional[str]


AddGroupDrawWordDataDebtsFrom = CreateCampaignDataOwner


AddGroupDrawWordDataDebtsTo = CreateCampaignDataOwner


AddGroupDrawWordDataDebts = TypedDict(
    "AddGroupDrawWordDataDebts",
    {
        "from": "AddGroupDrawWordDataDebtsFrom",
        "to": "AddGroupDrawWordDataDebtsTo",
        #: What is left of it.
        "amount": "Money",
        #: `missed`: a contribution that did not come. `left`: what is given back to who left before their turn.
        "why": "Literal[\"missed\", \"left\"]",
        "round": "int",
    },
)


AddGroupDrawWordDataFeedBy = CreateCampaignDataOwner


AddGroupDrawWordDataFeedMember = CreateCampaignDataOwner


class AddGroupDrawWordDataFeed(TypedDict):
    #: What happened: `contributed`, `pot`, `joined`, …
    type: str
    by: Optional[AddGroupDrawWordDataFeedBy]
    member: Optional[AddGroupDrawWordDataFeedMember]
    amount: Optional[Money]
    fine: Optional[Money]
    round: Optional[int]
    cycle: Optional[int]
    note: Optional[str]
    reference: Optional[str]
    entry: Optional[int]
    #: ISO 8601, UTC
    created_at: str


class AddGroupDrawWordData(TypedDict):
    id: str
    name: str
    description: Optional[str]
    #: Three-letter code.
    currency: Literal["UGX", "KES", "TZS", "RWF", "NGN", "ZAR", "USD"]
    kind: Literal["rotating", "goal"]
    contribution_amount: Optional[Money]
    frequency: Optional[Literal["weekly", "monthly"]]
    goal_amount: Optional[Money]
    late_fine: Optional[Money]
    time_zone: str
    #: What is in the pot, as the ledger has it.
    balance: Money
    member_count: int
    max_members: int
    visibility: Literal["private", "public"]
    role: Optional[Literal["chair", "treasurer", "member"]]
    cycle: Optional[AddGroupDrawWordDataCycle]
    #: For members.
    invite_code: NotRequired[str]
    #: For members: the code as a link.
    invite_url: NotRequired[str]
    #: ISO 8601, UTC
    created_at: str
    #: For members, in the order of joining.
    members: NotRequired[List[AddGroupDrawWordDataMembers]]
    round: NotRequired[Optional[AddGroupDrawWordDataRound]]
    #: What members owe each other.
    debts: NotRequired[List[AddGroupDrawWordDataDebts]]
    #: What happened lately, the newest first.
    feed: NotRequired[List[AddGroupDrawWordDataFeed]]


class StartGroupRoundBody(TypedDict):
    #: Of joining, drawn (announce the draw first), or by hand.
    order: Literal["join", "draw", "hand"]
    #: By hand: all, the first to receive first.
    members: NotRequired[List[str]]


StartGroupRoundDataCyclePaidBy = CreateCampaignDataOwner


StartGroupRoundDataCycleNextPayoutTo = CreateCampaignDataOwner


class StartGroupRoundDataCycle(TypedDict):
    number: int
    round: int
    #: How many cycles the round has: one for each who takes part.
    of: int
    #: The end of the day in the time zone of the group.
    due_at: str
    #: Is that over?
    late: bool
    #: For whom it is paid, the first first.
    paid_by: List[StartGroupRoundDataCyclePaidBy]
    next_payout_to: Optional[StartGroupRoundDataCycleNextPayoutTo]
    your_due: Optional[Money]


StartGroupRoundDataMembers = GetGroupDataMembers


StartGroupRoundDataRoundSeatsMember = CreateCampaignDataOwner


StartGroupRoundDataRoundSeatsOfferedTo = CreateCampaignDataOwner


class StartGroupRoundDataRoundSeats(TypedDict):
    turn: int
    member: StartGroupRoundDataRoundSeatsMember
    status: Literal["waiting", "received", "left"]
    received_in_cycle: Optional[int]
    offered_to: Optional[StartGroupRoundDataRoundSeatsOfferedTo]


StartGroupRoundDataRoundDrawWords = GetGroupDataRoundDrawWords


class StartGroupRoundDataRoundDraw(TypedDict):
    #: SHA-256 of the seed, published before the start.
    commitment: str
    seed: Optional[str]
    words: List[StartGroupRoundDataRoundDrawWords]


class StartGroupRoundDataRound(TypedDict):
    number: int
    status: Literal["announced", "open", "done", "dissolved"]
    order: Optional[Literal["join", "draw", "hand"]]
    cycle: Optional[int]
    due_at: Optional[str]
    #: In the order in which they receive.
    seats: List[StartGroupRoundDataRoundSeats]
    draw: Optional[StartGroupRoundDataRoundDraw]
    announced_at: Optional[str]
    started_at: Optional[str]
    ended_at: Optional[str]


StartGroupRoundDataDebtsFrom = CreateCampaignDataOwner


StartGroupRoundDataDebtsTo = CreateCampaignDataOwner


StartGroupRoundDataDebts = TypedDict(
    "StartGroupRoundDataDebts",
    {
        "from": "StartGroupRoundDataDebtsFrom",
        "to": "StartGroupRoundDataDebtsTo",
        #: What is left of it.
        "amount": "Money",
        #: `missed`: a contribution that did not come. `left`: what is given back to who left before their turn.
        "why": "Literal[\"missed\", \"left\"]",
        "round": "int",
    },
)


StartGroupRoundDataFeedBy = CreateCampaignDataOwner


StartGroupRoundDataFeedMember = CreateCampaignDataOwner


class StartGroupRoundDataFeed(TypedDict):
    #: What happened: `contributed`, `pot`, `joined`, …
    type: str
    by: Optional[StartGroupRoundDataFeedBy]
    member: Optional[StartGroupRoundDataFeedMember]
    amount: Optional[Money]
    fine: Optional[Money]
    round: Optional[int]
    cycle: Optional[int]
    note: Optional[str]
    reference: Optional[str]
    entry: Optional[int]
    #: ISO 8601, UTC
    created_at: str


class StartGroupRoundData(TypedDict):
    id: str
    name: str
    description: Optional[str]
    #: Three-letter code.
    currency: Literal["UGX", "KES", "TZS", "RWF", "NGN", "ZAR", "USD"]
    kind: Literal["rotating", "goal"]
    contribution_amount: Optional[Money]
    frequency: Optional[Literal["weekly", "monthly"]]
    goal_amount: Optional[Money]
    late_fine: Optional[Money]
    time_zone: str
    #: What is in the pot, as the ledger has it.
    balance: Money
    member_count: int
    max_members: int
    visibility: Literal["private", "public"]
    role: Optional[Literal["chair", "treasurer", "member"]]
    cycle: Optional[StartGroupRoundDataCycle]
    #: For members.
    invite_code: NotRequired[str]
    #: For members: the code as a link.
    invite_url: NotRequired[str]
    #: ISO 8601, UTC
    created_at: str
    #: For members, in the order of joining.
    members: NotRequired[List[StartGroupRoundDataMembers]]
    round: NotRequired[Optional[StartGroupRoundDataRound]]
    #: What members owe each other.
    debts: NotRequired[List[StartGroupRoundDataDebts]]
    #: What happened lately, the newest first.
    feed: NotRequired[List[StartGroupRoundDataFeed]]


class OfferGroupSeatBody(TypedDict):
    #: A member who has no seat in this round.
    to: str


OfferGroupSeatDataCyclePaidBy = CreateCampaignDataOwner


OfferGroupSeatDataCycleNextPayoutTo = CreateCampaignDataOwner


class OfferGroupSeatDataCycle(TypedDict):
    number: int
    round: int
    #: How many cycles the round has: one for each who takes part.
    of: int
    #: The end of the day in the time zone of the group.
    due_at: str
    #: Is that over?
    late: bool
    #: For whom it is paid, the first first.
    paid_by: List[OfferGroupSeatDataCyclePaidBy]
    next_payout_to: Optional[OfferGroupSeatDataCycleNextPayoutTo]
    your_due: Optional[Money]


OfferGroupSeatDataMembers = GetGroupDataMembers


OfferGroupSeatDataRoundSeatsMember = CreateCampaignDataOwner


OfferGroupSeatDataRoundSeatsOfferedTo = CreateCampaignDataOwner


class OfferGroupSeatDataRoundSeats(TypedDict):
    turn: int
    member: OfferGroupSeatDataRoundSeatsMember
    status: Literal["waiting", "received", "left"]
    received_in_cycle: Optional[int]
    offered_to: Optional[OfferGroupSeatDataRoundSeatsOfferedTo]


OfferGroupSeatDataRoundDrawWords = GetGroupDataRoundDrawWords


class OfferGroupSeatDataRoundDraw(TypedDict):
    #: SHA-256 of the seed, published before the start.
    commitment: str
    seed: Optional[str]
    words: List[OfferGroupSeatDataRoundDrawWords]


class OfferGroupSeatDataRound(TypedDict):
    number: int
    status: Literal["announced", "open", "done", "dissolved"]
    order: Optional[Literal["join", "draw", "hand"]]
    cycle: Optional[int]
    due_at: Optional[str]
    #: In the order in which they receive.
    seats: List[OfferGroupSeatDataRoundSeats]
    draw: Optional[OfferGroupSeatDataRoundDraw]
    announced_at: Optional[str]
    started_at: Optional[str]
    ended_at: Optional[str]


OfferGroupSeatDataDebtsFrom = CreateCampaignDataOwner


OfferGroupSeatDataDebtsTo = CreateCampaignDataOwner


OfferGroupSeatDataDebts = TypedDict(
    "OfferGroupSeatDataDebts",
    {
        "from": "OfferGroupSeatDataDebtsFrom",
        "to": "OfferGroupSeatDataDebtsTo",
        #: What is left of it.
        "amount": "Money",
        #: `missed`: a contribution that did not come. `left`: what is given back to who left before their turn.
        "why": "Literal[\"missed\", \"left\"]",
        "round": "int",
    },
)


OfferGroupSeatDataFeedBy = CreateCampaignDataOwner


OfferGroupSeatDataFeedMember = CreateCampaignDataOwner


class OfferGroupSeatDataFeed(TypedDict):
    #: What happened: `contributed`, `pot`, `joined`, …
    type: str
    by: Optional[OfferGroupSeatDataFeedBy]
    member: Optional[OfferGroupSeatDataFeedMember]
    amount: Optional[Money]
    fine: Optional[Money]
    round: Optional[int]
    cycle: Optional[int]
    note: Optional[str]
    reference: Optional[str]
    entry: Optional[int]
    #: ISO 8601, UTC
    created_at: str


class OfferGroupSeatData(TypedDict):
    id: str
    name: str
    description: Optional[str]
    #: Three-letter code.
    currency: Literal["UGX", "KES", "TZS", "RWF", "NGN", "ZAR", "USD"]
    kind: Literal["rotating", "goal"]
    contribution_amount: Optional[Money]
    frequency: Optional[Literal["weekly", "monthly"]]
    goal_amount: Optional[Money]
    late_fine: Optional[Money]
    time_zone: str
    #: What is in the pot, as the ledger has it.
    balance: Money
    member_count: int
    max_members: int
    visibility: Literal["private", "public"]
    role: Optional[Literal["chair", "treasurer", "member"]]
    cycle: Optional[OfferGroupSeatDataCycle]
    #: For members.
    invite_code: NotRequired[str]
    #: For members: the code as a link.
    invite_url: NotRequired[str]
    #: ISO 8601, UTC
    created_at: str
    #: For members, in the order of joining.
    members: NotRequired[List[OfferGroupSeatDataMembers]]
    round: NotRequired[Optional[OfferGroupSeatDataRound]]
    #: What members owe each other.
    debts: NotRequired[List[OfferGroupSeatDataDebts]]
    #: What happened lately, the newest first.
    feed: NotRequired[List[OfferGroupSeatDataFeed]]


GetGroupRoundDataSeatsMember = CreateCampaignDataOwner


GetGroupRoundDataSeatsOfferedTo = CreateCampaignDataOwner


class GetGroupRoundDataSeats(TypedDict):
    turn: int
    member: GetGroupRoundDataSeatsMember
    status: Literal["waiting", "received", "left"]
    received_in_cycle: Optional[int]
    offered_to: Optional[GetGroupRoundDataSeatsOfferedTo]


GetGroupRoundDataDrawWords = GetGroupDataRoundDrawWords


class GetGroupRoundDataDraw(TypedDict):
    #: SHA-256 of the seed, published before the start.
    commitment: str
    seed: Optional[str]
    words: List[GetGroupRoundDataDrawWords]


class GetGroupRoundData(TypedDict):
    number: int
    status: Literal["announced", "open", "done", "dissolved"]
    order: Optional[Literal["join", "draw", "hand"]]
    cycle: Optional[int]
    due_at: Optional[str]
    #: In the order in which they receive.
    seats: List[GetGroupRoundDataSeats]
    draw: Optional[GetGroupRoundDataDraw]
    announced_at: Optional[str]
    started_at: Optional[str]
    ended_at: Optional[str]


class ProposeGroupPayoutBody(TypedDict):
    #: The member who gets it.
    to: str
    amount: Union[Money, str]
    #: For the others, who decide.
    reason: str


ProposeGroupPayoutDataProposedBy = CreateCampaignDataOwner


ProposeGroupPayoutDataTo = CreateCampaignDataOwner


ProposeGroupPayoutDataApprovedBy = CreateCampaignDataOwner


class ProposeGroupPayoutData(TypedDict):
    id: str
    proposed_by: ProposeGroupPayoutDataProposedBy
    to: ProposeGroupPayoutDataTo
    amount: Money
    #: Three-letter code.
    currency: Literal["UGX", "KES", "TZS", "RWF", "NGN", "ZAR", "USD"]
    reason: str
    status: Literal["open", "paid", "cancelled", "expired"]
    #: Of those who are members now.
    approvals: int
    #: More than half of the other members; more, while too few of those approve who had been members for 7 days when it was proposed.
    approvals_needed: int
    approved_by: List[ProposeGroupPayoutDataApprovedBy]
    approved_by_you: bool
    waiting_for: Optional[Literal["approvals", "money"]]
    reference: Optional[str]
    #: ISO 8601, UTC
    created_at: str
    #: ISO 8601, UTC
    expires_at: str
    decided_at: Optional[str]


class ListGroupPayoutsQuery(TypedDict):
    #: How many a page holds.
    limit: NotRequired[int]
    #: `meta.next_cursor` of the page before.
    cursor: NotRequired[str]
    status: NotRequired[Literal["open", "paid", "cancelled", "expired"]]


ListGroupPayoutsItemProposedBy = CreateCampaignDataOwner


ListGroupPayoutsItemTo = CreateCampaignDataOwner


ListGroupPayoutsItemApprovedBy = CreateCampaignDataOwner


class ListGroupPayoutsItem(TypedDict):
    id: str
    proposed_by: ListGroupPayoutsItemProposedBy
    to: ListGroupPayoutsItemTo
    amount: Money
    #: Three-letter code.
    currency: Literal["UGX", "KES", "TZS", "RWF", "NGN", "ZAR", "USD"]
    reason: str
    status: Literal["open", "paid", "cancelled", "expired"]
    #: Of those who are members now.
    approvals: int
    #: More than half of the other members; more, while too few of those approve who had been members for 7 days when it was proposed.
    approvals_needed: int
    approved_by: List[ListGroupPayoutsItemApprovedBy]
    approved_by_you: bool
    waiting_for: Optional[Literal["approvals", "money"]]
    reference: Optional[str]
    #: ISO 8601, UTC
    created_at: str
    #: ISO 8601, UTC
    expires_at: str
    decided_at: Optional[str]


ApproveGroupPayoutDataProposedBy = CreateCampaignDataOwner


ApproveGroupPayoutDataTo = CreateCampaignDataOwner


ApproveGroupPayoutDataApprovedBy = CreateCampaignDataOwner


class ApproveGroupPayoutData(TypedDict):
    id: str
    proposed_by: ApproveGroupPayoutDataProposedBy
    to: ApproveGroupPayoutDataTo
    amount: Money
    #: Three-letter code.
    currency: Literal["UGX", "KES", "TZS", "RWF", "NGN", "ZAR", "USD"]
    reason: str
    status: Literal["open", "paid", "cancelled", "expired"]
    #: Of those who are members now.
    approvals: int
    #: More than half of the other members; more, while too few of those approve who had been members for 7 days when it was proposed.
    approvals_needed: int
    approved_by: List[ApproveGroupPayoutDataApprovedBy]
    approved_by_you: bool
    waiting_for: Optional[Literal["approvals", "money"]]
    reference: Optional[str]
    #: ISO 8601, UTC
    created_at: str
    #: ISO 8601, UTC
    expires_at: str
    decided_at: Optional[str]


CancelGroupPayoutDataProposedBy = CreateCampaignDataOwner


CancelGroupPayoutDataTo = CreateCampaignDataOwner


CancelGroupPayoutDataApprovedBy = CreateCampaignDataOwner


class CancelGroupPayoutData(TypedDict):
    id: str
    proposed_by: CancelGroupPayoutDataProposedBy
    to: CancelGroupPayoutDataTo
    amount: Money
    #: Three-letter code.
    currency: Literal["UGX", "KES", "TZS", "RWF", "NGN", "ZAR", "USD"]
    reason: str
    status: Literal["open", "paid", "cancelled", "expired"]
    #: Of those who are members now.
    approvals: int
    #: More than half of the other members; more, while too few of those approve who had been members for 7 days when it was proposed.
    approvals_needed: int
    approved_by: List[CancelGroupPayoutDataApprovedBy]
    approved_by_you: bool
    waiting_for: Optional[Literal["approvals", "money"]]
    reference: Optional[str]
    #: ISO 8601, UTC
    created_at: str
    #: ISO 8601, UTC
    expires_at: str
    decided_at: Optional[str]


class RegisterMerchantBody(TypedDict):
    #: As customers see it.
    business_name: str
    #: What it sells, in a word or two.
    category: str
    #: Of the business. In live mode customers are sent back to it, or below it, only.
    website_url: str
    #: Where outcomes of gateway payments are posted, when a payment names no address of its own.
    ipn_url: NotRequired[str]
    #: Where events of `/api/pay` payments are posted, when a payment names no address of its own.
    callback_url: NotRequired[str]
    #: What the business reckons in. Default: the currency of your country.
    settlement_currency: NotRequired[Literal["UGX", "KES", "TZS", "RWF", "NGN", "ZAR", "USD"]]


class RegisterMerchantDataCredentialsLive(TypedDict):
    api_key_prefix: Optional[str]
    api_key_last_used_at: Optional[str]
    api_key_previous_valid_until: Optional[str]
    client_secret_set: bool
    client_secret_previous_valid_until: Optional[str]
    #: Only when it is made. A live key also in further looks of the owner for ten minutes, until it is used.
    api_key: NotRequired[str]
    #: Only when it is made, with the API key.
    client_secret: NotRequired[str]


RegisterMerchantDataCredentialsTest = RegisterMerchantDataCredentialsLive


class RegisterMerchantDataCredentials(TypedDict):
    live: RegisterMerchantDataCredentialsLive
    test: RegisterMerchantDataCredentialsTest


class RegisterMerchantData(TypedDict):
    #: The Merchant ID of the gateway.
    merchant_id: int
    business_name: str
    category: str
    website_url: str
    #: Live payments need `approved`; test mode works from the start.
    status: Literal["pending", "approved", "rejected", "suspended"]
    #: When the application is to be reviewed at the latest.
    review_due_at: str
    reviewed_at: Optional[str]
    rejection_reason: Optional[str]
    suspension_reason: Optional[str]
    ipn_url: Optional[str]
    callback_url: Optional[str]
    settlement_currency: Literal["UGX", "KES", "TZS", "RWF", "NGN", "ZAR", "USD"]
    redirect_hosts: List[str]
    allowed_addresses: List[str]
    credentials: RegisterMerchantDataCredentials
    #: What header names begin with at this service, in your requests (`SVC-API-Key`) and in notifications (`SVC-Signature`).
    header_prefix: str
    #: ISO 8601, UTC
    created_at: str


class ChangeMerchantBody(TypedDict):
    #: Of the business. In live mode customers are sent back to it, or below it, only. Another host needs `password`.
    website_url: NotRequired[str]
    #: Where outcomes of gateway payments are posted, when a payment names no address of its own. Null: none.
    ipn_url: NotRequired[Optional[str]]
    #: Where events of `/api/pay` payments are posted, when a payment names no address of its own. Null: none.
    callback_url: NotRequired[Optional[str]]
    #: What the business reckons in. Default: the currency of your country.
    settlement_currency: NotRequired[Literal["UGX", "KES", "TZS", "RWF", "NGN", "ZAR", "USD"]]
    #: Hosts besides the website that customers may be sent back to in live mode, each with what is below it. Adding one needs `password`.
    redirect_hosts: NotRequired[List[str]]
    #: Addresses or networks (CIDR) that the API keys may be used from. Empty: everywhere. Needs `password`.
    allowed_addresses: NotRequired[List[str]]
    #: Your own, asked for again.
    password: NotRequired[str]


ChangeMerchantDataCredentialsLive = RegisterMerchantDataCredentialsLive


ChangeMerchantDataCredentialsTest = RegisterMerchantDataCredentialsLive


class ChangeMerchantDataCredentials(TypedDict):
    live: ChangeMerchantDataCredentialsLive
    test: ChangeMerchantDataCredentialsTest


class ChangeMerchantData(TypedDict):
    #: The Merchant ID of the gateway.
    merchant_id: int
    business_name: str
    category: str
    website_url: str
    #: Live payments need `approved`; test mode works from the start.
    status: Literal["pending", "approved", "rejected", "suspended"]
    #: When the application is to be reviewed at the latest.
    review_due_at: str
    reviewed_at: Optional[str]
    rejection_reason: Optional[str]
    suspension_reason: Optional[str]
    ipn_url: Optional[str]
    callback_url: Optional[str]
    settlement_currency: Literal["UGX", "KES", "TZS", "RWF", "NGN", "ZAR", "USD"]
    redirect_hosts: List[str]
    allowed_addresses: List[str]
    credentials: ChangeMerchantDataCredentials
    #: What header names begin with at this service, in your requests (`SVC-API-Key`) and in notifications (`SVC-Signature`).
    header_prefix: str
    #: ISO 8601, UTC
    created_at: str


GetMerchantDataCredentialsLive = RegisterMerchantDataCredentialsLive


GetMerchantDataCredentialsTest = RegisterMerchantDataCredentialsLive


class GetMerchantDataCredentials(TypedDict):
    live: GetMerchantDataCredentialsLive
    test: GetMerchantDataCredentialsTest


class GetMerchantData(TypedDict):
    #: The Merchant ID of the gateway.
    merchant_id: int
    business_name: str
    category: str
    website_url: str
    #: Live payments need `approved`; test mode works from the start.
    status: Literal["pending", "approved", "rejected", "suspended"]
    #: When the application is to be reviewed at the latest.
    review_due_at: str
    reviewed_at: Optional[str]
    rejection_reason: Optional[str]
    suspension_reason: Optional[str]
    ipn_url: Optional[str]
    callback_url: Optional[str]
    settlement_currency: Literal["UGX", "KES", "TZS", "RWF", "NGN", "ZAR", "USD"]
    redirect_hosts: List[str]
    allowed_addresses: List[str]
    credentials: GetMerchantDataCredentials
    #: What header names begin with at this service, in your requests (`SVC-API-Key`) and in notifications (`SVC-Signature`).
    header_prefix: str
    #: ISO 8601, UTC
    created_at: str


class RevealClientSecretBody(TypedDict):
    #: Of which mode.
    mode: Literal["live", "test"]
    #: Your own, asked for again.
    password: str


class RevealClientSecretData(TypedDict):
    #: Of this mode.
    mode: Literal["live", "test"]
    client_secret: str


class RotateKeyBody(TypedDict):
    #: Your own, asked for again.
    password: str
    #: Default: live.
    mode: NotRequired[Literal["live", "test"]]
    #: Default: api_key.
    what: NotRequired[Literal["api_key", "client_secret"]]
    #: How long the old one still works. Default: 24. 0: it ends now.
    grace_hours: NotRequired[int]


class RotateKeyData(TypedDict):
    #: Of this mode.
    mode: Literal["live", "test"]
    what: Literal["api_key", "client_secret"]
    #: The new one. Keep it: an API key is not shown again.
    value: str
    #: Until then the old one works too; null when there was none.
    previous_valid_until: Optional[str]


class ReplayNotificationDataLastAttempt(TypedDict):
    #: ISO 8601, UTC
    at: str
    #: Of the answer, if there was one.
    status: Optional[int]
    problem: Optional[Literal["address_not_allowed", "could_not_connect", "tls", "timed_out", "no_answer", "bad_answer", "redirect", "status", "gone", "no_secret", "interrupted"]]


class ReplayNotificationDataLog(TypedDict):
    number: int
    #: ISO 8601, UTC
    at: str
    status: Optional[int]
    #: Until the answer was read; absent without one.
    duration_ms: Optional[int]
    problem: Optional[Literal["address_not_allowed", "could_not_connect", "tls", "timed_out", "no_answer", "bad_answer", "redirect", "status", "gone", "no_secret", "interrupted"]]
    #: The problem in words.
    message: Optional[str]
    #: The first 2 KB of the answer. What can not be shown is written as `\u001b`.
    response: Optional[str]


class ReplayNotificationData(TypedDict):
    #: The `webhook-id`: the same over all attempts.
    id: str
    event: str
    #: `gateway`: to an ipn_url. `callback`: to a callback_url.
    kind: Literal["gateway", "callback"]
    #: Of the payment.
    reference: str
    #: Its place among the events of the payment, from 1 on.
    sequence: int
    mode: Literal["live", "test"]
    #: Null: the payment names no address. In test mode only.
    url: Optional[str]
    #: `pending`: is or will be sent. `delivered`: was answered with 2xx. `failed`: no more attempts. `held`: not sent, because the endpoint is suspended. `unsent`: there is no address; it is in the feed of events.
    status: Literal["pending", "delivered", "failed", "held", "unsent"]
    #: How many were begun.
    attempts: int
    next_attempt_at: Optional[str]
    last_attempt: Optional[ReplayNotificationDataLastAttempt]
    #: ISO 8601, UTC
    created_at: str
    #: When it was delivered, given up or held.
    done_at: Optional[str]
    #: What is sent, byte for byte. Kept for 90 days.
    body: Optional[str]
    #: What is left of the body after that.
    body_sha256: Optional[str]
    log: List[ReplayNotificationDataLog]


ReplayNotificationsBody = TypedDict(
    "ReplayNotificationsBody",
    {
        #: From this time on.
        "from": "str",
        #: Up to this time, excluded; at most 30 days later.
        "to": "str",
        #: Default: both.
        "mode": "NotRequired[Literal[\"live\", \"test\"]]",
    },
)


class ReplayNotificationsData(TypedDict):
    #: They are sent ten a second.
    replayed: int
    #: There are more than one request takes: ask again.
    more: bool


class ResumeEndpointBody(TypedDict):
    #: Of which mode.
    mode: Literal["live", "test"]
    #: Scheme, host and port, as the list of endpoints shows it.
    origin: str


class SendTestNotificationBody(TypedDict):
    #: Where to. Default: your own `callback_url`, for `gateway` your `ipn_url`.
    url: NotRequired[str]
    #: Default: payment.completed. The gateway has only completed and failed.
    event: NotRequired[Literal["payment.pending", "payment.completed", "payment.failed", "payment.refunded"]]
    #: Which of the two shapes of notifications. Default: callback.
    kind: NotRequired[Literal["callback", "gateway"]]


SendTestNotificationDataLastAttempt = ReplayNotificationDataLastAttempt


SendTestNotificationDataLog = ReplayNotificationDataLog


class SendTestNotificationData(TypedDict):
    #: The `webhook-id`: the same over all attempts.
    id: str
    event: str
    #: `gateway`: to an ipn_url. `callback`: to a callback_url.
    kind: Literal["gateway", "callback"]
    #: Of the payment.
    reference: str
    #: Its place among the events of the payment, from 1 on.
    sequence: int
    mode: Literal["live", "test"]
    #: Null: the payment names no address. In test mode only.
    url: Optional[str]
    #: `pending`: is or will be sent. `delivered`: was answered with 2xx. `failed`: no more attempts. `held`: not sent, because the endpoint is suspended. `unsent`: there is no address; it is in the feed of events.
    status: Literal["pending", "delivered", "failed", "held", "unsent"]
    #: How many were begun.
    attempts: int
    next_attempt_at: Optional[str]
    last_attempt: Optional[SendTestNotificationDataLastAttempt]
    #: ISO 8601, UTC
    created_at: str
    #: When it was delivered, given up or held.
    done_at: Optional[str]
    #: What is sent, byte for byte. Kept for 90 days.
    body: Optional[str]
    #: What is left of the body after that.
    body_sha256: Optional[str]
    log: List[SendTestNotificationDataLog]


class PayOutMerchantBody(TypedDict):
    #: What moves to your wallet. It costs nothing.
    amount: Union[Money, str]
    #: Of the amount.
    currency: Literal["UGX", "KES", "TZS", "RWF", "NGN", "ZAR", "USD"]
    #: Your transaction PIN, as text.
    pin: str


class PayOutMerchantData(TypedDict):
    #: Of the transfer in your history.
    reference: str
    amount: Money
    currency: Literal["UGX", "KES", "TZS", "RWF", "NGN", "ZAR", "USD"]
    #: What the business has left.
    balance: Money


class ListNotificationsQuery(TypedDict):
    #: How many a page holds.
    limit: NotRequired[int]
    #: `meta.next_cursor` of the page before.
    cursor: NotRequired[str]
    status: NotRequired[Literal["pending", "delivered", "failed", "held", "unsent"]]
    mode: NotRequired[Literal["live", "test"]]
    #: Of the payment.
    reference: NotRequired[str]


ListNotificationsItemLastAttempt = ReplayNotificationDataLastAttempt


class ListNotificationsItem(TypedDict):
    #: The `webhook-id`: the same over all attempts.
    id: str
    event: str
    #: `gateway`: to an ipn_url. `callback`: to a callback_url.
    kind: Literal["gateway", "callback"]
    #: Of the payment.
    reference: str
    #: Its place among the events of the payment, from 1 on.
    sequence: int
    mode: Literal["live", "test"]
    #: Null: the payment names no address. In test mode only.
    url: Optional[str]
    #: `pending`: is or will be sent. `delivered`: was answered with 2xx. `failed`: no more attempts. `held`: not sent, because the endpoint is suspended. `unsent`: there is no address; it is in the feed of events.
    status: Literal["pending", "delivered", "failed", "held", "unsent"]
    #: How many were begun.
    attempts: int
    next_attempt_at: Optional[str]
    last_attempt: Optional[ListNotificationsItemLastAttempt]
    #: ISO 8601, UTC
    created_at: str
    #: When it was delivered, given up or held.
    done_at: Optional[str]


GetNotificationDataLastAttempt = ReplayNotificationDataLastAttempt


GetNotificationDataLog = ReplayNotificationDataLog


class GetNotificationData(TypedDict):
    #: The `webhook-id`: the same over all attempts.
    id: str
    event: str
    #: `gateway`: to an ipn_url. `callback`: to a callback_url.
    kind: Literal["gateway", "callback"]
    #: Of the payment.
    reference: str
    #: Its place among the events of the payment, from 1 on.
    sequence: int
    mode: Literal["live", "test"]
    #: Null: the payment names no address. In test mode only.
    url: Optional[str]
    #: `pending`: is or will be sent. `delivered`: was answered with 2xx. `failed`: no more attempts. `held`: not sent, because the endpoint is suspended. `unsent`: there is no address; it is in the feed of events.
    status: Literal["pending", "delivered", "failed", "held", "unsent"]
    #: How many were begun.
    attempts: int
    next_attempt_at: Optional[str]
    last_attempt: Optional[GetNotificationDataLastAttempt]
    #: ISO 8601, UTC
    created_at: str
    #: When it was delivered, given up or held.
    done_at: Optional[str]
    #: What is sent, byte for byte. Kept for 90 days.
    body: Optional[str]
    #: What is left of the body after that.
    body_sha256: Optional[str]
    log: List[GetNotificationDataLog]


class ListEndpointsItem(TypedDict):
    mode: Literal["live", "test"]
    origin: str
    status: Literal["failing", "suspended"]
    #: Of a suspension: it answered 410, or with nothing but failures for 120 hours.
    reason: Optional[Literal["gone", "failing"]]
    #: ISO 8601, UTC
    since: str


class ListEventsQuery(TypedDict):
    #: `meta.next_after` of the answer before. Without it: the latest ones.
    after: NotRequired[str]
    #: How many at most.
    limit: NotRequired[int]


class ListEventsReplyData(TypedDict):
    #: The `webhook-id`: the same over all attempts.
    id: str
    event: str
    #: `gateway`: to an ipn_url. `callback`: to a callback_url.
    kind: Literal["gateway", "callback"]
    #: Of the payment.
    reference: str
    #: Its place among the events of the payment, from 1 on.
    sequence: int
    #: Null: the payment names no address. In test mode only.
    url: Optional[str]
    #: ISO 8601, UTC
    created_at: str
    #: To be sent with the body: what it is, and its signatures of this moment.
    headers: Dict[str, str]
    #: Byte for byte.
    body: str


class ListEventsReplyMeta(TypedDict):
    #: Send it as `after` to get what comes next; it is there even when nothing has come.
    next_after: str


#: Events, the oldest first
class ListEventsReply(TypedDict):
    success: Literal[True]
    #: For people; never parse it.
    message: str
    data: List[ListEventsReplyData]
    meta: ListEventsReplyMeta


class ListMerchantBalancesQuery(TypedDict):
    mode: NotRequired[Literal["live", "test"]]


class ListMerchantBalancesItem(TypedDict):
    currency: Literal["UGX", "KES", "TZS", "RWF", "NGN", "ZAR", "USD"]
    #: All that was earned and not yet moved.
    balance: Money
    #: What of it is set aside for refunds on their way.
    held: Money
    #: `balance` less `held`.
    available: Money
    #: Of the first payment in this currency; ISO 8601, UTC.
    created_at: str


GetMerchantVolumeQuery = TypedDict(
    "GetMerchantVolumeQuery",
    {
        #: Three-letter code.
        "currency": "Literal[\"UGX\", \"KES\", \"TZS\", \"RWF\", \"NGN\", \"ZAR\", \"USD\"]",
        #: With a key, only its own. Default: live.
        "mode": "NotRequired[Literal[\"live\", \"test\"]]",
        #: The first day. Default: 30 days in all.
        "from": "NotRequired[str]",
        #: The last day, included. Default: today. At most 367 days in all.
        "to": "NotRequired[str]",
        #: Default: day. Weeks begin on Monday; the first and the last are whole weeks, too.
        "by": "NotRequired[Literal[\"day\", \"week\"]]",
        #: Where the days are. Default: UTC.
        "time_zone": "NotRequired[str]",
    },
)


#: Payments completed in that time, those that were refunded later among them.
class GetMerchantVolumeDataTotalsAccepted(TypedDict):
    #: How many.
    count: int
    #: What they come to.
    amount: Money


GetMerchantVolumeDataTotalsFailed = GetMerchantVolumeDataTotalsAccepted


GetMerchantVolumeDataTotalsRefunded = GetMerchantVolumeDataTotalsAccepted


#: Of all periods together.
class GetMerchantVolumeDataTotals(TypedDict):
    #: Payments completed in that time, those that were refunded later among them.
    accepted: GetMerchantVolumeDataTotalsAccepted
    #: Payments that failed in that time: cancelled, expired, declined.
    failed: GetMerchantVolumeDataTotalsFailed
    #: Refunds that arrived in that time, whenever the payment was.
    refunded: GetMerchantVolumeDataTotalsRefunded


GetMerchantVolumeDataPeriodsAccepted = GetMerchantVolumeDataTotalsAccepted


GetMerchantVolumeDataPeriodsFailed = GetMerchantVolumeDataTotalsAccepted


GetMerchantVolumeDataPeriodsRefunded = GetMerchantVolumeDataTotalsAccepted


GetMerchantVolumeDataPeriods = TypedDict(
    "GetMerchantVolumeDataPeriods",
    {
        #: The first day.
        "from": "str",
        #: The last day, included.
        "to": "str",
        #: Payments completed in that time, those that were refunded later among them.
        "accepted": "GetMerchantVolumeDataPeriodsAccepted",
        #: Payments that failed in that time: cancelled, expired, declined.
        "failed": "GetMerchantVolumeDataPeriodsFailed",
        #: Refunds that arrived in that time, whenever the payment was.
        "refunded": "GetMerchantVolumeDataPeriodsRefunded",
    },
)


class GetMerchantVolumeData(TypedDict):
    #: Of this mode.
    mode: Literal["live", "test"]
    #: Three-letter code.
    currency: Literal["UGX", "KES", "TZS", "RWF", "NGN", "ZAR", "USD"]
    #: How long a period is.
    by: Literal["day", "week"]
    #: Where the days are.
    time_zone: str
    #: Of all periods together.
    totals: GetMerchantVolumeDataTotals
    #: The oldest first, those in which nothing happened too.
    periods: List[GetMerchantVolumeDataPeriods]


ListMerchantPaymentsQuery = TypedDict(
    "ListMerchantPaymentsQuery",
    {
        #: How many a page holds.
        "limit": "NotRequired[int]",
        #: `meta.next_cursor` of the page before.
        "cursor": "NotRequired[str]",
        "status": "NotRequired[Literal[\"pending\", \"completed\", \"failed\", \"refunded\"]]",
        #: With a key, only its own mode.
        "mode": "NotRequired[Literal[\"live\", \"test\"]]",
        #: Made at or after this time.
        "from": "NotRequired[str]",
        #: Made before this time.
        "to": "NotRequired[str]",
        #: Part of ref_trx, description or customer; or a reference.
        "q": "NotRequired[str]",
    },
)


class ListMerchantPaymentsItemFailure(TypedDict):
    code: str
    message: str


class ListMerchantPaymentsItem(TypedDict):
    reference: str
    ref_trx: Optional[str]
    #: What the customer paid, or is to pay.
    amount: Money
    #: What was taken from it.
    fee: Money
    #: What you got of it.
    net: Money
    #: Three-letter code.
    currency: Literal["UGX", "KES", "TZS", "RWF", "NGN", "ZAR", "USD"]
    status: Literal["pending", "completed", "failed", "refunded"]
    failure: Optional[ListMerchantPaymentsItemFailure]
    #: The provider confirmed it after it had expired.
    late: bool
    method: Optional[str]
    description: Optional[str]
    mode: Literal["live", "test"]
    customer: Optional[str]
    #: ISO 8601, UTC
    created_at: str
    completed_at: Optional[str]
    #: What has gone back already.
    refunded_amount: Money


GetMerchantPaymentDataFailure = ListMerchantPaymentsItemFailure


GetMerchantPaymentDataAttemptsFailure = ListMerchantPaymentsItemFailure


class GetMerchantPaymentDataAttempts(TypedDict):
    #: `wallet`, or the id of a provider.
    method: str
    #: Pending: the customer, or the provider, has not answered yet.
    status: Literal["pending", "succeeded", "failed"]
    failure: Optional[GetMerchantPaymentDataAttemptsFailure]
    customer: Optional[str]
    #: ISO 8601, UTC
    created_at: str
    ended_at: Optional[str]


GetMerchantPaymentDataRefundsFailure = ListMerchantPaymentsItemFailure


class GetMerchantPaymentDataRefunds(TypedDict):
    id: str
    amount: Money
    reason: Optional[str]
    #: Into a wallet it is completed at once. By a provider it is pending, and held on your account, until the provider has confirmed it; when it failed it is yours again.
    status: Literal["pending", "completed", "failed"]
    failure: Optional[GetMerchantPaymentDataRefundsFailure]
    #: ISO 8601, UTC
    created_at: str
    ended_at: Optional[str]


GetMerchantPaymentDataNotificationsLastAttempt = ReplayNotificationDataLastAttempt


class GetMerchantPaymentDataNotifications(TypedDict):
    #: The `webhook-id`: the same over all attempts.
    id: str
    event: str
    #: `gateway`: to an ipn_url. `callback`: to a callback_url.
    kind: Literal["gateway", "callback"]
    #: Of the payment.
    reference: str
    #: Its place among the events of the payment, from 1 on.
    sequence: int
    mode: Literal["live", "test"]
    #: Null: the payment names no address. In test mode only.
    url: Optional[str]
    #: `pending`: is or will be sent. `delivered`: was answered with 2xx. `failed`: no more attempts. `held`: not sent, because the endpoint is suspended. `unsent`: there is no address; it is in the feed of events.
    status: Literal["pending", "delivered", "failed", "held", "unsent"]
    #: How many were begun.
    attempts: int
    next_attempt_at: Optional[str]
    last_attempt: Optional[GetMerchantPaymentDataNotificationsLastAttempt]
    #: ISO 8601, UTC
    created_at: str
    #: When it was delivered, given up or held.
    done_at: Optional[str]


class GetMerchantPaymentData(TypedDict):
    reference: str
    ref_trx: Optional[str]
    #: What the customer paid, or is to pay.
    amount: Money
    #: What was taken from it.
    fee: Money
    #: What you got of it.
    net: Money
    #: Three-letter code.
    currency: Literal["UGX", "KES", "TZS", "RWF", "NGN", "ZAR", "USD"]
    status: Literal["pending", "completed", "failed", "refunded"]
    failure: Optional[GetMerchantPaymentDataFailure]
    #: The provider confirmed it after it had expired.
    late: bool
    method: Optional[str]
    description: Optional[str]
    mode: Literal["live", "test"]
    customer: Optional[str]
    #: ISO 8601, UTC
    created_at: str
    completed_at: Optional[str]
    #: What has gone back already.
    refunded_amount: Money
    attempts: List[GetMerchantPaymentDataAttempts]
    refunds: List[GetMerchantPaymentDataRefunds]
    payment_url: Optional[str]
    #: That were sent about it, or will be; the newest first, 100 at most. Not in the answer to a refund.
    notifications: NotRequired[List[GetMerchantPaymentDataNotifications]]


class RefundPaymentBody(TypedDict):
    #: Default: all that is not yet refunded.
    amount: NotRequired[Union[Money, str]]
    reason: NotRequired[str]


RefundPaymentDataFailure = ListMerchantPaymentsItemFailure


RefundPaymentDataAttemptsFailure = ListMerchantPaymentsItemFailure


class RefundPaymentDataAttempts(TypedDict):
    #: `wallet`, or the id of a provider.
    method: str
    #: Pending: the customer, or the provider, has not answered yet.
    status: Literal["pending", "succeeded", "failed"]
    failure: Optional[RefundPaymentDataAttemptsFailure]
    customer: Optional[str]
    #: ISO 8601, UTC
    created_at: str
    ended_at: Optional[str]


RefundPaymentDataRefundsFailure = ListMerchantPaymentsItemFailure


class RefundPaymentDataRefunds(TypedDict):
    id: str
    amount: Money
    reason: Optional[str]
    #: Into a wallet it is completed at once. By a provider it is pending, and held on your account, until the provider has confirmed it; when it failed it is yours again.
    status: Literal["pending", "completed", "failed"]
    failure: Optional[RefundPaymentDataRefundsFailure]
    #: ISO 8601, UTC
    created_at: str
    ended_at: Optional[str]


RefundPaymentDataNotificationsLastAttempt = ReplayNotificationDataLastAttempt


class RefundPaymentDataNotifications(TypedDict):
    #: The `webhook-id`: the same over all attempts.
    id: str
    event: str
    #: `gateway`: to an ipn_url. `callback`: to a callback_url.
    kind: Literal["gateway", "callback"]
    #: Of the payment.
    reference: str
    #: Its place among the events of the payment, from 1 on.
    sequence: int
    mode: Literal["live", "test"]
    #: Null: the payment names no address. In test mode only.
    url: Optional[str]
    #: `pending`: is or will be sent. `delivered`: was answered with 2xx. `failed`: no more attempts. `held`: not sent, because the endpoint is suspended. `unsent`: there is no address; it is in the feed of events.
    status: Literal["pending", "delivered", "failed", "held", "unsent"]
    #: How many were begun.
    attempts: int
    next_attempt_at: Optional[str]
    last_attempt: Optional[RefundPaymentDataNotificationsLastAttempt]
    #: ISO 8601, UTC
    created_at: str
    #: When it was delivered, given up or held.
    done_at: Optional[str]


class RefundPaymentData(TypedDict):
    reference: str
    ref_trx: Optional[str]
    #: What the customer paid, or is to pay.
    amount: Money
    #: What was taken from it.
    fee: Money
    #: What you got of it.
    net: Money
    #: Three-letter code.
    currency: Literal["UGX", "KES", "TZS", "RWF", "NGN", "ZAR", "USD"]
    status: Literal["pending", "completed", "failed", "refunded"]
    failure: Optional[RefundPaymentDataFailure]
    #: The provider confirmed it after it had expired.
    late: bool
    method: Optional[str]
    description: Optional[str]
    mode: Literal["live", "test"]
    customer: Optional[str]
    #: ISO 8601, UTC
    created_at: str
    completed_at: Optional[str]
    #: What has gone back already.
    refunded_amount: Money
    attempts: List[RefundPaymentDataAttempts]
    refunds: List[RefundPaymentDataRefunds]
    payment_url: Optional[str]
    #: That were sent about it, or will be; the newest first, 100 at most. Not in the answer to a refund.
    notifications: NotRequired[List[RefundPaymentDataNotifications]]


class InitiatePaymentBody(TypedDict):
    #: What the customer pays.
    payment_amount: Union[Money, str]
    #: Three-letter code.
    currency_code: Literal["UGX", "KES", "TZS", "RWF", "NGN", "ZAR", "USD"]
    #: Your own reference; the same one again, while pending, is the same payment.
    ref_trx: str
    #: Shown to the customer.
    description: NotRequired[str]
    #: Where the customer goes after paying.
    success_redirect: NotRequired[str]
    #: Where the customer goes when it failed.
    failure_url: NotRequired[str]
    #: Where the customer goes after cancelling.
    cancel_redirect: NotRequired[str]
    #: Where the outcome is posted. Default: the one of your profile.
    ipn_url: NotRequired[str]


class InitiatePaymentReplyInfo(TypedDict):
    ref_trx: str
    description: Optional[str]
    ipn_url: Optional[str]
    cancel_redirect: Optional[str]
    success_redirect: Optional[str]
    merchant_id: int
    merchant_name: str
    amount: Money
    #: Three-letter code.
    currency_code: Literal["UGX", "KES", "TZS", "RWF", "NGN", "ZAR", "USD"]


#: The payment waits for the customer.
class InitiatePaymentReply(TypedDict):
    #: Send the customer there.
    payment_url: str
    info: InitiatePaymentReplyInfo


VerifyPaymentReplyFailure = ListMerchantPaymentsItemFailure


#: What became of the payment.
class VerifyPaymentReply(TypedDict):
    status: Literal["pending", "completed", "failed", "refunded"]
    reference: str
    ref_trx: Optional[str]
    amount: Money
    #: Three-letter code.
    currency_code: Literal["UGX", "KES", "TZS", "RWF", "NGN", "ZAR", "USD"]
    failure: Optional[VerifyPaymentReplyFailure]
    completed_at: Optional[str]
    mode: Literal["live", "test"]


class CreatePaymentBody(TypedDict):
    #: What the customer pays.
    amount: Union[Money, str]
    #: Three-letter code.
    currency: Literal["UGX", "KES", "TZS", "RWF", "NGN", "ZAR", "USD"]
    #: Shown to the customer.
    description: NotRequired[str]
    #: Where status changes are posted. Default: the one of your profile.
    callback_url: NotRequired[str]
    #: Your own reference.
    reference: NotRequired[str]
    #: Where the customer goes after paying.
    success_redirect: NotRequired[str]
    #: Where the customer goes after cancelling.
    cancel_redirect: NotRequired[str]


class CreatePaymentData(TypedDict):
    reference: str
    status: Literal["pending", "completed", "failed", "refunded"]
    amount: Money
    #: Three-letter code.
    currency: Literal["UGX", "KES", "TZS", "RWF", "NGN", "ZAR", "USD"]
    description: Optional[str]
    #: Send the customer there.
    payment_url: str
    mode: Literal["live", "test"]
    #: ISO 8601, UTC
    created_at: str


GetPaymentDataFailure = ListMerchantPaymentsItemFailure


class GetPaymentData(TypedDict):
    reference: str
    status: Literal["pending", "completed", "failed", "refunded"]
    amount: Money
    #: Three-letter code.
    currency: Literal["UGX", "KES", "TZS", "RWF", "NGN", "ZAR", "USD"]
    description: Optional[str]
    #: Send the customer there.
    payment_url: str
    mode: Literal["live", "test"]
    #: ISO 8601, UTC
    created_at: str
    failure: Optional[GetPaymentDataFailure]
    completed_at: Optional[str]
    refunded_amount: Money


ListApplicationsQuery = ListOwnCampaignsQuery


class ListApplicationsItemOwner(TypedDict):
    id: str
    handle: str
    name: str
    email: Optional[str]
    email_confirmed: bool
    phone: Optional[str]
    country: str
    frozen: bool


class ListApplicationsItem(TypedDict):
    merchant_id: int
    business_name: str
    category: str
    website_url: str
    ipn_url: Optional[str]
    callback_url: Optional[str]
    settlement_currency: Literal["UGX", "KES", "TZS", "RWF", "NGN", "ZAR", "USD"]
    redirect_hosts: List[str]
    status: Literal["pending", "approved", "rejected", "suspended"]
    owner: Optional[ListApplicationsItemOwner]
    #: When the present application was made.
    applied_at: str
    #: 24 hours later.
    review_due_at: str
    #: It waits for longer than that.
    overdue: bool
    reviewed_at: Optional[str]
    rejection_reason: Optional[str]
    suspension_reason: Optional[str]
    #: ISO 8601, UTC
    created_at: str


ApproveMerchantDataOwner = ListApplicationsItemOwner


class ApproveMerchantData(TypedDict):
    merchant_id: int
    business_name: str
    category: str
    website_url: str
    ipn_url: Optional[str]
    callback_url: Optional[str]
    settlement_currency: Literal["UGX", "KES", "TZS", "RWF", "NGN", "ZAR", "USD"]
    redirect_hosts: List[str]
    status: Literal["pending", "approved", "rejected", "suspended"]
    owner: Optional[ApproveMerchantDataOwner]
    #: When the present application was made.
    applied_at: str
    #: 24 hours later.
    review_due_at: str
    #: It waits for longer than that.
    overdue: bool
    reviewed_at: Optional[str]
    rejection_reason: Optional[str]
    suspension_reason: Optional[str]
    #: ISO 8601, UTC
    created_at: str


class RejectMerchantBody(TypedDict):
    #: Told to the owner by mail.
    reason: str


RejectMerchantDataOwner = ListApplicationsItemOwner


class RejectMerchantData(TypedDict):
    merchant_id: int
    business_name: str
    category: str
    website_url: str
    ipn_url: Optional[str]
    callback_url: Optional[str]
    settlement_currency: Literal["UGX", "KES", "TZS", "RWF", "NGN", "ZAR", "USD"]
    redirect_hosts: List[str]
    status: Literal["pending", "approved", "rejected", "suspended"]
    owner: Optional[RejectMerchantDataOwner]
    #: When the present application was made.
    applied_at: str
    #: 24 hours later.
    review_due_at: str
    #: It waits for longer than that.
    overdue: bool
    reviewed_at: Optional[str]
    rejection_reason: Optional[str]
    suspension_reason: Optional[str]
    #: ISO 8601, UTC
    created_at: str


class ListMerchantsQuery(TypedDict):
    #: How many a page holds.
    limit: NotRequired[int]
    #: `meta.next_cursor` of the page before.
    cursor: NotRequired[str]
    status: NotRequired[Literal["pending", "approved", "rejected", "suspended"]]
    #: A part of the name or of the website, or the whole Merchant ID.
    q: NotRequired[str]


ListMerchantsItemOwner = ListApplicationsItemOwner


class ListMerchantsItem(TypedDict):
    merchant_id: int
    business_name: str
    category: str
    website_url: str
    ipn_url: Optional[str]
    callback_url: Optional[str]
    settlement_currency: Literal["UGX", "KES", "TZS", "RWF", "NGN", "ZAR", "USD"]
    redirect_hosts: List[str]
    status: Literal["pending", "approved", "rejected", "suspended"]
    owner: Optional[ListMerchantsItemOwner]
    #: When the present application was made.
    applied_at: str
    #: 24 hours later.
    review_due_at: str
    #: It waits for longer than that.
    overdue: bool
    reviewed_at: Optional[str]
    rejection_reason: Optional[str]
    suspension_reason: Optional[str]
    #: ISO 8601, UTC
    created_at: str


GetMerchantAsOperatorDataOwner = ListApplicationsItemOwner


class GetMerchantAsOperatorData(TypedDict):
    merchant_id: int
    business_name: str
    category: str
    website_url: str
    ipn_url: Optional[str]
    callback_url: Optional[str]
    settlement_currency: Literal["UGX", "KES", "TZS", "RWF", "NGN", "ZAR", "USD"]
    redirect_hosts: List[str]
    status: Literal["pending", "approved", "rejected", "suspended"]
    owner: Optional[GetMerchantAsOperatorDataOwner]
    #: When the present application was made.
    applied_at: str
    #: 24 hours later.
    review_due_at: str
    #: It waits for longer than that.
    overdue: bool
    reviewed_at: Optional[str]
    rejection_reason: Optional[str]
    suspension_reason: Optional[str]
    #: ISO 8601, UTC
    created_at: str


SuspendMerchantBody = RejectMerchantBody


SuspendMerchantDataOwner = ListApplicationsItemOwner


class SuspendMerchantData(TypedDict):
    merchant_id: int
    business_name: str
    category: str
    website_url: str
    ipn_url: Optional[str]
    callback_url: Optional[str]
    settlement_currency: Literal["UGX", "KES", "TZS", "RWF", "NGN", "ZAR", "USD"]
    redirect_hosts: List[str]
    status: Literal["pending", "approved", "rejected", "suspended"]
    owner: Optional[SuspendMerchantDataOwner]
    #: When the present application was made.
    applied_at: str
    #: 24 hours later.
    review_due_at: str
    #: It waits for longer than that.
    overdue: bool
    reviewed_at: Optional[str]
    rejection_reason: Optional[str]
    suspension_reason: Optional[str]
    #: ISO 8601, UTC
    created_at: str


UnsuspendMerchantDataOwner = ListApplicationsItemOwner


class UnsuspendMerchantData(TypedDict):
    merchant_id: int
    business_name: str
    category: str
    website_url: str
    ipn_url: Optional[str]
    callback_url: Optional[str]
    settlement_currency: Literal["UGX", "KES", "TZS", "RWF", "NGN", "ZAR", "USD"]
    redirect_hosts: List[str]
    status: Literal["pending", "approved", "rejected", "suspended"]
    owner: Optional[UnsuspendMerchantDataOwner]
    #: When the present application was made.
    applied_at: str
    #: 24 hours later.
    review_due_at: str
    #: It waits for longer than that.
    overdue: bool
    reviewed_at: Optional[str]
    rejection_reason: Optional[str]
    suspension_reason: Optional[str]
    #: ISO 8601, UTC
    created_at: str


class FindPeopleQuery(TypedDict):
    #: The whole id, handle, e-mail address or phone number.
    q: str


class FindPeopleItem(TypedDict):
    id: str
    handle: str
    name: str
    email: Optional[str]
    email_confirmed: bool
    phone: Optional[str]
    country: str
    frozen: bool
    locale: Literal["en", "sw", "fr"]
    roles: List[str]
    has_pin: bool
    #: ISO 8601, UTC
    created_at: str


class GetPersonDataWallets(TypedDict):
    currency: Literal["UGX", "KES", "TZS", "RWF", "NGN", "ZAR", "USD"]
    balance: Money
    held: Money


class GetPersonData(TypedDict):
    id: str
    handle: str
    name: str
    email: Optional[str]
    email_confirmed: bool
    phone: Optional[str]
    country: str
    frozen: bool
    locale: Literal["en", "sw", "fr"]
    roles: List[str]
    has_pin: bool
    #: ISO 8601, UTC
    created_at: str
    wallets: List[GetPersonDataWallets]
    merchant_id: Optional[int]


class FreezeUserBody(TypedDict):
    #: For the audit log; it is not told to the person.
    reason: str


FreezeUserDataWallets = GetPersonDataWallets


class FreezeUserData(TypedDict):
    id: str
    handle: str
    name: str
    email: Optional[str]
    email_confirmed: bool
    phone: Optional[str]
    country: str
    frozen: bool
    locale: Literal["en", "sw", "fr"]
    roles: List[str]
    has_pin: bool
    #: ISO 8601, UTC
    created_at: str
    wallets: List[FreezeUserDataWallets]
    merchant_id: Optional[int]


UnfreezeUserDataWallets = GetPersonDataWallets


class UnfreezeUserData(TypedDict):
    id: str
    handle: str
    name: str
    email: Optional[str]
    email_confirmed: bool
    phone: Optional[str]
    country: str
    frozen: bool
    locale: Literal["en", "sw", "fr"]
    roles: List[str]
    has_pin: bool
    #: ISO 8601, UTC
    created_at: str
    wallets: List[UnfreezeUserDataWallets]
    merchant_id: Optional[int]


class ListMailsQuery(TypedDict):
    #: How many a page holds.
    limit: NotRequired[int]
    #: `meta.next_cursor` of the page before.
    cursor: NotRequired[str]
    #: The whole address.
    to: NotRequired[str]
    #: `kept`: there is no mail server, so it is only here.
    state: NotRequired[Literal["queued", "sent", "kept", "failed"]]


class ListMailsItemAbout(TypedDict):
    kind: str
    id: str


class ListMailsItem(TypedDict):
    id: str
    to: str
    name: str
    locale: Literal["en", "sw", "fr"]
    template: str
    subject: Optional[str]
    state: Literal["queued", "sent", "kept", "failed"]
    attempts: int
    problem: Optional[str]
    about: Optional[ListMailsItemAbout]
    #: ISO 8601, UTC
    queued_at: str
    done_at: Optional[str]


ReadMailDataAbout = ListMailsItemAbout


class ReadMailData(TypedDict):
    id: str
    to: str
    name: str
    locale: Literal["en", "sw", "fr"]
    template: str
    subject: Optional[str]
    state: Literal["queued", "sent", "kept", "failed"]
    attempts: int
    problem: Optional[str]
    about: Optional[ReadMailDataAbout]
    #: ISO 8601, UTC
    queued_at: str
    done_at: Optional[str]
    text: Optional[str]
    html: Optional[str]


SearchAuditQuery = TypedDict(
    "SearchAuditQuery",
    {
        #: How many a page holds.
        "limit": "NotRequired[int]",
        #: `meta.next_cursor` of the page before.
        "cursor": "NotRequired[str]",
        #: The id of who did it.
        "actor": "NotRequired[str]",
        "action": "NotRequired[str]",
        #: What it was done to.
        "object": "NotRequired[str]",
        #: ISO 8601, UTC
        "from": "NotRequired[str]",
        #: Excluded.
        "to": "NotRequired[str]",
    },
)


SearchAuditItemActor = ListMailsItemAbout


class SearchAuditItem(TypedDict):
    id: str
    #: ISO 8601, UTC
    at: str
    actor: SearchAuditItemActor
    action: str
    object: Optional[str]
    result: Literal["ok", "refused"]
    address: Optional[str]
    session: Optional[str]
    request_id: Optional[str]
    details: Dict[str, Any]
    #: It has its place in the chain.
    sealed: bool


class GetBooksDataLastCheck(TypedDict):
    #: ISO 8601, UTC
    started_at: str
    seconds: Money
    #: False: the books are wrong, and money stands still.
    ok: bool
    accounts: int
    entries: int
    postings: int
    problems: List[str]


class GetBooksDataTrialBalance(TypedDict):
    mode: Literal["live", "test"]
    currency: Literal["UGX", "KES", "TZS", "RWF", "NGN", "ZAR", "USD"]
    kind: str
    accounts: int
    #: Of a mode and a currency they add up to 0.
    balance: Money


class GetBooksData(TypedDict):
    last_check: Optional[GetBooksDataLastCheck]
    #: What is in all accounts of a kind, as of the last check.
    trial_balance: List[GetBooksDataTrialBalance]


class CheckBooksData(TypedDict):
    queued: Literal[True]


class ListOperationsQuery(TypedDict):
    #: How many a page holds.
    limit: NotRequired[int]
    #: `meta.next_cursor` of the page before.
    cursor: NotRequired[str]
    #: Only those that nobody but an operator can help.
    stuck: NotRequired[bool]
    state: NotRequired[Literal["new", "sending", "pending", "unknown", "completed", "failed"]]
    provider: NotRequired[Literal["mpesa", "mtn", "airtel", "paystack"]]
    mode: NotRequired[Literal["live", "test"]]
    #: A whole id, reference, receipt, phone number, or the provider's own name for it.
    q: NotRequired[str]


class ListOperationsItemFailure(TypedDict):
    code: Literal["insufficient_balance", "cancelled_by_customer", "phone_unreachable", "expired", "wrong_pin", "payment_in_progress", "payer_not_found", "payer_limit_reached", "recipient_not_found", "recipient_not_allowed", "amount_out_of_bounds", "duplicate_transaction", "provider_unavailable", "provider_config", "provider_error"]
    detail: str


class ListOperationsItem(TypedDict):
    id: str
    provider: Literal["mpesa", "mtn", "airtel", "paystack"]
    mode: Literal["live", "test"]
    #: Money comes in, goes out, or goes back.
    kind: Literal["collect", "payout", "refund"]
    #: What it is for.
    purpose: Literal["deposit", "withdrawal", "payment", "refund", "return"]
    reference: str
    amount: Money
    currency: Literal["UGX", "KES", "TZS", "RWF", "NGN", "ZAR", "USD"]
    phone: Optional[str]
    account: Optional[str]
    #: `unknown`: it may have reached the provider or not.
    state: Literal["new", "sending", "pending", "unknown", "completed", "failed"]
    failure: Optional[ListOperationsItemFailure]
    provider_reference: Optional[str]
    receipt: Optional[str]
    confirmed_amount: Optional[Money]
    late_of: Optional[str]
    trouble: Optional[str]
    #: How often the provider was asked.
    asks: int
    stuck_since: Optional[str]
    #: ISO 8601, UTC
    created_at: str
    sent_at: Optional[str]
    ended_at: Optional[str]


GetOperationDataFailure = ListOperationsItemFailure


class GetOperationDataExchanges(TypedDict):
    what: Literal["start", "ask", "token"]
    method: str
    path: str
    #: Headers and body, without secrets.
    request: str
    status: Optional[int]
    answer: Optional[str]
    problem: Optional[str]
    duration_ms: Money
    #: ISO 8601, UTC
    at: str


class GetOperationDataDeliveries(TypedDict):
    #: `answer`: to our own question.
    what: Literal["callback", "answer"]
    body: str
    result: Optional[str]
    #: ISO 8601, UTC
    at: str


class GetOperationData(TypedDict):
    id: str
    provider: Literal["mpesa", "mtn", "airtel", "paystack"]
    mode: Literal["live", "test"]
    #: Money comes in, goes out, or goes back.
    kind: Literal["collect", "payout", "refund"]
    #: What it is for.
    purpose: Literal["deposit", "withdrawal", "payment", "refund", "return"]
    reference: str
    amount: Money
    currency: Literal["UGX", "KES", "TZS", "RWF", "NGN", "ZAR", "USD"]
    phone: Optional[str]
    account: Optional[str]
    #: `unknown`: it may have reached the provider or not.
    state: Literal["new", "sending", "pending", "unknown", "completed", "failed"]
    failure: Optional[GetOperationDataFailure]
    provider_reference: Optional[str]
    receipt: Optional[str]
    confirmed_amount: Optional[Money]
    late_of: Optional[str]
    trouble: Optional[str]
    #: How often the provider was asked.
    asks: int
    stuck_since: Optional[str]
    #: ISO 8601, UTC
    created_at: str
    sent_at: Optional[str]
    ended_at: Optional[str]
    #: What was said to the provider, the newest first. Kept for 90 days.
    exchanges: List[GetOperationDataExchanges]
    #: What came to its callback addresses.
    deliveries: List[GetOperationDataDeliveries]


AskOperationDataFailure = ListOperationsItemFailure


AskOperationDataExchanges = GetOperationDataExchanges


AskOperationDataDeliveries = GetOperationDataDeliveries


class AskOperationData(TypedDict):
    id: str
    provider: Literal["mpesa", "mtn", "airtel", "paystack"]
    mode: Literal["live", "test"]
    #: Money comes in, goes out, or goes back.
    kind: Literal["collect", "payout", "refund"]
    #: What it is for.
    purpose: Literal["deposit", "withdrawal", "payment", "refund", "return"]
    reference: str
    amount: Money
    currency: Literal["UGX", "KES", "TZS", "RWF", "NGN", "ZAR", "USD"]
    phone: Optional[str]
    account: Optional[str]
    #: `unknown`: it may have reached the provider or not.
    state: Literal["new", "sending", "pending", "unknown", "completed", "failed"]
    failure: Optional[AskOperationDataFailure]
    provider_reference: Optional[str]
    receipt: Optional[str]
    confirmed_amount: Optional[Money]
    late_of: Optional[str]
    trouble: Optional[str]
    #: How often the provider was asked.
    asks: int
    stuck_since: Optional[str]
    #: ISO 8601, UTC
    created_at: str
    sent_at: Optional[str]
    ended_at: Optional[str]
    #: What was said to the provider, the newest first. Kept for 90 days.
    exchanges: List[AskOperationDataExchanges]
    #: What came to its callback addresses.
    deliveries: List[AskOperationDataDeliveries]


class ResolveOperationBody(TypedDict):
    #: What the provider did, as you know it: from its portal, or from its staff.
    outcome: Literal["completed", "failed"]
    #: The provider's receipt, when it was completed.
    receipt: NotRequired[str]
    #: For the audit log.
    reason: str


ResolveOperationDataFailure = ListOperationsItemFailure


ResolveOperationDataExchanges = GetOperationDataExchanges


ResolveOperationDataDeliveries = GetOperationDataDeliveries


class ResolveOperationData(TypedDict):
    id: str
    provider: Literal["mpesa", "mtn", "airtel", "paystack"]
    mode: Literal["live", "test"]
    #: Money comes in, goes out, or goes back.
    kind: Literal["collect", "payout", "refund"]
    #: What it is for.
    purpose: Literal["deposit", "withdrawal", "payment", "refund", "return"]
    reference: str
    amount: Money
    currency: Literal["UGX", "KES", "TZS", "RWF", "NGN", "ZAR", "USD"]
    phone: Optional[str]
    account: Optional[str]
    #: `unknown`: it may have reached the provider or not.
    state: Literal["new", "sending", "pending", "unknown", "completed", "failed"]
    failure: Optional[ResolveOperationDataFailure]
    provider_reference: Optional[str]
    receipt: Optional[str]
    confirmed_amount: Optional[Money]
    late_of: Optional[str]
    trouble: Optional[str]
    #: How often the provider was asked.
    asks: int
    stuck_since: Optional[str]
    #: ISO 8601, UTC
    created_at: str
    sent_at: Optional[str]
    ended_at: Optional[str]
    #: What was said to the provider, the newest first. Kept for 90 days.
    exchanges: List[ResolveOperationDataExchanges]
    #: What came to its callback addresses.
    deliveries: List[ResolveOperationDataDeliveries]


class DismissOperationBody(TypedDict):
    #: For the audit log.
    reason: str


DismissOperationDataFailure = ListOperationsItemFailure


DismissOperationDataExchanges = GetOperationDataExchanges


DismissOperationDataDeliveries = GetOperationDataDeliveries


class DismissOperationData(TypedDict):
    id: str
    provider: Literal["mpesa", "mtn", "airtel", "paystack"]
    mode: Literal["live", "test"]
    #: Money comes in, goes out, or goes back.
    kind: Literal["collect", "payout", "refund"]
    #: What it is for.
    purpose: Literal["deposit", "withdrawal", "payment", "refund", "return"]
    reference: str
    amount: Money
    currency: Literal["UGX", "KES", "TZS", "RWF", "NGN", "ZAR", "USD"]
    phone: Optional[str]
    account: Optional[str]
    #: `unknown`: it may have reached the provider or not.
    state: Literal["new", "sending", "pending", "unknown", "completed", "failed"]
    failure: Optional[DismissOperationDataFailure]
    provider_reference: Optional[str]
    receipt: Optional[str]
    confirmed_amount: Optional[Money]
    late_of: Optional[str]
    trouble: Optional[str]
    #: How often the provider was asked.
    asks: int
    stuck_since: Optional[str]
    #: ISO 8601, UTC
    created_at: str
    sent_at: Optional[str]
    ended_at: Optional[str]
    #: What was said to the provider, the newest first. Kept for 90 days.
    exchanges: List[DismissOperationDataExchanges]
    #: What came to its callback addresses.
    deliveries: List[DismissOperationDataDeliveries]


class ListUnmatchedQuery(TypedDict):
    #: How many a page holds.
    limit: NotRequired[int]
    #: `meta.next_cursor` of the page before.
    cursor: NotRequired[str]
    status: NotRequired[Literal["open", "matched", "returning", "returned"]]
    provider: NotRequired[Literal["mpesa", "mtn", "airtel", "paystack"]]


class ListUnmatchedItemMatchedTo(TypedDict):
    kind: Literal["wallet", "payment"]
    id: str


class ListUnmatchedItem(TypedDict):
    id: str
    provider: Literal["mpesa", "mtn", "airtel", "paystack"]
    mode: Literal["live", "test"]
    amount: Money
    currency: Literal["UGX", "KES", "TZS", "RWF", "NGN", "ZAR", "USD"]
    #: Why nothing could take it.
    why: Literal["another_amount", "paid_already", "payment_failed", "paid_out_less", "came_back"]
    meant_for: Optional[str]
    phone: Optional[str]
    status: Literal["open", "matched", "returning", "returned"]
    #: What brought it.
    operation_id: str
    return_due_at: Optional[str]
    #: How often it could not be given back.
    returns_failed: int
    problem: Optional[str]
    return_operation_id: Optional[str]
    matched_to: Optional[ListUnmatchedItemMatchedTo]
    #: ISO 8601, UTC
    created_at: str
    ended_at: Optional[str]


GetUnmatchedDataMatchedTo = ListUnmatchedItemMatchedTo


class GetUnmatchedData(TypedDict):
    id: str
    provider: Literal["mpesa", "mtn", "airtel", "paystack"]
    mode: Literal["live", "test"]
    amount: Money
    currency: Literal["UGX", "KES", "TZS", "RWF", "NGN", "ZAR", "USD"]
    #: Why nothing could take it.
    why: Literal["another_amount", "paid_already", "payment_failed", "paid_out_less", "came_back"]
    meant_for: Optional[str]
    phone: Optional[str]
    status: Literal["open", "matched", "returning", "returned"]
    #: What brought it.
    operation_id: str
    return_due_at: Optional[str]
    #: How often it could not be given back.
    returns_failed: int
    problem: Optional[str]
    return_operation_id: Optional[str]
    matched_to: Optional[GetUnmatchedDataMatchedTo]
    #: ISO 8601, UTC
    created_at: str
    ended_at: Optional[str]


class MatchUnmatchedBody(TypedDict):
    #: Whose wallet gets it. Either this or `payment`.
    user_id: NotRequired[str]
    #: The reference of the payment that it pays: of the same amount, pending or expired.
    payment: NotRequired[str]
    #: For the audit log.
    reason: str


MatchUnmatchedDataMatchedTo = ListUnmatchedItemMatchedTo


class MatchUnmatchedData(TypedDict):
    id: str
    provider: Literal["mpesa", "mtn", "airtel", "paystack"]
    mode: Literal["live", "test"]
    amount: Money
    currency: Literal["UGX", "KES", "TZS", "RWF", "NGN", "ZAR", "USD"]
    #: Why nothing could take it.
    why: Literal["another_amount", "paid_already", "payment_failed", "paid_out_less", "came_back"]
    meant_for: Optional[str]
    phone: Optional[str]
    status: Literal["open", "matched", "returning", "returned"]
    #: What brought it.
    operation_id: str
    return_due_at: Optional[str]
    #: How often it could not be given back.
    returns_failed: int
    problem: Optional[str]
    return_operation_id: Optional[str]
    matched_to: Optional[MatchUnmatchedDataMatchedTo]
    #: ISO 8601, UTC
    created_at: str
    ended_at: Optional[str]


ReturnUnmatchedBody = DismissOperationBody


ReturnUnmatchedDataMatchedTo = ListUnmatchedItemMatchedTo


class ReturnUnmatchedData(TypedDict):
    id: str
    provider: Literal["mpesa", "mtn", "airtel", "paystack"]
    mode: Literal["live", "test"]
    amount: Money
    currency: Literal["UGX", "KES", "TZS", "RWF", "NGN", "ZAR", "USD"]
    #: Why nothing could take it.
    why: Literal["another_amount", "paid_already", "payment_failed", "paid_out_less", "came_back"]
    meant_for: Optional[str]
    phone: Optional[str]
    status: Literal["open", "matched", "returning", "returned"]
    #: What brought it.
    operation_id: str
    return_due_at: Optional[str]
    #: How often it could not be given back.
    returns_failed: int
    problem: Optional[str]
    return_operation_id: Optional[str]
    matched_to: Optional[ReturnUnmatchedDataMatchedTo]
    #: ISO 8601, UTC
    created_at: str
    ended_at: Optional[str]


class ListMatchesQuery(TypedDict):
    #: How many a page holds.
    limit: NotRequired[int]
    #: `meta.next_cursor` of the page before.
    cursor: NotRequired[str]
    provider: NotRequired[Literal["mpesa", "mtn", "airtel", "paystack"]]
    mode: NotRequired[Literal["live", "test"]]
    #: Only those with differences.
    differing: NotRequired[bool]


ListMatchesItemTotalsOperations = TypedDict(
    "ListMatchesItemTotalsOperations",
    {
        "in": "Money",
        "out": "Money",
    },
)


ListMatchesItemTotalsLedger = ListMatchesItemTotalsOperations


ListMatchesItemTotalsProvider = ListMatchesItemTotalsOperations


class ListMatchesItemTotals(TypedDict):
    currency: Literal["UGX", "KES", "TZS", "RWF", "NGN", "ZAR", "USD"]
    operations: ListMatchesItemTotalsOperations
    ledger: ListMatchesItemTotalsLedger
    provider: ListMatchesItemTotalsProvider


class ListMatchesItem(TypedDict):
    id: str
    provider: Literal["mpesa", "mtn", "airtel", "paystack"]
    mode: Literal["live", "test"]
    day: str
    #: Does the provider tell what it did? If not, only our own two are compared.
    has_records: bool
    #: Orders that ended on the day.
    operations: int
    #: Postings of the ledger in the provider's account.
    postings: int
    #: Movements in the provider's own books.
    records: int
    #: What was sure, and was mended at once.
    repaired: int
    #: What is left for an operator.
    differences: int
    #: What came in and what left, as each of the three has it.
    totals: List[ListMatchesItemTotals]
    #: ISO 8601, UTC
    compared_at: str


class RunMatchBody(TypedDict):
    #: In UTC.
    day: str


RunMatchData = CheckBooksData


GetMatchDataTotalsOperations = ListMatchesItemTotalsOperations


GetMatchDataTotalsLedger = ListMatchesItemTotalsOperations


GetMatchDataTotalsProvider = ListMatchesItemTotalsOperations


class GetMatchDataTotals(TypedDict):
    currency: Literal["UGX", "KES", "TZS", "RWF", "NGN", "ZAR", "USD"]
    operations: GetMatchDataTotalsOperations
    ledger: GetMatchDataTotalsLedger
    provider: GetMatchDataTotalsProvider


class GetMatchDataFound(TypedDict):
    kind: Literal["unknown_to_us", "moved_though_failed", "amount_differs", "not_at_provider", "not_in_ledger", "ledger_differs", "posted_without_operation", "was_completed", "was_not_made", "still_open"]
    detail: str
    #: It was mended at once.
    repaired: bool
    operation_id: Optional[str]
    posting: Optional[str]
    provider_reference: Optional[str]
    amount: Optional[Money]
    currency: Optional[Literal["UGX", "KES", "TZS", "RWF", "NGN", "ZAR", "USD"]]


class GetMatchData(TypedDict):
    id: str
    provider: Literal["mpesa", "mtn", "airtel", "paystack"]
    mode: Literal["live", "test"]
    day: str
    #: Does the provider tell what it did? If not, only our own two are compared.
    has_records: bool
    #: Orders that ended on the day.
    operations: int
    #: Postings of the ledger in the provider's account.
    postings: int
    #: Movements in the provider's own books.
    records: int
    #: What was sure, and was mended at once.
    repaired: int
    #: What is left for an operator.
    differences: int
    #: What came in and what left, as each of the three has it.
    totals: List[GetMatchDataTotals]
    #: ISO 8601, UTC
    compared_at: str
    #: Everything that differs, or did.
    found: List[GetMatchDataFound]


class GetSystemDataJobs(TypedDict):
    #: Background jobs that wait or run.
    waiting: int
    #: Background jobs that used up their attempts.
    failed: int
    #: How long the longest-waiting due job has waited.
    oldest_seconds: int
    #: Processes that work on them.
    workers: int


class GetSystemDataNotifications(TypedDict):
    #: To be sent, counted up to a hundred thousand.
    waiting: int
    #: How long the longest-waiting first attempt is due.
    oldest_seconds: int
    #: Addresses that fail or were given up; 100 at most.
    endpoints_in_trouble: int


class GetSystemDataMails(TypedDict):
    #: To be sent.
    queued: int
    #: Given up in the last seven days.
    failed: int


class GetSystemDataProviders(TypedDict):
    provider: Literal["mpesa", "mtn", "airtel", "paystack"]
    mode: Literal["live", "test"]
    #: Of the last five minutes.
    health: Literal["up", "degraded", "down"]


class GetSystemDataBooks(TypedDict):
    ok: bool
    #: ISO 8601, UTC
    checked_at: str


class GetSystemData(TypedDict):
    version: str
    #: ISO 8601, UTC
    time: str
    ready: bool
    #: Why it is not ready; empty when it is.
    reasons: List[str]
    jobs: GetSystemDataJobs
    notifications: GetSystemDataNotifications
    mails: GetSystemDataMails
    providers: List[GetSystemDataProviders]
    books: Optional[GetSystemDataBooks]


class ListTroubledEndpointsItem(TypedDict):
    mode: Literal["live", "test"]
    origin: str
    status: Literal["failing", "suspended"]
    #: Of a suspension: it answered 410, or with nothing but failures for 120 hours.
    reason: Optional[Literal["gone", "failing"]]
    #: ISO 8601, UTC
    since: str
    merchant_id: int


ListNotificationsOfMerchantQuery = ListNotificationsQuery


ListNotificationsOfMerchantItemLastAttempt = ReplayNotificationDataLastAttempt


class ListNotificationsOfMerchantItem(TypedDict):
    #: The `webhook-id`: the same over all attempts.
    id: str
    event: str
    #: `gateway`: to an ipn_url. `callback`: to a callback_url.
    kind: Literal["gateway", "callback"]
    #: Of the payment.
    reference: str
    #: Its place among the events of the payment, from 1 on.
    sequence: int
    mode: Literal["live", "test"]
    #: Null: the payment names no address. In test mode only.
    url: Optional[str]
    #: `pending`: is or will be sent. `delivered`: was answered with 2xx. `failed`: no more attempts. `held`: not sent, because the endpoint is suspended. `unsent`: there is no address; it is in the feed of events.
    status: Literal["pending", "delivered", "failed", "held", "unsent"]
    #: How many were begun.
    attempts: int
    next_attempt_at: Optional[str]
    last_attempt: Optional[ListNotificationsOfMerchantItemLastAttempt]
    #: ISO 8601, UTC
    created_at: str
    #: When it was delivered, given up or held.
    done_at: Optional[str]


GetNotificationAsOperatorDataLastAttempt = ReplayNotificationDataLastAttempt


class GetNotificationAsOperatorDataLog(TypedDict):
    number: int
    #: ISO 8601, UTC
    at: str
    status: Optional[int]
    #: Until the answer was read; absent without one.
    duration_ms: Optional[int]
    problem: Optional[Literal["address_not_allowed", "could_not_connect", "tls", "timed_out", "no_answer", "bad_answer", "redirect", "status", "gone", "no_secret", "interrupted"]]
    #: The problem in words.
    message: Optional[str]
    #: The first 2 KB of the answer. What can not be shown is written as `\u001b`.
    response: Optional[str]
    address: Optional[str]
    cause: Optional[str]


class GetNotificationAsOperatorData(TypedDict):
    #: The `webhook-id`: the same over all attempts.
    id: str
    event: str
    #: `gateway`: to an ipn_url. `callback`: to a callback_url.
    kind: Literal["gateway", "callback"]
    #: Of the payment.
    reference: str
    #: Its place among the events of the payment, from 1 on.
    sequence: int
    mode: Literal["live", "test"]
    #: Null: the payment names no address. In test mode only.
    url: Optional[str]
    #: `pending`: is or will be sent. `delivered`: was answered with 2xx. `failed`: no more attempts. `held`: not sent, because the endpoint is suspended. `unsent`: there is no address; it is in the feed of events.
    status: Literal["pending", "delivered", "failed", "held", "unsent"]
    #: How many were begun.
    attempts: int
    next_attempt_at: Optional[str]
    last_attempt: Optional[GetNotificationAsOperatorDataLastAttempt]
    #: ISO 8601, UTC
    created_at: str
    #: When it was delivered, given up or held.
    done_at: Optional[str]
    #: What is sent, byte for byte. Kept for 90 days.
    body: Optional[str]
    #: What is left of the body after that.
    body_sha256: Optional[str]
    merchant_id: int
    log: List[GetNotificationAsOperatorDataLog]


ReplayNotificationAsOperatorDataLastAttempt = ReplayNotificationDataLastAttempt


ReplayNotificationAsOperatorDataLog = GetNotificationAsOperatorDataLog


class ReplayNotificationAsOperatorData(TypedDict):
    #: The `webhook-id`: the same over all attempts.
    id: str
    event: str
    #: `gateway`: to an ipn_url. `callback`: to a callback_url.
    kind: Literal["gateway", "callback"]
    #: Of the payment.
    reference: str
    #: Its place among the events of the payment, from 1 on.
    sequence: int
    mode: Literal["live", "test"]
    #: Null: the payment names no address. In test mode only.
    url: Optional[str]
    #: `pending`: is or will be sent. `delivered`: was answered with 2xx. `failed`: no more attempts. `held`: not sent, because the endpoint is suspended. `unsent`: there is no address; it is in the feed of events.
    status: Literal["pending", "delivered", "failed", "held", "unsent"]
    #: How many were begun.
    attempts: int
    next_attempt_at: Optional[str]
    last_attempt: Optional[ReplayNotificationAsOperatorDataLastAttempt]
    #: ISO 8601, UTC
    created_at: str
    #: When it was delivered, given up or held.
    done_at: Optional[str]
    #: What is sent, byte for byte. Kept for 90 days.
    body: Optional[str]
    #: What is left of the body after that.
    body_sha256: Optional[str]
    merchant_id: int
    log: List[ReplayNotificationAsOperatorDataLog]


class ListCampaignsAsOperatorQuery(TypedDict):
    #: How many a page holds.
    limit: NotRequired[int]
    #: `meta.next_cursor` of the page before.
    cursor: NotRequired[str]
    #: Words of the title or the story.
    q: NotRequired[str]
    state: NotRequired[Literal["active", "ended", "paused", "returning", "returned"]]


ListCampaignsAsOperatorItemPaused = CreateCampaignDataPaused


ListCampaignsAsOperatorItemReturned = CreateCampaignDataPaused


ListCampaignsAsOperatorItemOwner = CreateCampaignDataOwner


class ListCampaignsAsOperatorItem(TypedDict):
    id: str
    title: str
    story: str
    category: Literal["business", "community", "education", "emergency", "environment", "faith", "family", "health", "memorial", "other"]
    cover_url: Optional[str]
    #: Three-letter code.
    currency: Literal["UGX", "KES", "TZS", "RWF", "NGN", "ZAR", "USD"]
    goal_amount: Money
    #: What came in, less what went back. What the owner has taken out still counts.
    raised_amount: Money
    #: Everybody once.
    contributor_count: int
    #: Whole percent of the goal; may be more than 100.
    progress: int
    #: Also a paused one is `active`: see `paused`.
    status: Literal["active", "ended"]
    paused: Optional[ListCampaignsAsOperatorItemPaused]
    returned: Optional[ListCampaignsAsOperatorItemReturned]
    owner: ListCampaignsAsOperatorItemOwner
    #: Its public page.
    url: str
    ends_at: Optional[str]
    #: ISO 8601, UTC
    created_at: str
    state: Literal["active", "ended", "paused", "returning", "returned"]
    owner_id: str
    #: What is in its account.
    balance: Money
    #: What its owner has taken out, with the fees.
    withdrawn_amount: Money


GetCampaignAsOperatorDataPaused = CreateCampaignDataPaused


GetCampaignAsOperatorDataReturned = CreateCampaignDataPaused


GetCampaignAsOperatorDataOwner = CreateCampaignDataOwner


class GetCampaignAsOperatorDataReturns(TypedDict):
    #: `sent`: a provider has it. `failed`: a provider refused; ask for the return again to retry.
    state: Literal["open", "sent", "done", "failed"]
    count: int
    amount: Money


class GetCampaignAsOperatorData(TypedDict):
    id: str
    title: str
    story: str
    category: Literal["business", "community", "education", "emergency", "environment", "faith", "family", "health", "memorial", "other"]
    cover_url: Optional[str]
    #: Three-letter code.
    currency: Literal["UGX", "KES", "TZS", "RWF", "NGN", "ZAR", "USD"]
    goal_amount: Money
    #: What came in, less what went back. What the owner has taken out still counts.
    raised_amount: Money
    #: Everybody once.
    contributor_count: int
    #: Whole percent of the goal; may be more than 100.
    progress: int
    #: Also a paused one is `active`: see `paused`.
    status: Literal["active", "ended"]
    paused: Optional[GetCampaignAsOperatorDataPaused]
    returned: Optional[GetCampaignAsOperatorDataReturned]
    owner: GetCampaignAsOperatorDataOwner
    #: Its public page.
    url: str
    ends_at: Optional[str]
    #: ISO 8601, UTC
    created_at: str
    state: Literal["active", "ended", "paused", "returning", "returned"]
    owner_id: str
    #: What is in its account.
    balance: Money
    #: What its owner has taken out, with the fees.
    withdrawn_amount: Money
    #: How far giving back has come.
    returns: List[GetCampaignAsOperatorDataReturns]


class PauseCampaignBody(TypedDict):
    #: Everybody who looks at the campaign sees it.
    reason: str


PauseCampaignDataPaused = CreateCampaignDataPaused


PauseCampaignDataReturned = CreateCampaignDataPaused


PauseCampaignDataOwner = CreateCampaignDataOwner


PauseCampaignDataReturns = GetCampaignAsOperatorDataReturns


class PauseCampaignData(TypedDict):
    id: str
    title: str
    story: str
    category: Literal["business", "community", "education", "emergency", "environment", "faith", "family", "health", "memorial", "other"]
    cover_url: Optional[str]
    #: Three-letter code.
    currency: Literal["UGX", "KES", "TZS", "RWF", "NGN", "ZAR", "USD"]
    goal_amount: Money
    #: What came in, less what went back. What the owner has taken out still counts.
    raised_amount: Money
    #: Everybody once.
    contributor_count: int
    #: Whole percent of the goal; may be more than 100.
    progress: int
    #: Also a paused one is `active`: see `paused`.
    status: Literal["active", "ended"]
    paused: Optional[PauseCampaignDataPaused]
    returned: Optional[PauseCampaignDataReturned]
    owner: PauseCampaignDataOwner
    #: Its public page.
    url: str
    ends_at: Optional[str]
    #: ISO 8601, UTC
    created_at: str
    state: Literal["active", "ended", "paused", "returning", "returned"]
    owner_id: str
    #: What is in its account.
    balance: Money
    #: What its owner has taken out, with the fees.
    withdrawn_amount: Money
    #: How far giving back has come.
    returns: List[PauseCampaignDataReturns]


ResumeCampaignDataPaused = CreateCampaignDataPaused


ResumeCampaignDataReturned = CreateCampaignDataPaused


ResumeCampaignDataOwner = CreateCampaignDataOwner


ResumeCampaignDataReturns = GetCampaignAsOperatorDataReturns


class ResumeCampaignData(TypedDict):
    id: str
    title: str
    story: str
    category: Literal["business", "community", "education", "emergency", "environment", "faith", "family", "health", "memorial", "other"]
    cover_url: Optional[str]
    #: Three-letter code.
    currency: Literal["UGX", "KES", "TZS", "RWF", "NGN", "ZAR", "USD"]
    goal_amount: Money
    #: What came in, less what went back. What the owner has taken out still counts.
    raised_amount: Money
    #: Everybody once.
    contributor_count: int
    #: Whole percent of the goal; may be more than 100.
    progress: int
    #: Also a paused one is `active`: see `paused`.
    status: Literal["active", "ended"]
    paused: Optional[ResumeCampaignDataPaused]
    returned: Optional[ResumeCampaignDataReturned]
    owner: ResumeCampaignDataOwner
    #: Its public page.
    url: str
    ends_at: Optional[str]
    #: ISO 8601, UTC
    created_at: str
    state: Literal["active", "ended", "paused", "returning", "returned"]
    owner_id: str
    #: What is in its account.
    balance: Money
    #: What its owner has taken out, with the fees.
    withdrawn_amount: Money
    #: How far giving back has come.
    returns: List[ResumeCampaignDataReturns]


ReturnCampaignMoneyBody = PauseCampaignBody


ReturnCampaignMoneyDataPaused = CreateCampaignDataPaused


ReturnCampaignMoneyDataReturned = CreateCampaignDataPaused


ReturnCampaignMoneyDataOwner = CreateCampaignDataOwner


ReturnCampaignMoneyDataReturns = GetCampaignAsOperatorDataReturns


class ReturnCampaignMoneyData(TypedDict):
    id: str
    title: str
    story: str
    category: Literal["business", "community", "education", "emergency", "environment", "faith", "family", "health", "memorial", "other"]
    cover_url: Optional[str]
    #: Three-letter code.
    currency: Literal["UGX", "KES", "TZS", "RWF", "NGN", "ZAR", "USD"]
    goal_amount: Money
    #: What came in, less what went back. What the owner has taken out still counts.
    raised_amount: Money
    #: Everybody once.
    contributor_count: int
    #: Whole percent of the goal; may be more than 100.
    progress: int
    #: Also a paused one is `active`: see `paused`.
    status: Literal["active", "ended"]
    paused: Optional[ReturnCampaignMoneyDataPaused]
    returned: Optional[ReturnCampaignMoneyDataReturned]
    owner: ReturnCampaignMoneyDataOwner
    #: Its public page.
    url: str
    ends_at: Optional[str]
    #: ISO 8601, UTC
    created_at: str
    state: Literal["active", "ended", "paused", "returning", "returned"]
    owner_id: str
    #: What is in its account.
    balance: Money
    #: What its owner has taken out, with the fees.
    withdrawn_amount: Money
    #: How far giving back has come.
    returns: List[ReturnCampaignMoneyDataReturns]


ListPaymentsOfMerchantQuery = ListMerchantPaymentsQuery


ListPaymentsOfMerchantItemFailure = ListMerchantPaymentsItemFailure


class ListPaymentsOfMerchantItem(TypedDict):
    reference: str
    ref_trx: Optional[str]
    #: What the customer paid, or is to pay.
    amount: Money
    #: What was taken from it.
    fee: Money
    #: What you got of it.
    net: Money
    #: Three-letter code.
    currency: Literal["UGX", "KES", "TZS", "RWF", "NGN", "ZAR", "USD"]
    status: Literal["pending", "completed", "failed", "refunded"]
    failure: Optional[ListPaymentsOfMerchantItemFailure]
    #: The provider confirmed it after it had expired.
    late: bool
    method: Optional[str]
    description: Optional[str]
    mode: Literal["live", "test"]
    customer: Optional[str]
    #: ISO 8601, UTC
    created_at: str
    completed_at: Optional[str]
    #: What has gone back already.
    refunded_amount: Money


GetPaymentAsOperatorDataFailure = ListMerchantPaymentsItemFailure


GetPaymentAsOperatorDataAttemptsFailure = ListMerchantPaymentsItemFailure


class GetPaymentAsOperatorDataAttempts(TypedDict):
    #: `wallet`, or the id of a provider.
    method: str
    #: Pending: the customer, or the provider, has not answered yet.
    status: Literal["pending", "succeeded", "failed"]
    failure: Optional[GetPaymentAsOperatorDataAttemptsFailure]
    customer: Optional[str]
    #: ISO 8601, UTC
    created_at: str
    ended_at: Optional[str]


GetPaymentAsOperatorDataRefundsFailure = ListMerchantPaymentsItemFailure


class GetPaymentAsOperatorDataRefunds(TypedDict):
    id: str
    amount: Money
    reason: Optional[str]
    #: Into a wallet it is completed at once. By a provider it is pending, and held on your account, until the provider has confirmed it; when it failed it is yours again.
    status: Literal["pending", "completed", "failed"]
    failure: Optional[GetPaymentAsOperatorDataRefundsFailure]
    #: ISO 8601, UTC
    created_at: str
    ended_at: Optional[str]


class GetPaymentAsOperatorData(TypedDict):
    reference: str
    ref_trx: Optional[str]
    #: What the customer paid, or is to pay.
    amount: Money
    #: What was taken from it.
    fee: Money
    #: What you got of it.
    net: Money
    #: Three-letter code.
    currency: Literal["UGX", "KES", "TZS", "RWF", "NGN", "ZAR", "USD"]
    status: Literal["pending", "completed", "failed", "refunded"]
    failure: Optional[GetPaymentAsOperatorDataFailure]
    #: The provider confirmed it after it had expired.
    late: bool
    method: Optional[str]
    description: Optional[str]
    mode: Literal["live", "test"]
    customer: Optional[str]
    #: ISO 8601, UTC
    created_at: str
    completed_at: Optional[str]
    #: What has gone back already.
    refunded_amount: Money
    attempts: List[GetPaymentAsOperatorDataAttempts]
    refunds: List[GetPaymentAsOperatorDataRefunds]
    payment_url: Optional[str]
    #: Whose it is; null when it is for a campaign.
    merchant_id: Optional[int]
    #: As the customer saw it; of a campaign its title.
    merchant_name: str
    campaign_id: Optional[str]


class ListGroupsAsOperatorQuery(TypedDict):
    #: How many a page holds.
    limit: NotRequired[int]
    #: `meta.next_cursor` of the page before.
    cursor: NotRequired[str]
    #: A part of the name, or the whole id.
    q: NotRequired[str]


ListGroupsAsOperatorItemCyclePaidBy = CreateCampaignDataOwner


ListGroupsAsOperatorItemCycleNextPayoutTo = CreateCampaignDataOwner


class ListGroupsAsOperatorItemCycle(TypedDict):
    number: int
    round: int
    #: How many cycles the round has: one for each who takes part.
    of: int
    #: The end of the day in the time zone of the group.
    due_at: str
    #: Is that over?
    late: bool
    #: For whom it is paid, the first first.
    paid_by: List[ListGroupsAsOperatorItemCyclePaidBy]
    next_payout_to: Optional[ListGroupsAsOperatorItemCycleNextPayoutTo]
    your_due: Optional[Money]


class ListGroupsAsOperatorItem(TypedDict):
    id: str
    name: str
    description: Optional[str]
    #: Three-letter code.
    currency: Literal["UGX", "KES", "TZS", "RWF", "NGN", "ZAR", "USD"]
    kind: Literal["rotating", "goal"]
    contribution_amount: Optional[Money]
    frequency: Optional[Literal["weekly", "monthly"]]
    goal_amount: Optional[Money]
    late_fine: Optional[Money]
    time_zone: str
    #: What is in the pot, as the ledger has it.
    balance: Money
    member_count: int
    max_members: int
    visibility: Literal["private", "public"]
    role: Optional[Literal["chair", "treasurer", "member"]]
    cycle: Optional[ListGroupsAsOperatorItemCycle]
    #: For members.
    invite_code: NotRequired[str]
    #: For members: the code as a link.
    invite_url: NotRequired[str]
    #: ISO 8601, UTC
    created_at: str
    #: When the last member left.
    closed_at: Optional[str]


GetGroupAsOperatorDataCyclePaidBy = CreateCampaignDataOwner


GetGroupAsOperatorDataCycleNextPayoutTo = CreateCampaignDataOwner


class GetGroupAsOperatorDataCycle(TypedDict):
    number: int
    round: int
    #: How many cycles the round has: one for each who takes part.
    of: int
    #: The end of the day in the time zone of the group.
    due_at: str
    #: Is that over?
    late: bool
    #: For whom it is paid, the first first.
    paid_by: List[GetGroupAsOperatorDataCyclePaidBy]
    next_payout_to: Optional[GetGroupAsOperatorDataCycleNextPayoutTo]
    your_due: Optional[Money]


GetGroupAsOperatorDataMembers = GetGroupDataMembers


GetGroupAsOperatorDataDebtsFrom = CreateCampaignDataOwner


GetGroupAsOperatorDataDebtsTo = CreateCampaignDataOwner


GetGroupAsOperatorDataDebts = TypedDict(
    "GetGroupAsOperatorDataDebts",
    {
        "from": "GetGroupAsOperatorDataDebtsFrom",
        "to": "GetGroupAsOperatorDataDebtsTo",
        #: What is left of it.
        "amount": "Money",
        #: `missed`: a contribution that did not come. `left`: what is given back to who left before their turn.
        "why": "Literal[\"missed\", \"left\"]",
        "round": "int",
    },
)


GetGroupAsOperatorDataFeedBy = CreateCampaignDataOwner


GetGroupAsOperatorDataFeedMember = CreateCampaignDataOwner


class GetGroupAsOperatorDataFeed(TypedDict):
    #: What happened: `contributed`, `pot`, `joined`, …
    type: str
    by: Optional[GetGroupAsOperatorDataFeedBy]
    member: Optional[GetGroupAsOperatorDataFeedMember]
    amount: Optional[Money]
    fine: Optional[Money]
    round: Optional[int]
    cycle: Optional[int]
    note: Optional[str]
    reference: Optional[str]
    entry: Optional[int]
    #: ISO 8601, UTC
    created_at: str


class GetGroupAsOperatorData(TypedDict):
    id: str
    name: str
    description: Optional[str]
    #: Three-letter code.
    currency: Literal["UGX", "KES", "TZS", "RWF", "NGN", "ZAR", "USD"]
    kind: Literal["rotating", "goal"]
    contribution_amount: Optional[Money]
    frequency: Optional[Literal["weekly", "monthly"]]
    goal_amount: Optional[Money]
    late_fine: Optional[Money]
    time_zone: str
    #: What is in the pot, as the ledger has it.
    balance: Money
    member_count: int
    max_members: int
    visibility: Literal["private", "public"]
    role: Optional[Literal["chair", "treasurer", "member"]]
    cycle: Optional[GetGroupAsOperatorDataCycle]
    #: For members.
    invite_code: NotRequired[str]
    #: For members: the code as a link.
    invite_url: NotRequired[str]
    #: ISO 8601, UTC
    created_at: str
    #: When the last member left.
    closed_at: Optional[str]
    members: List[GetGroupAsOperatorDataMembers]
    debts: List[GetGroupAsOperatorDataDebts]
    feed: List[GetGroupAsOperatorDataFeed]


ListTransactionsOfPersonQuery = ListTransactionsQuery


ListTransactionsOfPersonItemCounterparty = ListTransactionsItemCounterparty


#: A transaction
class ListTransactionsOfPersonItem(TypedDict):
    #: Short enough to read aloud.
    reference: str
    type: Literal["transfer", "deposit", "withdrawal", "payment", "refund", "group_contribution", "group_payout", "campaign_contribution", "campaign_payout"]
    #: Seen from your wallet.
    direction: Literal["in", "out"]
    #: What moved in or out of your wallet; always above zero. Who sends a transfer sees the whole amount, who receives it what arrived.
    amount: Money
    #: What of it you paid as a fee, already inside `amount` when money left. 0 on the side that pays none.
    fee: Money
    currency: Literal["UGX", "KES", "TZS", "RWF", "NGN", "ZAR", "USD"]
    status: Literal["pending", "completed", "failed"]
    #: The other side, as it was called at the time.
    counterparty: ListTransactionsOfPersonItemCounterparty
    note: Optional[str]
    #: What was in the wallet afterwards; null while no money has moved.
    balance_after: Optional[Money]
    #: ISO 8601, UTC
    created_at: str
