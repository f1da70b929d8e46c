// Code generated from docs/reference/openapi.json by "npm run docs". DO NOT EDIT.

package mfuko

import (
	"time"
)

// What the service says. The list is in docs/reference/errors.md.
const (
	CodeBadRequest           Code = "bad_request"
	CodeUnauthenticated      Code = "unauthenticated"
	CodeForbidden            Code = "forbidden"
	CodeNotFound             Code = "not_found"
	CodePayloadTooLarge      Code = "payload_too_large"
	CodeUnsupportedMediaType Code = "unsupported_media_type"
	CodeValidationFailed     Code = "validation_failed"
	CodeInsufficientFunds    Code = "insufficient_funds"
	CodeLimitExceeded        Code = "limit_exceeded"
	CodeInvalidState         Code = "invalid_state"
	CodeIdempotencyConflict  Code = "idempotency_conflict"
	CodePinIncorrect         Code = "pin_incorrect"
	CodePinLocked            Code = "pin_locked"
	CodePinNotSet            Code = "pin_not_set"
	CodeAccountFrozen        Code = "account_frozen"
	CodeSecondFactorRequired Code = "second_factor_required"
	CodeRateLimited          Code = "rate_limited"
	CodeInternalError        Code = "internal_error"
	CodeUnavailable          Code = "unavailable"
)

// GetLivenessReply is what GET /health answers.
// The process answers.
type GetLivenessReply struct {
	Status string `json:"status"`
	// Semantic version of the service.
	Version string `json:"version"`
	// ISO 8601, UTC
	Time time.Time `json:"time"`
}

// RegisterBody is what POST /api/auth/register takes.
// `email` or `phone` is needed. Without `handle` one is made from the name.
type RegisterBody struct {
	// As it is shown to others. Any script.
	Name string `json:"name"`
	// Any characters. What is guessed first (common words, own names, rows of keys) is refused.
	Password string `json:"password"`
	// Small and capital letters are the same.
	Email string `json:"email,omitempty"`
	// In international form (E.164).
	Phone string `json:"phone,omitempty"`
	// 3 to 20 of `a-z 0-9 _`, starts with a letter. Capitals become small, a leading `@` is ignored.
	Handle string `json:"handle,omitempty"`
	// ISO 3166, two capitals. Decides the currency of the first wallet. Without it the phone number tells.
	Country string `json:"country,omitempty"`
	// The language of mails and pages. One of en, sw, fr.
	Locale string `json:"locale,omitempty"`
	// 4 to 6 digits, as text. Runs, repeats, years and the like are refused.
	Pin string `json:"pin,omitempty"`
}

// User is a part of SignedIn.
// A person
type User struct {
	// Opaque; never changes.
	ID string `json:"id"`
	// What others send money to.
	Handle string `json:"handle"`
	Name   string `json:"name"`
	Email  string `json:"email"`
	// Mails about the account go to a confirmed address only, the code that confirms it excepted.
	EmailConfirmed bool   `json:"email_confirmed"`
	Phone          string `json:"phone"`
	Country        string `json:"country"`
	// One of en, sw, fr.
	Locale string `json:"locale"`
	// Of the first wallet.
	DefaultCurrency Currency `json:"default_currency"`
	// Moving money needs one.
	HasPin bool `json:"has_pin"`
	// A mail for money in and out.
	EmailReceipts bool `json:"email_receipts"`
	// No money can be moved.
	Frozen bool     `json:"frozen"`
	Roles  []string `json:"roles"`
	// ISO 8601, UTC
	CreatedAt time.Time `json:"created_at"`
}

// SignedIn is what POST /api/auth/register answers.
// Who you are, and what shows it
type SignedIn struct {
	// A JWT. Send it as `Authorization: Bearer …`.
	Token     string `json:"token"`
	TokenType string `json:"token_type"`
	// Seconds.
	ExpiresIn int `json:"expires_in"`
	// A person
	User User `json:"user"`
}

// LoginBody is what POST /api/auth/login takes.
// Exactly one of `email`, `phone` and `handle`.
type LoginBody struct {
	// Small and capital letters are the same.
	Email string `json:"email,omitempty"`
	// In international form (E.164).
	Phone string `json:"phone,omitempty"`
	// 3 to 20 of `a-z 0-9 _`, starts with a letter. Capitals become small, a leading `@` is ignored.
	Handle string `json:"handle,omitempty"`
	// The present password.
	Password string `json:"password"`
}

// RefreshBody is what POST /api/auth/refresh takes.
type RefreshBody struct {
	// The JWT, when it is not sent as `Authorization: Bearer`.
	Token string `json:"token,omitempty"`
}

// ForgotPasswordBody is what POST /api/auth/password/forgot takes.
// Exactly one of `email`, `phone` and `handle`.
type ForgotPasswordBody struct {
	// Small and capital letters are the same.
	Email string `json:"email,omitempty"`
	// In international form (E.164).
	Phone string `json:"phone,omitempty"`
	// 3 to 20 of `a-z 0-9 _`, starts with a letter. Capitals become small, a leading `@` is ignored.
	Handle string `json:"handle,omitempty"`
}

// ResetPasswordBody is what POST /api/auth/password/reset takes.
// The name that the code was asked for with, the code, and the new password.
type ResetPasswordBody struct {
	// Small and capital letters are the same.
	Email string `json:"email,omitempty"`
	// In international form (E.164).
	Phone string `json:"phone,omitempty"`
	// 3 to 20 of `a-z 0-9 _`, starts with a letter. Capitals become small, a leading `@` is ignored.
	Handle string `json:"handle,omitempty"`
	// From the mail. Small letters are fine, and so is leaving out the hyphen.
	Code string `json:"code"`
	// Any characters. What is guessed first (common words, own names, rows of keys) is refused.
	Password string `json:"password"`
}

// Session is one of what GET /api/auth/sessions answers.
// A login that is still good
type Session struct {
	ID string `json:"id"`
	// What the program calls itself.
	Device string `json:"device"`
	// Where it logged in from.
	Address string `json:"address"`
	// The login; ISO 8601, UTC.
	CreatedAt time.Time `json:"created_at"`
	// The latest login or refresh; ISO 8601, UTC.
	LastUsedAt time.Time `json:"last_used_at"`
	// The one this request belongs to.
	Current bool `json:"current"`
}

// Limits is a part of Me.
type Limits struct {
	// Of a single transfer, withdrawal or contribution.
	Least Amount `json:"least"`
	// Of a single one.
	Most Amount `json:"most"`
	// Of all that leave one wallet in any 24 hours.
	DailyMost Amount `json:"daily_most"`
}

// Me is what GET /api/me answers.
// You
type Me struct {
	// Opaque; never changes.
	ID string `json:"id"`
	// What others send money to.
	Handle string `json:"handle"`
	Name   string `json:"name"`
	Email  string `json:"email"`
	// Mails about the account go to a confirmed address only, the code that confirms it excepted.
	EmailConfirmed bool   `json:"email_confirmed"`
	Phone          string `json:"phone"`
	Country        string `json:"country"`
	// One of en, sw, fr.
	Locale string `json:"locale"`
	// Of the first wallet.
	DefaultCurrency Currency `json:"default_currency"`
	// Moving money needs one.
	HasPin bool `json:"has_pin"`
	// A mail for money in and out.
	EmailReceipts bool `json:"email_receipts"`
	// No money can be moved.
	Frozen bool     `json:"frozen"`
	Roles  []string `json:"roles"`
	// ISO 8601, UTC
	CreatedAt time.Time `json:"created_at"`
	// By currency.
	Limits map[Currency]Limits `json:"limits"`
}

// ChangeMeBody is what PATCH /api/me takes.
// What is left out stays as it is.
type ChangeMeBody struct {
	// As it is shown to others. Any script.
	Name string `json:"name,omitempty"`
	// The language of mails and pages. One of en, sw, fr.
	Locale string `json:"locale,omitempty"`
	// A mail for money in and out.
	EmailReceipts *bool `json:"email_receipts,omitempty"`
}

// SetPinBody is what PUT /api/me/pin takes.
type SetPinBody struct {
	// 4 to 6 digits, as text. Runs, repeats, years and the like are refused.
	Pin string `json:"pin"`
	// The present password.
	Password string `json:"password"`
}

// ChangePasswordBody is what PUT /api/me/password takes.
type ChangePasswordBody struct {
	// The present password.
	Password string `json:"password"`
	// Any characters. What is guessed first (common words, own names, rows of keys) is refused.
	NewPassword string `json:"new_password"`
}

// ChangeEmailBody is what PUT /api/me/email takes.
type ChangeEmailBody struct {
	// Small and capital letters are the same.
	Email string `json:"email"`
	// The present password.
	Password string `json:"password"`
}

// ChangePhoneBody is what PUT /api/me/phone takes.
type ChangePhoneBody struct {
	// In international form (E.164).
	Phone string `json:"phone"`
	// The present password.
	Password string `json:"password"`
}

// ConfirmEmailBody is what POST /api/auth/email/confirm takes.
type ConfirmEmailBody struct {
	// From the mail. Small letters are fine, and so is leaving out the hyphen.
	Code string `json:"code"`
}

// Wallet is one of what GET /api/wallets answers.
// A wallet
type Wallet struct {
	// Opaque; never changes.
	ID string `json:"id"`
	// One wallet a currency.
	Currency Currency `json:"currency"`
	Name     string   `json:"name"`
	// All that is in it.
	Balance Amount `json:"balance"`
	// What of it is set aside for something on its way, a withdrawal for example.
	Held Amount `json:"held"`
	// `balance` less `held`: what can be used.
	Available Amount `json:"available"`
	// The wallet in the currency of your country.
	IsDefault bool `json:"is_default"`
	// When it was opened; ISO 8601, UTC.
	CreatedAt time.Time `json:"created_at"`
}

// OpenWalletBody is what POST /api/wallets takes.
type OpenWalletBody struct {
	// A currency you have no wallet in yet.
	Currency Currency `json:"currency"`
}

// ListTransactionsQuery is the query of GET /api/transactions.
type ListTransactionsQuery struct {
	// Of this wallet only.
	Currency Currency `json:"currency,omitempty"`
	// One of transfer, deposit, withdrawal, payment, refund, group_contribution, group_payout, campaign_contribution, campaign_payout.
	Type string `json:"type,omitempty"`
	// `in`: what came in. `out`: what left. One of in, out.
	Direction string `json:"direction,omitempty"`
	// One of pending, completed, failed.
	Status string `json:"status,omitempty"`
	// From this moment on. A day begins at 00:00 UTC.
	From string `json:"from,omitempty"`
	// Before this moment. A day is taken whole, up to 24:00 UTC.
	To string `json:"to,omitempty"`
	// Words of the note, or a part of the name or handle of the other side; case and accents do not matter. A whole reference finds that one transaction.
	Q string `json:"q,omitempty"`
	// How many a page holds.
	Limit int `json:"limit,omitempty"`
	// `meta.next_cursor` of the page before.
	Cursor string `json:"cursor,omitempty"`
}

// Counterparty is a part of Transaction.
// The other side, as it was called at the time.
type Counterparty struct {
	// When it is a person.
	Handle string `json:"handle"`
	Name   string `json:"name"`
}

// Transaction is one of what GET /api/transactions answers.
// A transaction
type Transaction struct {
	// Short enough to read aloud.
	Reference string `json:"reference"`
	// One of transfer, deposit, withdrawal, payment, refund, group_contribution, group_payout, campaign_contribution, campaign_payout.
	Type string `json:"type"`
	// Seen from your wallet. One of in, out.
	Direction string `json:"direction"`
	// What moved in or out of your wallet; always above zero. Who sends a transfer sees the whole amount, who receives it what arrived.
	Amount Amount `json:"amount"`
	// What of it you paid as a fee, already inside `amount` when money left. 0 on the side that pays none.
	Fee      Amount   `json:"fee"`
	Currency Currency `json:"currency"`
	// One of pending, completed, failed.
	Status string `json:"status"`
	// The other side, as it was called at the time.
	Counterparty Counterparty `json:"counterparty"`
	Note         string       `json:"note"`
	// What was in the wallet afterwards; null while no money has moved.
	BalanceAfter Amount `json:"balance_after"`
	// ISO 8601, UTC
	CreatedAt time.Time `json:"created_at"`
}

// ExportTransactionsQuery is the query of GET /api/transactions.csv.
type ExportTransactionsQuery struct {
	// Of this wallet only.
	Currency Currency `json:"currency,omitempty"`
	// One of transfer, deposit, withdrawal, payment, refund, group_contribution, group_payout, campaign_contribution, campaign_payout.
	Type string `json:"type,omitempty"`
	// `in`: what came in. `out`: what left. One of in, out.
	Direction string `json:"direction,omitempty"`
	// One of pending, completed, failed.
	Status string `json:"status,omitempty"`
	// From this moment on. A day begins at 00:00 UTC.
	From string `json:"from,omitempty"`
	// Before this moment. A day is taken whole, up to 24:00 UTC.
	To string `json:"to,omitempty"`
	// Words of the note, or a part of the name or handle of the other side; case and accents do not matter. A whole reference finds that one transaction.
	Q string `json:"q,omitempty"`
}

// TransactionStep is a part of TransactionDetails.
type TransactionStep struct {
	// One of pending, completed, failed.
	Status string `json:"status"`
	// ISO 8601, UTC
	At time.Time `json:"at"`
}

// TransactionDetails is what GET /api/transactions/:reference answers.
// A transaction and its steps
type TransactionDetails struct {
	// Short enough to read aloud.
	Reference string `json:"reference"`
	// One of transfer, deposit, withdrawal, payment, refund, group_contribution, group_payout, campaign_contribution, campaign_payout.
	Type string `json:"type"`
	// Seen from your wallet. One of in, out.
	Direction string `json:"direction"`
	// What moved in or out of your wallet; always above zero. Who sends a transfer sees the whole amount, who receives it what arrived.
	Amount Amount `json:"amount"`
	// What of it you paid as a fee, already inside `amount` when money left. 0 on the side that pays none.
	Fee      Amount   `json:"fee"`
	Currency Currency `json:"currency"`
	// One of pending, completed, failed.
	Status string `json:"status"`
	// The other side, as it was called at the time.
	Counterparty Counterparty `json:"counterparty"`
	Note         string       `json:"note"`
	// What was in the wallet afterwards; null while no money has moved.
	BalanceAfter Amount `json:"balance_after"`
	// ISO 8601, UTC
	CreatedAt time.Time `json:"created_at"`
	// What became of it, the oldest first.
	Steps []TransactionStep `json:"steps"`
	// Why a deposit or a withdrawal failed; `note` says it in words.
	FailureCode string `json:"failure_code"`
}

// ListMethodsQuery is the query of GET /api/methods.
type ListMethodsQuery struct {
	// Three-letter code.
	Currency Currency `json:"currency"`
	// What it is for. One of deposit, withdrawal, payment.
	Purpose string `json:"purpose"`
}

// Method is one of what GET /api/methods answers.
type Method struct {
	// One of wallet, mpesa, mtn, airtel, paystack.
	ID string `json:"id"`
	// As people know it.
	Name string `json:"name"`
	// One of wallet, mobile_money, card, bank.
	Kind string `json:"kind"`
	// What must be given with it. Your own phone and e-mail address are taken for a deposit.
	Fields []string `json:"fields"`
	// How it did in the last five minutes. One that is down still takes orders, but may take long. One of up, degraded, down.
	Health string `json:"health"`
	// Phone numbers that begin so are probably of this provider.
	Prefixes []string `json:"prefixes"`
}

// InitiateDepositBody is what POST /api/deposit/initiate takes.
type InitiateDepositBody struct {
	// What arrives in your wallet. A deposit costs nothing.
	Amount Amount `json:"amount"`
	// Three-letter code.
	Currency Currency `json:"currency"`
	// One of `GET /api/methods`. One of mpesa, mtn, airtel, paystack.
	Method string `json:"method"`
	// The phone that pays. Without it yours is taken.
	Phone string `json:"phone,omitempty"`
	// For cards: where the provider sends its receipt. Without it yours is taken.
	Email string `json:"email,omitempty"`
}

// DepositFailure is a part of Deposit.
// When the provider refused it at once.
type DepositFailure struct {
	// One of insufficient_balance, cancelled_by_customer, phone_unreachable, expired, wrong_pin, payment_in_progress, payer_not_found, payer_limit_reached, recipient_not_found, recipient_not_allowed, amount_out_of_bounds, duplicate_transaction, provider_unavailable, provider_config, provider_error, another_amount.
	Code    string `json:"code"`
	Message string `json:"message"`
}

// Deposit is what POST /api/deposit/initiate answers.
type Deposit struct {
	// Short enough to read aloud.
	Reference string `json:"reference"`
	// What becomes of it is in your history, under the reference. One of pending, completed, failed.
	Status string `json:"status"`
	// One of `GET /api/methods`. One of mpesa, mtn, airtel, paystack.
	Method string `json:"method"`
	Amount Amount `json:"amount"`
	// Three-letter code.
	Currency Currency `json:"currency"`
	// What to do next, in your language.
	Instructions string `json:"instructions"`
	// The provider's own page, where you pay: for cards.
	RedirectURL string `json:"redirect_url"`
	// When the provider refused it at once.
	Failure DepositFailure `json:"failure"`
}

// PreviewWithdrawalBody is what POST /api/withdraw/preview takes.
type PreviewWithdrawalBody struct {
	// What arrives at the provider. The fee leaves your wallet beside it.
	Amount Amount `json:"amount"`
	// Three-letter code.
	Currency Currency `json:"currency"`
	// One of `GET /api/methods`. One of mpesa, mtn, airtel, paystack.
	Method string `json:"method"`
	// The phone that gets the money.
	Phone string `json:"phone,omitempty"`
	// For methods that pay to a bank account: the code of the bank and the number.
	Account string `json:"account,omitempty"`
}

// WithdrawalPreview is what POST /api/withdraw/preview answers.
type WithdrawalPreview struct {
	// What arrives.
	Amount Amount `json:"amount"`
	// What leaves your wallet beside it.
	Fee Amount `json:"fee"`
	// What is held at once: both together.
	Total Amount `json:"total"`
	// Three-letter code.
	Currency Currency `json:"currency"`
	// What you could still spend; negative when it does not suffice.
	BalanceAfter Amount `json:"balance_after"`
	// Is there enough in the wallet now?
	Sufficient bool `json:"sufficient"`
}

// WithdrawBody is what POST /api/withdraw takes.
type WithdrawBody struct {
	// What arrives at the provider. The fee leaves your wallet beside it.
	Amount Amount `json:"amount"`
	// Three-letter code.
	Currency Currency `json:"currency"`
	// One of `GET /api/methods`. One of mpesa, mtn, airtel, paystack.
	Method string `json:"method"`
	// The phone that gets the money.
	Phone string `json:"phone,omitempty"`
	// For methods that pay to a bank account: the code of the bank and the number.
	Account string `json:"account,omitempty"`
	// The transaction PIN, as text.
	Pin string `json:"pin"`
}

// Withdrawal is what POST /api/withdraw answers.
type Withdrawal struct {
	// Short enough to read aloud.
	Reference string `json:"reference"`
	// What becomes of it is in your history, under the reference. One of pending, completed, failed.
	Status string `json:"status"`
	// One of `GET /api/methods`. One of mpesa, mtn, airtel, paystack.
	Method string `json:"method"`
	// What arrives.
	Amount Amount `json:"amount"`
	// What leaves your wallet beside it.
	Fee Amount `json:"fee"`
	// Three-letter code.
	Currency Currency `json:"currency"`
	// What to do next, in your language.
	Instructions string `json:"instructions"`
}

// CreateCampaignBody is what POST /api/campaigns takes.
type CreateCampaignBody struct {
	// Fixed once somebody has contributed.
	Title string `json:"title"`
	// What the money is for. Plain text; empty lines part paragraphs.
	Story string `json:"story"`
	// Three-letter code.
	Currency Currency `json:"currency"`
	// What is to be raised. It may become more.
	GoalAmount Amount `json:"goal_amount"`
	// Nobody can contribute from then on; within a year. ISO 8601.
	EndsAt string `json:"ends_at,omitempty"`
	// Default: `other`. One of business, community, education, emergency, environment, faith, family, health, memorial, other.
	Category string `json:"category,omitempty"`
	// A picture, by https. It is shown from where it is.
	CoverURL string `json:"cover_url,omitempty"`
}

// CampaignHalt is a part of Campaign.
// By an operator: nobody can contribute, and nothing can be taken out.
type CampaignHalt struct {
	Reason string `json:"reason"`
	// ISO 8601, UTC
	Since time.Time `json:"since"`
}

// Person is a part of Campaign.
type Person struct {
	Handle string `json:"handle"`
	Name   string `json:"name"`
}

// Campaign is what POST /api/campaigns answers.
type Campaign struct {
	ID    string `json:"id"`
	Title string `json:"title"`
	Story string `json:"story"`
	// One of business, community, education, emergency, environment, faith, family, health, memorial, other.
	Category string `json:"category"`
	CoverURL string `json:"cover_url"`
	// Three-letter code.
	Currency   Currency `json:"currency"`
	GoalAmount Amount   `json:"goal_amount"`
	// What came in, less what went back. What the owner has taken out still counts.
	RaisedAmount Amount `json:"raised_amount"`
	// Everybody once.
	ContributorCount int `json:"contributor_count"`
	// Whole percent of the goal; may be more than 100.
	Progress int `json:"progress"`
	// Also a paused one is `active`: see `paused`. One of active, ended.
	Status string `json:"status"`
	// By an operator: nobody can contribute, and nothing can be taken out.
	Paused *CampaignHalt `json:"paused"`
	// By an operator: its money goes back to who gave it.
	Returned *CampaignHalt `json:"returned"`
	Owner    Person        `json:"owner"`
	// Its public page.
	URL string `json:"url"`
	// ISO 8601, UTC
	EndsAt *time.Time `json:"ends_at"`
	// ISO 8601, UTC
	CreatedAt time.Time `json:"created_at"`
	// What can be taken out. Shown to its owner.
	Balance Amount `json:"balance"`
	// With the fees. Shown to its owner.
	WithdrawnAmount Amount `json:"withdrawn_amount"`
}

// ListOwnCampaignsQuery is the query of GET /api/campaigns.
type ListOwnCampaignsQuery struct {
	// How many a page holds.
	Limit int `json:"limit,omitempty"`
	// `meta.next_cursor` of the page before.
	Cursor string `json:"cursor,omitempty"`
}

// BrowseCampaignsQuery is the query of GET /api/campaigns/browse.
type BrowseCampaignsQuery struct {
	// How many a page holds.
	Limit int `json:"limit,omitempty"`
	// `meta.next_cursor` of the page before.
	Cursor string `json:"cursor,omitempty"`
	// Words of the title or the story: all of them; the last one may go on.
	Q string `json:"q,omitempty"`
	// One of business, community, education, emergency, environment, faith, family, health, memorial, other.
	Category string `json:"category,omitempty"`
	// Three-letter code.
	Currency Currency `json:"currency,omitempty"`
	// `ending`: soonest first. `most_funded`: by the part of the goal. Default: `newest`. One of newest, ending, most_funded.
	Sort string `json:"sort,omitempty"`
}

// ListedCampaign is one of what GET /api/campaigns/browse answers.
type ListedCampaign struct {
	ID    string `json:"id"`
	Title string `json:"title"`
	Story string `json:"story"`
	// One of business, community, education, emergency, environment, faith, family, health, memorial, other.
	Category string `json:"category"`
	CoverURL string `json:"cover_url"`
	// Three-letter code.
	Currency   Currency `json:"currency"`
	GoalAmount Amount   `json:"goal_amount"`
	// What came in, less what went back. What the owner has taken out still counts.
	RaisedAmount Amount `json:"raised_amount"`
	// Everybody once.
	ContributorCount int `json:"contributor_count"`
	// Whole percent of the goal; may be more than 100.
	Progress int `json:"progress"`
	// Also a paused one is `active`: see `paused`. One of active, ended.
	Status string `json:"status"`
	// By an operator: nobody can contribute, and nothing can be taken out.
	Paused *CampaignHalt `json:"paused"`
	// By an operator: its money goes back to who gave it.
	Returned *CampaignHalt `json:"returned"`
	Owner    Person        `json:"owner"`
	// Its public page.
	URL string `json:"url"`
	// ISO 8601, UTC
	EndsAt *time.Time `json:"ends_at"`
	// ISO 8601, UTC
	CreatedAt time.Time `json:"created_at"`
}

// ChangeCampaignBody is what PATCH /api/campaigns/:id takes.
type ChangeCampaignBody struct {
	// Fixed once somebody has contributed.
	Title string `json:"title,omitempty"`
	// What the money is for. Plain text; empty lines part paragraphs.
	Story      string `json:"story,omitempty"`
	GoalAmount Amount `json:"goal_amount,omitempty"`
	// Nobody can contribute from then on; within a year. ISO 8601.
	EndsAt *Nullable `json:"ends_at,omitempty"`
	// Default: `other`. One of business, community, education, emergency, environment, faith, family, health, memorial, other.
	Category string `json:"category,omitempty"`
	// A picture, by https. It is shown from where it is.
	CoverURL *Nullable `json:"cover_url,omitempty"`
}

// ContributeToCampaignBody is what POST /api/campaigns/:id/contribute takes.
type ContributeToCampaignBody struct {
	// In the campaign's currency. All of it arrives.
	Amount Amount `json:"amount"`
	// The transaction PIN, as text.
	Pin string `json:"pin"`
	// For everybody to see.
	Message string `json:"message,omitempty"`
	// Your name is shown to nobody but operators. The amount is.
	Anonymous *bool `json:"anonymous,omitempty"`
}

// CampaignTitle is a part of CampaignContribution.
type CampaignTitle struct {
	ID    string `json:"id"`
	Title string `json:"title"`
}

// CampaignContribution is what POST /api/campaigns/:id/contribute answers.
type CampaignContribution struct {
	Reference string        `json:"reference"`
	Campaign  CampaignTitle `json:"campaign"`
	// What left your wallet and has arrived.
	Amount Amount `json:"amount"`
	// Three-letter code.
	Currency Currency `json:"currency"`
	// Contributions are free.
	Fee       Amount `json:"fee"`
	Message   string `json:"message"`
	Anonymous bool   `json:"anonymous"`
	// ISO 8601, UTC
	CreatedAt time.Time `json:"created_at"`
}

// WithdrawFromCampaignBody is what POST /api/campaigns/:id/withdraw takes.
type WithdrawFromCampaignBody struct {
	// The fee is taken from it. Default: all there is.
	Amount Amount `json:"amount,omitempty"`
	// The transaction PIN, as text.
	Pin string `json:"pin"`
}

// CampaignWithdrawal is what POST /api/campaigns/:id/withdraw answers.
type CampaignWithdrawal struct {
	Reference string `json:"reference"`
	// What left the campaign.
	Amount Amount `json:"amount"`
	// Three-letter code.
	Currency  Currency `json:"currency"`
	Fee       Amount   `json:"fee"`
	OwnerGets Amount   `json:"owner_gets"`
}

// PreviewCampaignWithdrawalBody is what POST /api/campaigns/:id/withdraw/preview takes.
type PreviewCampaignWithdrawalBody struct {
	// The fee is taken from it. Default: all there is.
	Amount Amount `json:"amount,omitempty"`
}

// CampaignWithdrawalPreview is what POST /api/campaigns/:id/withdraw/preview answers.
type CampaignWithdrawalPreview struct {
	// What would leave the campaign.
	Amount Amount `json:"amount"`
	// Three-letter code.
	Currency  Currency `json:"currency"`
	Fee       Amount   `json:"fee"`
	OwnerGets Amount   `json:"owner_gets"`
}

// ListContributionsItem is one of what GET /api/campaigns/:id/contributions answers.
type ListContributionsItem struct {
	// Null: anonymous, or not told.
	Name   string `json:"name"`
	Amount Amount `json:"amount"`
	// Three-letter code.
	Currency  Currency `json:"currency"`
	Message   string   `json:"message"`
	Anonymous bool     `json:"anonymous"`
	// What went back of it.
	ReturnedAmount Amount `json:"returned_amount"`
	// ISO 8601, UTC
	CreatedAt time.Time `json:"created_at"`
}

// ListCampaignUpdatesItem is one of what GET /api/campaigns/:id/updates answers.
type ListCampaignUpdatesItem struct {
	ID   string `json:"id"`
	Text string `json:"text"`
	// ISO 8601, UTC
	CreatedAt time.Time `json:"created_at"`
}

// AddCampaignUpdateBody is what POST /api/campaigns/:id/updates takes.
type AddCampaignUpdateBody struct {
	// News for everybody who looks at the campaign.
	Text string `json:"text"`
}

// PreviewTransferBody is what POST /api/send/preview takes.
type PreviewTransferBody struct {
	// The recipient's handle.
	Recipient string `json:"recipient"`
	// What leaves your wallet. The fee is taken from it.
	Amount Amount `json:"amount"`
	// Three-letter code.
	Currency Currency `json:"currency"`
	// For both to see.
	Note string `json:"note,omitempty"`
}

// TransferPreview is what POST /api/send/preview answers.
type TransferPreview struct {
	// What leaves your wallet.
	Amount Amount `json:"amount"`
	// Three-letter code.
	Currency Currency `json:"currency"`
	// What is taken from it.
	Fee           Amount `json:"fee"`
	RecipientGets Amount `json:"recipient_gets"`
	Recipient     Person `json:"recipient"`
	// What you could still spend; negative when it does not suffice.
	BalanceAfter Amount `json:"balance_after"`
	// Is there enough in the wallet now?
	Sufficient bool `json:"sufficient"`
}

// SendMoneyBody is what POST /api/send takes.
type SendMoneyBody struct {
	// The recipient's handle.
	Recipient string `json:"recipient"`
	// What leaves your wallet. The fee is taken from it.
	Amount Amount `json:"amount"`
	// Three-letter code.
	Currency Currency `json:"currency"`
	// For both to see.
	Note string `json:"note,omitempty"`
	// The transaction PIN, as text.
	Pin string `json:"pin"`
}

// Transfer is what POST /api/send answers.
type Transfer struct {
	// Short enough to read aloud.
	Reference string `json:"reference"`
	// What left your wallet.
	Amount Amount `json:"amount"`
	// Three-letter code.
	Currency      Currency `json:"currency"`
	Fee           Amount   `json:"fee"`
	RecipientGets Amount   `json:"recipient_gets"`
}

// Recipient is one of what GET /api/recipients answers.
type Recipient struct {
	Handle string `json:"handle"`
	Name   string `json:"name"`
	// ISO 8601, UTC
	LastSentAt time.Time `json:"last_sent_at"`
}

// CreateMoneyRequestBody is what POST /api/requests takes.
type CreateMoneyRequestBody struct {
	// Who should pay.
	From string `json:"from"`
	// What leaves their wallet. The fee is taken from it.
	Amount Amount `json:"amount"`
	// Three-letter code.
	Currency Currency `json:"currency"`
	// For both to see.
	Note string `json:"note,omitempty"`
}

// MoneyRequest is what POST /api/requests answers.
type MoneyRequest struct {
	ID string `json:"id"`
	// `in`: you are asked to pay. `out`: you asked. One of in, out.
	Direction    string `json:"direction"`
	Counterparty Person `json:"counterparty"`
	// What leaves the wallet of the one who pays.
	Amount Amount `json:"amount"`
	// What is taken from it when it is paid.
	Fee Amount `json:"fee"`
	// Three-letter code.
	Currency Currency `json:"currency"`
	Note     string   `json:"note"`
	// One of pending, paid, declined, cancelled, expired.
	Status string `json:"status"`
	// Of the transfer that paid it.
	Reference string `json:"reference"`
	// ISO 8601, UTC
	CreatedAt time.Time `json:"created_at"`
	// It can be paid until then.
	ExpiresAt time.Time `json:"expires_at"`
	// ISO 8601, UTC
	DecidedAt *time.Time `json:"decided_at"`
}

// ListMoneyRequestsQuery is the query of GET /api/requests.
type ListMoneyRequestsQuery struct {
	// How many a page holds.
	Limit int `json:"limit,omitempty"`
	// `meta.next_cursor` of the page before.
	Cursor string `json:"cursor,omitempty"`
	// Only those you are asked for, or you asked for. One of in, out.
	Direction string `json:"direction,omitempty"`
	// One of pending, paid, declined, cancelled, expired.
	Status string `json:"status,omitempty"`
}

// PayMoneyRequestBody is what POST /api/requests/:id/pay takes.
type PayMoneyRequestBody struct {
	// The transaction PIN, as text.
	Pin string `json:"pin"`
}

// CreateGroupBody is what POST /api/groups takes.
type CreateGroupBody struct {
	// What members call it.
	Name string `json:"name"`
	// What it is for.
	Description string `json:"description,omitempty"`
	// Three-letter code.
	Currency Currency `json:"currency"`
	// `rotating`: each cycle everybody pays the same and one gets the pot. `goal`: everybody gives what they can, and members decide together what it is spent on. One of rotating, goal.
	Kind string `json:"kind"`
	// Rotating: what each pays in a cycle. Goal: the least that may be given at once.
	ContributionAmount Amount `json:"contribution_amount,omitempty"`
	// Of the cycles of a rotating group. One of weekly, monthly.
	Frequency string `json:"frequency,omitempty"`
	// Of a goal group.
	GoalAmount Amount `json:"goal_amount,omitempty"`
	// What who pays late pays beside the contribution. It is kept in the pot: who waited for it gets it.
	LateFine Amount `json:"late_fine,omitempty"`
	// 30 if not said otherwise.
	MaxMembers int `json:"max_members,omitempty"`
	// `public`: everybody can find it and join. `private`: only with the invitation code. One of private, public.
	Visibility string `json:"visibility"`
	// Where its days end; if not said, where its currency is at home.
	TimeZone string `json:"time_zone,omitempty"`
}

// GroupCycle is a part of Group.
type GroupCycle struct {
	Number int `json:"number"`
	Round  int `json:"round"`
	// How many cycles the round has: one for each who takes part.
	Of int `json:"of"`
	// The end of the day in the time zone of the group.
	DueAt time.Time `json:"due_at"`
	// Is that over?
	Late bool `json:"late"`
	// For whom it is paid, the first first.
	PaidBy       []Person `json:"paid_by"`
	NextPayoutTo *Person  `json:"next_payout_to"`
	// What you have to pay now, a fine included; null when it is nothing.
	YourDue Amount `json:"your_due"`
}

// Group is what POST /api/groups answers.
type Group struct {
	ID          string `json:"id"`
	Name        string `json:"name"`
	Description string `json:"description"`
	// Three-letter code.
	Currency Currency `json:"currency"`
	// One of rotating, goal.
	Kind               string `json:"kind"`
	ContributionAmount Amount `json:"contribution_amount"`
	// One of weekly, monthly.
	Frequency  string `json:"frequency"`
	GoalAmount Amount `json:"goal_amount"`
	LateFine   Amount `json:"late_fine"`
	TimeZone   string `json:"time_zone"`
	// What is in the pot, as the ledger has it.
	Balance     Amount `json:"balance"`
	MemberCount int    `json:"member_count"`
	MaxMembers  int    `json:"max_members"`
	// One of private, public.
	Visibility string `json:"visibility"`
	// Yours; null when you are not a member. One of chair, treasurer, member.
	Role  string      `json:"role"`
	Cycle *GroupCycle `json:"cycle"`
	// For members.
	InviteCode string `json:"invite_code"`
	// For members: the code as a link.
	InviteURL string `json:"invite_url"`
	// ISO 8601, UTC
	CreatedAt time.Time `json:"created_at"`
}

// ListGroupsQuery is the query of GET /api/groups.
type ListGroupsQuery struct {
	// How many a page holds.
	Limit int `json:"limit,omitempty"`
	// `meta.next_cursor` of the page before.
	Cursor string `json:"cursor,omitempty"`
	// `mine` (if not said otherwise), or public ones that you could join. One of mine, discover.
	Scope string `json:"scope,omitempty"`
	// Three-letter code.
	Currency Currency `json:"currency,omitempty"`
	// One of rotating, goal.
	Kind string `json:"kind,omitempty"`
}

// ChangeGroupBody is what PATCH /api/groups/:id takes.
type ChangeGroupBody struct {
	// What members call it.
	Name string `json:"name,omitempty"`
	// What it is for.
	Description string `json:"description,omitempty"`
	// One of private, public.
	Visibility string `json:"visibility,omitempty"`
	// 30 if not said otherwise.
	MaxMembers int `json:"max_members,omitempty"`
	// From the next round on; 0 for none.
	LateFine Amount `json:"late_fine,omitempty"`
}

// GroupMember is a part of GroupDetails.
type GroupMember struct {
	Handle string `json:"handle"`
	Name   string `json:"name"`
	// One of chair, treasurer, member.
	Role string `json:"role"`
	// ISO 8601, UTC
	JoinedAt time.Time `json:"joined_at"`
	// Place in the order of the open round.
	Turn *int `json:"turn"`
	// The pot, in this round.
	HasReceived *bool `json:"has_received"`
	// In this cycle.
	HasPaid *bool `json:"has_paid"`
	Late    bool  `json:"late"`
}

// GroupSeat is a part of GroupRound.
type GroupSeat struct {
	Turn   int    `json:"turn"`
	Member Person `json:"member"`
	// One of waiting, received, left.
	Status          string `json:"status"`
	ReceivedInCycle *int   `json:"received_in_cycle"`
	// The member who may take it over; null when nobody may.
	OfferedTo *Person `json:"offered_to"`
}

// GroupDrawWord is a part of GroupDraw.
type GroupDrawWord struct {
	Handle string `json:"handle"`
	Word   string `json:"word"`
}

// GroupDraw is a part of GroupRound.
type GroupDraw struct {
	// SHA-256 of the seed, published before the start.
	Commitment string `json:"commitment"`
	// Shown from the start on.
	Seed  string          `json:"seed"`
	Words []GroupDrawWord `json:"words"`
}

// GroupRound is a part of GroupDetails.
type GroupRound struct {
	Number int `json:"number"`
	// One of announced, open, done, dissolved.
	Status string `json:"status"`
	// How the order was made; null before the start. One of join, draw, hand.
	Order string `json:"order"`
	Cycle *int   `json:"cycle"`
	// ISO 8601, UTC
	DueAt *time.Time `json:"due_at"`
	// In the order in which they receive.
	Seats []GroupSeat `json:"seats"`
	Draw  *GroupDraw  `json:"draw"`
	// ISO 8601, UTC
	AnnouncedAt *time.Time `json:"announced_at"`
	// ISO 8601, UTC
	StartedAt *time.Time `json:"started_at"`
	// ISO 8601, UTC
	EndedAt *time.Time `json:"ended_at"`
}

// GroupDebt is a part of GroupDetails.
type GroupDebt struct {
	From Person `json:"from"`
	To   Person `json:"to"`
	// What is left of it.
	Amount Amount `json:"amount"`
	// `missed`: a contribution that did not come. `left`: what is given back to who left before their turn. One of missed, left.
	Why   string `json:"why"`
	Round int    `json:"round"`
}

// GroupNews is a part of GroupDetails.
type GroupNews struct {
	// What happened: `contributed`, `pot`, `joined`, …
	Type   string  `json:"type"`
	By     *Person `json:"by"`
	Member *Person `json:"member"`
	Amount Amount  `json:"amount"`
	// Of the amount.
	Fine      Amount `json:"fine"`
	Round     *int   `json:"round"`
	Cycle     *int   `json:"cycle"`
	Note      string `json:"note"`
	Reference string `json:"reference"`
	// The number of the entry in the account: ask for its receipt.
	Entry *int `json:"entry"`
	// ISO 8601, UTC
	CreatedAt time.Time `json:"created_at"`
}

// GroupDetails is what GET /api/groups/:id answers.
type GroupDetails struct {
	ID          string `json:"id"`
	Name        string `json:"name"`
	Description string `json:"description"`
	// Three-letter code.
	Currency Currency `json:"currency"`
	// One of rotating, goal.
	Kind               string `json:"kind"`
	ContributionAmount Amount `json:"contribution_amount"`
	// One of weekly, monthly.
	Frequency  string `json:"frequency"`
	GoalAmount Amount `json:"goal_amount"`
	LateFine   Amount `json:"late_fine"`
	TimeZone   string `json:"time_zone"`
	// What is in the pot, as the ledger has it.
	Balance     Amount `json:"balance"`
	MemberCount int    `json:"member_count"`
	MaxMembers  int    `json:"max_members"`
	// One of private, public.
	Visibility string `json:"visibility"`
	// Yours; null when you are not a member. One of chair, treasurer, member.
	Role  string      `json:"role"`
	Cycle *GroupCycle `json:"cycle"`
	// For members.
	InviteCode string `json:"invite_code"`
	// For members: the code as a link.
	InviteURL string `json:"invite_url"`
	// ISO 8601, UTC
	CreatedAt time.Time `json:"created_at"`
	// For members, in the order of joining.
	Members []GroupMember `json:"members"`
	Round   *GroupRound   `json:"round"`
	// What members owe each other.
	Debts []GroupDebt `json:"debts"`
	// What happened lately, the newest first.
	Feed []GroupNews `json:"feed"`
}

// JoinGroupBody is what POST /api/groups/:id/join takes.
type JoinGroupBody struct {
	// As it was told; dashes, spaces and case do not matter.
	InviteCode string `json:"invite_code,omitempty"`
}

// JoinGroupByCodeBody is what POST /api/groups/join takes.
type JoinGroupByCodeBody struct {
	// As it was told; dashes, spaces and case do not matter.
	InviteCode string `json:"invite_code"`
}

// ChangeGroupRoleBody is what PUT /api/groups/:id/members/:handle/role takes.
type ChangeGroupRoleBody struct {
	// One of chair, treasurer, member.
	Role string `json:"role"`
}

// ContributeToGroupBody is what POST /api/groups/:id/contribute takes.
type ContributeToGroupBody struct {
	// Rotating: exactly what is due. Goal: what you like to give.
	Amount Amount `json:"amount"`
	// The transaction PIN, as text.
	Pin string `json:"pin"`
	// For all members to see.
	Note string `json:"note,omitempty"`
	// Of the member you pay for.
	OnBehalfOf string `json:"on_behalf_of,omitempty"`
	// Rotating: the open cycle, or what is owed from before. If not said, the cycle when that is due. One of cycle, debts.
	Toward string `json:"toward,omitempty"`
}

// GroupName is a part of GroupContribution.
type GroupName struct {
	ID   string `json:"id"`
	Name string `json:"name"`
}

// GroupContributionPayout is a part of GroupContribution.
// It was the last one: the pot went out.
type GroupContributionPayout struct {
	To     Person `json:"to"`
	Amount Amount `json:"amount"`
}

// GroupContribution is what POST /api/groups/:id/contribute answers.
type GroupContribution struct {
	Reference string `json:"reference"`
	// What left your wallet.
	Amount Amount `json:"amount"`
	// Of it, for being late.
	Fine Amount `json:"fine"`
	// Three-letter code.
	Currency Currency  `json:"currency"`
	Group    GroupName `json:"group"`
	Member   Person    `json:"member"`
	// One of cycle, debts, goal.
	Toward string `json:"toward"`
	Cycle  *int   `json:"cycle"`
	// What is in the pot afterwards.
	Balance Amount `json:"balance"`
	// It was the last one: the pot went out.
	Payout *GroupContributionPayout `json:"payout"`
}

// GetGroupStatementQuery is the query of GET /api/groups/:id/statement.
type GetGroupStatementQuery struct {
	// How many a page holds.
	Limit int `json:"limit,omitempty"`
	// `meta.next_cursor` of the page before.
	Cursor string `json:"cursor,omitempty"`
	// Another member; your own if not said.
	Member string `json:"member,omitempty"`
}

// GroupStatement is what GET /api/groups/:id/statement answers.
type GroupStatement struct {
	Member Person `json:"member"`
	// Three-letter code.
	Currency Currency `json:"currency"`
	// Into the pot, fines and what was paid for others included.
	Paid Amount `json:"paid"`
	// Of that, for being late.
	Fines Amount `json:"fines"`
	// Of that, for other members.
	PaidForOthers Amount `json:"paid_for_others"`
	// Contributions that came back.
	Returned Amount `json:"returned"`
	// Pots, payouts, and what was owed.
	Received Amount `json:"received"`
	// To other members, still.
	Owes Amount `json:"owes"`
	// By other members, still.
	IsOwed    Amount      `json:"is_owed"`
	Movements []GroupNews `json:"movements"`
}

// GroupHead is what GET /api/groups/:id/head answers.
type GroupHead struct {
	Format string `json:"format"`
	Group  string `json:"group"`
	// Three-letter code.
	Currency Currency `json:"currency"`
	// Of the ledger.
	Account string `json:"account"`
	// How many entries the account has.
	Seq string `json:"seq"`
	// Of the latest entry: it covers all before it.
	Hash string `json:"hash"`
	// In minor units.
	Balance string `json:"balance"`
	// ISO 8601, UTC
	At *time.Time `json:"at"`
}

// GetGroupReceiptQuery is the query of GET /api/groups/:id/entries/:seq/receipt.
type GetGroupReceiptQuery struct {
	// Up to this entry; if not said, up to the latest.
	To string `json:"to,omitempty"`
}

// GroupReceiptEntryPosting is a part of GroupReceiptEntry.
type GroupReceiptEntryPosting struct {
	// Of the ledger.
	ID string `json:"id"`
	// Since 1970, in milliseconds.
	TimeMS string `json:"time_ms"`
	Kind   string `json:"kind"`
	// The exact text that was hashed.
	Details string `json:"details"`
}

// GroupReceiptEntry is a part of GroupReceipt.
type GroupReceiptEntry struct {
	// Without gaps, from 1 on.
	Seq string `json:"seq"`
	// In minor units; negative when it left the pot.
	Amount string `json:"amount"`
	// In minor units.
	BalanceAfter string `json:"balance_after"`
	// In minor units.
	HeldAfter string `json:"held_after"`
	// Of the entry before it.
	Before string `json:"before"`
	// In minor units.
	BalanceBefore string                   `json:"balance_before"`
	Posting       GroupReceiptEntryPosting `json:"posting"`
}

// GroupReceiptLater is a part of GroupReceipt.
type GroupReceiptLater struct {
	// Without gaps, from 1 on.
	Seq string `json:"seq"`
	// In minor units; negative when it left the pot.
	Amount string `json:"amount"`
	// In minor units.
	BalanceAfter string `json:"balance_after"`
	// In minor units.
	HeldAfter string `json:"held_after"`
	// Of its posting.
	Digest string `json:"digest"`
}

// GroupReceipt is what GET /api/groups/:id/entries/:seq/receipt answers.
type GroupReceipt struct {
	Format string              `json:"format"`
	Entry  GroupReceiptEntry   `json:"entry"`
	Later  []GroupReceiptLater `json:"later"`
	Head   GroupHead           `json:"head"`
}

// AddGroupDrawWordBody is what POST /api/groups/:id/draw/word takes.
type AddGroupDrawWordBody struct {
	// Anything: it goes into the draw.
	Word string `json:"word"`
}

// StartGroupRoundBody is what POST /api/groups/:id/start takes.
type StartGroupRoundBody struct {
	// Of joining, drawn (announce the draw first), or by hand. One of join, draw, hand.
	Order string `json:"order"`
	// By hand: all, the first to receive first.
	Members []string `json:"members,omitempty"`
}

// OfferGroupSeatBody is what POST /api/groups/:id/seat/offer takes.
type OfferGroupSeatBody struct {
	// A member who has no seat in this round.
	To string `json:"to"`
}

// ProposeGroupPayoutBody is what POST /api/groups/:id/payouts takes.
type ProposeGroupPayoutBody struct {
	// The member who gets it.
	To     string `json:"to"`
	Amount Amount `json:"amount"`
	// For the others, who decide.
	Reason string `json:"reason"`
}

// GroupPayout is what POST /api/groups/:id/payouts answers.
type GroupPayout struct {
	ID         string `json:"id"`
	ProposedBy Person `json:"proposed_by"`
	To         Person `json:"to"`
	Amount     Amount `json:"amount"`
	// Three-letter code.
	Currency Currency `json:"currency"`
	Reason   string   `json:"reason"`
	// One of open, paid, cancelled, expired.
	Status string `json:"status"`
	// Of those who are members now.
	Approvals int `json:"approvals"`
	// More than half of the other members; more, while too few of those approve who had been members for 7 days when it was proposed.
	ApprovalsNeeded int      `json:"approvals_needed"`
	ApprovedBy      []Person `json:"approved_by"`
	ApprovedByYou   bool     `json:"approved_by_you"`
	// `money`: there is too little in the pot. One of approvals, money.
	WaitingFor string `json:"waiting_for"`
	Reference  string `json:"reference"`
	// ISO 8601, UTC
	CreatedAt time.Time `json:"created_at"`
	// ISO 8601, UTC
	ExpiresAt time.Time `json:"expires_at"`
	// ISO 8601, UTC
	DecidedAt *time.Time `json:"decided_at"`
}

// ListGroupPayoutsQuery is the query of GET /api/groups/:id/payouts.
type ListGroupPayoutsQuery struct {
	// How many a page holds.
	Limit int `json:"limit,omitempty"`
	// `meta.next_cursor` of the page before.
	Cursor string `json:"cursor,omitempty"`
	// One of open, paid, cancelled, expired.
	Status string `json:"status,omitempty"`
}

// RegisterMerchantBody is what POST /api/merchant/register takes.
type RegisterMerchantBody struct {
	// As customers see it.
	BusinessName string `json:"business_name"`
	// What it sells, in a word or two.
	Category string `json:"category"`
	// Of the business. In live mode customers are sent back to it, or below it, only.
	WebsiteURL string `json:"website_url"`
	// Where outcomes of gateway payments are posted, when a payment names no address of its own.
	IPNURL string `json:"ipn_url,omitempty"`
	// Where events of `/api/pay` payments are posted, when a payment names no address of its own.
	CallbackURL string `json:"callback_url,omitempty"`
	// What the business reckons in. Default: the currency of your country.
	SettlementCurrency Currency `json:"settlement_currency,omitempty"`
}

// ModeCredentials is a part of MerchantCredentials.
type ModeCredentials struct {
	// Names the key; null when there is none yet.
	ApiKeyPrefix string `json:"api_key_prefix"`
	// To the minute.
	ApiKeyLastUsedAt *time.Time `json:"api_key_last_used_at"`
	// After a rotation: until then the key before works too.
	ApiKeyPreviousValidUntil *time.Time `json:"api_key_previous_valid_until"`
	ClientSecretSet          bool       `json:"client_secret_set"`
	// ISO 8601, UTC
	ClientSecretPreviousValidUntil *time.Time `json:"client_secret_previous_valid_until"`
	// Only when it is made. A live key also in further looks of the owner for ten minutes, until it is used.
	ApiKey string `json:"api_key"`
	// Only when it is made, with the API key.
	ClientSecret string `json:"client_secret"`
}

// MerchantCredentials is a part of Merchant.
type MerchantCredentials struct {
	Live ModeCredentials `json:"live"`
	Test ModeCredentials `json:"test"`
}

// Merchant is what POST /api/merchant/register answers.
type Merchant struct {
	// The Merchant ID of the gateway.
	MerchantID   int    `json:"merchant_id"`
	BusinessName string `json:"business_name"`
	Category     string `json:"category"`
	WebsiteURL   string `json:"website_url"`
	// Live payments need `approved`; test mode works from the start. One of pending, approved, rejected, suspended.
	Status string `json:"status"`
	// When the application is to be reviewed at the latest.
	ReviewDueAt time.Time `json:"review_due_at"`
	// ISO 8601, UTC
	ReviewedAt *time.Time `json:"reviewed_at"`
	// Why it was rejected. It may apply again.
	RejectionReason    string              `json:"rejection_reason"`
	SuspensionReason   string              `json:"suspension_reason"`
	IPNURL             string              `json:"ipn_url"`
	CallbackURL        string              `json:"callback_url"`
	SettlementCurrency Currency            `json:"settlement_currency"`
	RedirectHosts      []string            `json:"redirect_hosts"`
	AllowedAddresses   []string            `json:"allowed_addresses"`
	Credentials        MerchantCredentials `json:"credentials"`
	// What header names begin with at this service, in your requests (`SVC-API-Key`) and in notifications (`SVC-Signature`).
	HeaderPrefix string `json:"header_prefix"`
	// ISO 8601, UTC
	CreatedAt time.Time `json:"created_at"`
}

// ChangeMerchantBody is what PATCH /api/merchant takes.
type ChangeMerchantBody struct {
	// Of the business. In live mode customers are sent back to it, or below it, only. Another host needs `password`.
	WebsiteURL string `json:"website_url,omitempty"`
	// Where outcomes of gateway payments are posted, when a payment names no address of its own. Null: none.
	IPNURL *Nullable `json:"ipn_url,omitempty"`
	// Where events of `/api/pay` payments are posted, when a payment names no address of its own. Null: none.
	CallbackURL *Nullable `json:"callback_url,omitempty"`
	// What the business reckons in. Default: the currency of your country.
	SettlementCurrency Currency `json:"settlement_currency,omitempty"`
	// Hosts besides the website that customers may be sent back to in live mode, each with what is below it. Adding one needs `password`.
	RedirectHosts []string `json:"redirect_hosts,omitempty"`
	// Addresses or networks (CIDR) that the API keys may be used from. Empty: everywhere. Needs `password`.
	AllowedAddresses []string `json:"allowed_addresses,omitempty"`
	// Your own, asked for again.
	Password string `json:"password,omitempty"`
}

// RevealClientSecretBody is what POST /api/merchant/credentials/reveal takes.
type RevealClientSecretBody struct {
	// Of which mode. One of live, test.
	Mode string `json:"mode"`
	// Your own, asked for again.
	Password string `json:"password"`
}

// ClientSecret is what POST /api/merchant/credentials/reveal answers.
type ClientSecret struct {
	// Of this mode. One of live, test.
	Mode         string `json:"mode"`
	ClientSecret string `json:"client_secret"`
}

// RotateKeyBody is what POST /api/merchant/rotate-key takes.
type RotateKeyBody struct {
	// Your own, asked for again.
	Password string `json:"password"`
	// Default: live. One of live, test.
	Mode string `json:"mode,omitempty"`
	// Default: api_key. One of api_key, client_secret.
	What string `json:"what,omitempty"`
	// How long the old one still works. Default: 24. 0: it ends now.
	GraceHours *int `json:"grace_hours,omitempty"`
}

// RotatedKey is what POST /api/merchant/rotate-key answers.
type RotatedKey struct {
	// Of this mode. One of live, test.
	Mode string `json:"mode"`
	// One of api_key, client_secret.
	What string `json:"what"`
	// The new one. Keep it: an API key is not shown again.
	Value string `json:"value"`
	// Until then the old one works too; null when there was none.
	PreviousValidUntil *time.Time `json:"previous_valid_until"`
}

// LastAttempt is a part of NotificationDetails.
type LastAttempt struct {
	// ISO 8601, UTC
	At time.Time `json:"at"`
	// Of the answer, if there was one.
	Status *int `json:"status"`
	// Why it did not count; stable and machine-readable. One of address_not_allowed, could_not_connect, tls, timed_out, no_answer, bad_answer, redirect, status, gone, no_secret, interrupted.
	Problem string `json:"problem"`
}

// NotificationAttempt is a part of NotificationDetails.
type NotificationAttempt struct {
	Number int `json:"number"`
	// ISO 8601, UTC
	At     time.Time `json:"at"`
	Status *int      `json:"status"`
	// Until the answer was read; absent without one.
	DurationMS *int `json:"duration_ms"`
	// Why it did not count; stable and machine-readable. One of address_not_allowed, could_not_connect, tls, timed_out, no_answer, bad_answer, redirect, status, gone, no_secret, interrupted.
	Problem string `json:"problem"`
	// The problem in words.
	Message string `json:"message"`
	// The first 2 KB of the answer. What can not be shown is written as `\u001b`.
	Response string `json:"response"`
}

// NotificationDetails is what POST /api/merchant/notifications/:id/replay answers.
type NotificationDetails struct {
	// The `webhook-id`: the same over all attempts.
	ID    string `json:"id"`
	Event string `json:"event"`
	// `gateway`: to an ipn_url. `callback`: to a callback_url. One of gateway, callback.
	Kind string `json:"kind"`
	// Of the payment.
	Reference string `json:"reference"`
	// Its place among the events of the payment, from 1 on.
	Sequence int `json:"sequence"`
	// One of live, test.
	Mode string `json:"mode"`
	// Null: the payment names no address. In test mode only.
	URL string `json:"url"`
	// `pending`: is or will be sent. `delivered`: was answered with 2xx. `failed`: no more attempts. `held`: not sent, because the endpoint is suspended. `unsent`: there is no address; it is in the feed of events. One of pending, delivered, failed, held, unsent.
	Status string `json:"status"`
	// How many were begun.
	Attempts int `json:"attempts"`
	// ISO 8601, UTC
	NextAttemptAt *time.Time   `json:"next_attempt_at"`
	LastAttempt   *LastAttempt `json:"last_attempt"`
	// ISO 8601, UTC
	CreatedAt time.Time `json:"created_at"`
	// When it was delivered, given up or held.
	DoneAt *time.Time `json:"done_at"`
	// What is sent, byte for byte. Kept for 90 days.
	Body string `json:"body"`
	// What is left of the body after that.
	BodySha256 string                `json:"body_sha256"`
	Log        []NotificationAttempt `json:"log"`
}

// ReplayNotificationsBody is what POST /api/merchant/notifications/replay takes.
type ReplayNotificationsBody struct {
	// From this time on.
	From string `json:"from"`
	// Up to this time, excluded; at most 30 days later.
	To string `json:"to"`
	// Default: both. One of live, test.
	Mode string `json:"mode,omitempty"`
}

// ReplayNotificationsData is what POST /api/merchant/notifications/replay answers.
type ReplayNotificationsData struct {
	// They are sent ten a second.
	Replayed int `json:"replayed"`
	// There are more than one request takes: ask again.
	More bool `json:"more"`
}

// ResumeEndpointBody is what POST /api/merchant/endpoints/resume takes.
type ResumeEndpointBody struct {
	// Of which mode. One of live, test.
	Mode string `json:"mode"`
	// Scheme, host and port, as the list of endpoints shows it.
	Origin string `json:"origin"`
}

// SendTestNotificationBody is what POST /api/merchant/test-notification takes.
type SendTestNotificationBody struct {
	// Where to. Default: your own `callback_url`, for `gateway` your `ipn_url`.
	URL string `json:"url,omitempty"`
	// Default: payment.completed. The gateway has only completed and failed. One of payment.pending, payment.completed, payment.failed, payment.refunded.
	Event string `json:"event,omitempty"`
	// Which of the two shapes of notifications. Default: callback. One of callback, gateway.
	Kind string `json:"kind,omitempty"`
}

// PayOutMerchantBody is what POST /api/merchant/payout takes.
type PayOutMerchantBody struct {
	// What moves to your wallet. It costs nothing.
	Amount Amount `json:"amount"`
	// Of the amount.
	Currency Currency `json:"currency"`
	// Your transaction PIN, as text.
	Pin string `json:"pin"`
}

// MerchantPayout is what POST /api/merchant/payout answers.
type MerchantPayout struct {
	// Of the transfer in your history.
	Reference string   `json:"reference"`
	Amount    Amount   `json:"amount"`
	Currency  Currency `json:"currency"`
	// What the business has left.
	Balance Amount `json:"balance"`
}

// ListNotificationsQuery is the query of GET /api/merchant/notifications.
type ListNotificationsQuery struct {
	// How many a page holds.
	Limit int `json:"limit,omitempty"`
	// `meta.next_cursor` of the page before.
	Cursor string `json:"cursor,omitempty"`
	// One of pending, delivered, failed, held, unsent.
	Status string `json:"status,omitempty"`
	// One of live, test.
	Mode string `json:"mode,omitempty"`
	// Of the payment.
	Reference string `json:"reference,omitempty"`
}

// NotificationSummary is one of what GET /api/merchant/notifications answers.
type NotificationSummary struct {
	// The `webhook-id`: the same over all attempts.
	ID    string `json:"id"`
	Event string `json:"event"`
	// `gateway`: to an ipn_url. `callback`: to a callback_url. One of gateway, callback.
	Kind string `json:"kind"`
	// Of the payment.
	Reference string `json:"reference"`
	// Its place among the events of the payment, from 1 on.
	Sequence int `json:"sequence"`
	// One of live, test.
	Mode string `json:"mode"`
	// Null: the payment names no address. In test mode only.
	URL string `json:"url"`
	// `pending`: is or will be sent. `delivered`: was answered with 2xx. `failed`: no more attempts. `held`: not sent, because the endpoint is suspended. `unsent`: there is no address; it is in the feed of events. One of pending, delivered, failed, held, unsent.
	Status string `json:"status"`
	// How many were begun.
	Attempts int `json:"attempts"`
	// ISO 8601, UTC
	NextAttemptAt *time.Time   `json:"next_attempt_at"`
	LastAttempt   *LastAttempt `json:"last_attempt"`
	// ISO 8601, UTC
	CreatedAt time.Time `json:"created_at"`
	// When it was delivered, given up or held.
	DoneAt *time.Time `json:"done_at"`
}

// Endpoint is one of what GET /api/merchant/endpoints answers.
type Endpoint struct {
	// One of live, test.
	Mode   string `json:"mode"`
	Origin string `json:"origin"`
	// One of failing, suspended.
	Status string `json:"status"`
	// Of a suspension: it answered 410, or with nothing but failures for 120 hours. One of gone, failing.
	Reason string `json:"reason"`
	// ISO 8601, UTC
	Since time.Time `json:"since"`
}

// ListEventsQuery is the query of GET /api/merchant/events.
type ListEventsQuery struct {
	// `meta.next_after` of the answer before. Without it: the latest ones.
	After string `json:"after,omitempty"`
	// How many at most.
	Limit int `json:"limit,omitempty"`
}

// Event is a part of Events.
type Event struct {
	// The `webhook-id`: the same over all attempts.
	ID    string `json:"id"`
	Event string `json:"event"`
	// `gateway`: to an ipn_url. `callback`: to a callback_url. One of gateway, callback.
	Kind string `json:"kind"`
	// Of the payment.
	Reference string `json:"reference"`
	// Its place among the events of the payment, from 1 on.
	Sequence int `json:"sequence"`
	// Null: the payment names no address. In test mode only.
	URL string `json:"url"`
	// ISO 8601, UTC
	CreatedAt time.Time `json:"created_at"`
	// To be sent with the body: what it is, and its signatures of this moment.
	Headers map[string]string `json:"headers"`
	// Byte for byte.
	Body string `json:"body"`
}

// EventsMeta is a part of Events.
type EventsMeta struct {
	// Send it as `after` to get what comes next; it is there even when nothing has come.
	NextAfter string `json:"next_after"`
}

// Events is what GET /api/merchant/events answers.
// Events, the oldest first
type Events struct {
	Success bool `json:"success"`
	// For people; never parse it.
	Message string     `json:"message"`
	Data    []Event    `json:"data"`
	Meta    EventsMeta `json:"meta"`
}

// ListMerchantBalancesQuery is the query of GET /api/merchant/balances.
type ListMerchantBalancesQuery struct {
	// One of live, test.
	Mode string `json:"mode,omitempty"`
}

// MerchantBalance is one of what GET /api/merchant/balances answers.
type MerchantBalance struct {
	Currency Currency `json:"currency"`
	// All that was earned and not yet moved.
	Balance Amount `json:"balance"`
	// What of it is set aside for refunds on their way.
	Held Amount `json:"held"`
	// `balance` less `held`.
	Available Amount `json:"available"`
	// Of the first payment in this currency; ISO 8601, UTC.
	CreatedAt time.Time `json:"created_at"`
}

// GetMerchantVolumeQuery is the query of GET /api/merchant/volume.
type GetMerchantVolumeQuery struct {
	// Three-letter code.
	Currency Currency `json:"currency"`
	// With a key, only its own. Default: live. One of live, test.
	Mode string `json:"mode,omitempty"`
	// The first day. Default: 30 days in all.
	From string `json:"from,omitempty"`
	// The last day, included. Default: today. At most 367 days in all.
	To string `json:"to,omitempty"`
	// Default: day. Weeks begin on Monday; the first and the last are whole weeks, too. One of day, week.
	By string `json:"by,omitempty"`
	// Where the days are. Default: UTC.
	TimeZone string `json:"time_zone,omitempty"`
}

// MerchantVolumeFigure is a part of MerchantVolumeTotals.
// Payments completed in that time, those that were refunded later among them.
type MerchantVolumeFigure struct {
	// How many.
	Count int `json:"count"`
	// What they come to.
	Amount Amount `json:"amount"`
}

// MerchantVolumeTotals is a part of MerchantVolume.
// Of all periods together.
type MerchantVolumeTotals struct {
	// Payments completed in that time, those that were refunded later among them.
	Accepted MerchantVolumeFigure `json:"accepted"`
	// Payments that failed in that time: cancelled, expired, declined.
	Failed MerchantVolumeFigure `json:"failed"`
	// Refunds that arrived in that time, whenever the payment was.
	Refunded MerchantVolumeFigure `json:"refunded"`
}

// MerchantVolumePeriod is a part of MerchantVolume.
type MerchantVolumePeriod struct {
	// The first day.
	From string `json:"from"`
	// The last day, included.
	To string `json:"to"`
	// Payments completed in that time, those that were refunded later among them.
	Accepted MerchantVolumeFigure `json:"accepted"`
	// Payments that failed in that time: cancelled, expired, declined.
	Failed MerchantVolumeFigure `json:"failed"`
	// Refunds that arrived in that time, whenever the payment was.
	Refunded MerchantVolumeFigure `json:"refunded"`
}

// MerchantVolume is what GET /api/merchant/volume answers.
type MerchantVolume struct {
	// Of this mode. One of live, test.
	Mode string `json:"mode"`
	// Three-letter code.
	Currency Currency `json:"currency"`
	// How long a period is. One of day, week.
	By string `json:"by"`
	// Where the days are.
	TimeZone string `json:"time_zone"`
	// Of all periods together.
	Totals MerchantVolumeTotals `json:"totals"`
	// The oldest first, those in which nothing happened too.
	Periods []MerchantVolumePeriod `json:"periods"`
}

// ListMerchantPaymentsQuery is the query of GET /api/merchant/payments.
type ListMerchantPaymentsQuery struct {
	// How many a page holds.
	Limit int `json:"limit,omitempty"`
	// `meta.next_cursor` of the page before.
	Cursor string `json:"cursor,omitempty"`
	// One of pending, completed, failed, refunded.
	Status string `json:"status,omitempty"`
	// With a key, only its own mode. One of live, test.
	Mode string `json:"mode,omitempty"`
	// Made at or after this time.
	From string `json:"from,omitempty"`
	// Made before this time.
	To string `json:"to,omitempty"`
	// Part of ref_trx, description or customer; or a reference.
	Q string `json:"q,omitempty"`
}

// Failure is a part of MerchantPayment.
type Failure struct {
	Code    string `json:"code"`
	Message string `json:"message"`
}

// MerchantPayment is one of what GET /api/merchant/payments answers.
type MerchantPayment struct {
	Reference string `json:"reference"`
	RefTrx    string `json:"ref_trx"`
	// What the customer paid, or is to pay.
	Amount Amount `json:"amount"`
	// What was taken from it.
	Fee Amount `json:"fee"`
	// What you got of it.
	Net Amount `json:"net"`
	// Three-letter code.
	Currency Currency `json:"currency"`
	// One of pending, completed, failed, refunded.
	Status  string   `json:"status"`
	Failure *Failure `json:"failure"`
	// The provider confirmed it after it had expired.
	Late bool `json:"late"`
	// `wallet`, or the id of a provider.
	Method      string `json:"method"`
	Description string `json:"description"`
	// One of live, test.
	Mode string `json:"mode"`
	// As much as you may know.
	Customer string `json:"customer"`
	// ISO 8601, UTC
	CreatedAt time.Time `json:"created_at"`
	// ISO 8601, UTC
	CompletedAt *time.Time `json:"completed_at"`
	// What has gone back already.
	RefundedAmount Amount `json:"refunded_amount"`
}

// PaymentAttempt is a part of MerchantPaymentDetails.
type PaymentAttempt struct {
	// `wallet`, or the id of a provider.
	Method string `json:"method"`
	// Pending: the customer, or the provider, has not answered yet. One of pending, succeeded, failed.
	Status   string   `json:"status"`
	Failure  *Failure `json:"failure"`
	Customer string   `json:"customer"`
	// ISO 8601, UTC
	CreatedAt time.Time `json:"created_at"`
	// ISO 8601, UTC
	EndedAt *time.Time `json:"ended_at"`
}

// Refund is a part of MerchantPaymentDetails.
type Refund struct {
	ID     string `json:"id"`
	Amount Amount `json:"amount"`
	Reason string `json:"reason"`
	// Into a wallet it is completed at once. By a provider it is pending, and held on your account, until the provider has confirmed it; when it failed it is yours again. One of pending, completed, failed.
	Status  string   `json:"status"`
	Failure *Failure `json:"failure"`
	// ISO 8601, UTC
	CreatedAt time.Time `json:"created_at"`
	// ISO 8601, UTC
	EndedAt *time.Time `json:"ended_at"`
}

// MerchantPaymentDetails is what GET /api/merchant/payments/:reference answers.
type MerchantPaymentDetails struct {
	Reference string `json:"reference"`
	RefTrx    string `json:"ref_trx"`
	// What the customer paid, or is to pay.
	Amount Amount `json:"amount"`
	// What was taken from it.
	Fee Amount `json:"fee"`
	// What you got of it.
	Net Amount `json:"net"`
	// Three-letter code.
	Currency Currency `json:"currency"`
	// One of pending, completed, failed, refunded.
	Status  string   `json:"status"`
	Failure *Failure `json:"failure"`
	// The provider confirmed it after it had expired.
	Late bool `json:"late"`
	// `wallet`, or the id of a provider.
	Method      string `json:"method"`
	Description string `json:"description"`
	// One of live, test.
	Mode string `json:"mode"`
	// As much as you may know.
	Customer string `json:"customer"`
	// ISO 8601, UTC
	CreatedAt time.Time `json:"created_at"`
	// ISO 8601, UTC
	CompletedAt *time.Time `json:"completed_at"`
	// What has gone back already.
	RefundedAmount Amount           `json:"refunded_amount"`
	Attempts       []PaymentAttempt `json:"attempts"`
	Refunds        []Refund         `json:"refunds"`
	// While it is pending.
	PaymentURL string `json:"payment_url"`
	// That were sent about it, or will be; the newest first, 100 at most. Not in the answer to a refund.
	Notifications []NotificationSummary `json:"notifications"`
}

// RefundPaymentBody is what POST /api/merchant/payments/:reference/refund takes.
type RefundPaymentBody struct {
	// Default: all that is not yet refunded.
	Amount Amount `json:"amount,omitempty"`
	Reason string `json:"reason,omitempty"`
}

// InitiatePaymentBody is what POST /api/v1/initiate-payment takes.
type InitiatePaymentBody struct {
	// What the customer pays.
	PaymentAmount Amount `json:"payment_amount"`
	// Three-letter code.
	CurrencyCode Currency `json:"currency_code"`
	// Your own reference; the same one again, while pending, is the same payment.
	RefTrx string `json:"ref_trx"`
	// Shown to the customer.
	Description string `json:"description,omitempty"`
	// Where the customer goes after paying.
	SuccessRedirect string `json:"success_redirect,omitempty"`
	// Where the customer goes when it failed.
	FailureURL string `json:"failure_url,omitempty"`
	// Where the customer goes after cancelling.
	CancelRedirect string `json:"cancel_redirect,omitempty"`
	// Where the outcome is posted. Default: the one of your profile.
	IPNURL string `json:"ipn_url,omitempty"`
}

// PaymentInfo is a part of InitiatePaymentReply.
type PaymentInfo struct {
	RefTrx          string `json:"ref_trx"`
	Description     string `json:"description"`
	IPNURL          string `json:"ipn_url"`
	CancelRedirect  string `json:"cancel_redirect"`
	SuccessRedirect string `json:"success_redirect"`
	MerchantID      int    `json:"merchant_id"`
	MerchantName    string `json:"merchant_name"`
	Amount          Amount `json:"amount"`
	// Three-letter code.
	CurrencyCode Currency `json:"currency_code"`
}

// InitiatePaymentReply is what POST /api/v1/initiate-payment answers.
// The payment waits for the customer.
type InitiatePaymentReply struct {
	// Send the customer there.
	PaymentURL string      `json:"payment_url"`
	Info       PaymentInfo `json:"info"`
}

// VerifyPaymentReply is what GET /api/v1/verify-payment/:ref answers.
// What became of the payment.
type VerifyPaymentReply struct {
	// One of pending, completed, failed, refunded.
	Status    string `json:"status"`
	Reference string `json:"reference"`
	RefTrx    string `json:"ref_trx"`
	Amount    Amount `json:"amount"`
	// Three-letter code.
	CurrencyCode Currency `json:"currency_code"`
	Failure      *Failure `json:"failure"`
	// ISO 8601, UTC
	CompletedAt *time.Time `json:"completed_at"`
	// One of live, test.
	Mode string `json:"mode"`
}

// CreatePaymentBody is what POST /api/pay takes.
type CreatePaymentBody struct {
	// What the customer pays.
	Amount Amount `json:"amount"`
	// Three-letter code.
	Currency Currency `json:"currency"`
	// Shown to the customer.
	Description string `json:"description,omitempty"`
	// Where status changes are posted. Default: the one of your profile.
	CallbackURL string `json:"callback_url,omitempty"`
	// Your own reference.
	Reference string `json:"reference,omitempty"`
	// Where the customer goes after paying.
	SuccessRedirect string `json:"success_redirect,omitempty"`
	// Where the customer goes after cancelling.
	CancelRedirect string `json:"cancel_redirect,omitempty"`
}

// StartedPayment is what POST /api/pay answers.
type StartedPayment struct {
	Reference string `json:"reference"`
	// One of pending, completed, failed, refunded.
	Status string `json:"status"`
	Amount Amount `json:"amount"`
	// Three-letter code.
	Currency    Currency `json:"currency"`
	Description string   `json:"description"`
	// Send the customer there.
	PaymentURL string `json:"payment_url"`
	// One of live, test.
	Mode string `json:"mode"`
	// ISO 8601, UTC
	CreatedAt time.Time `json:"created_at"`
}

// Payment is what GET /api/pay/:reference answers.
type Payment struct {
	Reference string `json:"reference"`
	// One of pending, completed, failed, refunded.
	Status string `json:"status"`
	Amount Amount `json:"amount"`
	// Three-letter code.
	Currency    Currency `json:"currency"`
	Description string   `json:"description"`
	// Send the customer there.
	PaymentURL string `json:"payment_url"`
	// One of live, test.
	Mode string `json:"mode"`
	// ISO 8601, UTC
	CreatedAt time.Time `json:"created_at"`
	Failure   *Failure  `json:"failure"`
	// ISO 8601, UTC
	CompletedAt    *time.Time `json:"completed_at"`
	RefundedAmount Amount     `json:"refunded_amount"`
}

// keyedRoutes take an Idempotency-Key: a repeated request happens once.
var keyedRoutes = []string{
	"POST /api/deposit/initiate",
	"POST /api/withdraw",
	"POST /api/campaigns",
	"POST /api/campaigns/:id/contribute",
	"POST /api/campaigns/:id/withdraw",
	"POST /api/send",
	"POST /api/requests",
	"POST /api/requests/:id/pay",
	"POST /api/groups",
	"POST /api/groups/:id/leave",
	"POST /api/groups/:id/contribute",
	"POST /api/groups/:id/cycle/close",
	"POST /api/groups/:id/dissolve",
	"POST /api/groups/:id/payouts",
	"POST /api/groups/:id/payouts/:payout_id/approve",
	"POST /api/merchant/register",
	"POST /api/merchant/rotate-key",
	"POST /api/merchant/payout",
	"POST /api/merchant/payments/:reference/refund",
	"POST /api/v1/initiate-payment",
	"POST /api/pay",
}
