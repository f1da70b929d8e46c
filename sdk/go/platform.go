package mfuko

import "context"

// PlatformClient is for a person: Login or Register, then everything else. The token is exchanged in time.
type PlatformClient struct {
	calls
	session *session

	Account      AccountCalls
	Wallets      WalletCalls
	Transactions TransactionCalls
	Transfers    TransferCalls
	Requests     RequestCalls
	Funding      FundingCalls
	Groups       GroupCalls
	Campaigns    CampaignCalls
	Merchant     OwnerCalls
}

// NewPlatformClient opens no connection yet; it only looks at the options.
func NewPlatformClient(options PlatformOptions) (*PlatformClient, error) {
	opened, err := openSession(options)
	if err != nil {
		return nil, err
	}
	shared := calls{opened.exchange}
	return &PlatformClient{
		calls:        shared,
		session:      opened,
		Account:      AccountCalls{shared},
		Wallets:      WalletCalls{shared},
		Transactions: TransactionCalls{shared},
		Transfers:    TransferCalls{shared},
		Requests:     RequestCalls{shared},
		Funding:      FundingCalls{shared},
		Groups:       GroupCalls{shared},
		Campaigns:    CampaignCalls{shared},
		Merchant:     OwnerCalls{shared},
	}, nil
}

// Login takes one of Handle, Email and Phone, and the password.
func (p *PlatformClient) Login(ctx context.Context, body LoginBody, options ...CallOption) (*User, error) {
	return p.session.signIn(ctx, "/api/auth/login", body, options)
}

// Register makes an account and logs in.
func (p *PlatformClient) Register(ctx context.Context, body RegisterBody, options ...CallOption) (*User, error) {
	return p.session.signIn(ctx, "/api/auth/register", body, options)
}

// Resume goes on with the session of before: the Token of the options. It is exchanged for a new one.
func (p *PlatformClient) Resume(ctx context.Context) (*User, error) {
	user, err := p.session.refresh(ctx)
	if err == nil && user == nil {
		return nil, &Error{Code: CodeUnauthenticated, Message: "There is no session to go on with: log in"}
	}
	return user, err
}

// Logout ends the session.
func (p *PlatformClient) Logout(ctx context.Context, options ...CallOption) error {
	return p.session.signOut(ctx, options)
}

// IsSignedIn says whether there is a token. It may have ended elsewhere.
func (p *PlatformClient) IsSignedIn() bool { return p.Token() != "" }

// Token is the present one, to be kept as a secret; "" if there is none.
func (p *PlatformClient) Token() string { return p.session.held() }

// Request is for any route. The whole answer is read into what reply points to: from JSON, or as it came for *[]byte; nil if
// it does not matter. A path may have parameters: /api/groups/:id/feed.
func (p *PlatformClient) Request(
	ctx context.Context, method, path string, input Input, reply any, options ...CallOption,
) error {
	return requestInto(ctx, p.send, method, path, input, reply, options)
}

// AccountCalls are about the person.
type AccountCalls struct{ calls }

// Me is who is logged in.
func (a AccountCalls) Me(ctx context.Context, options ...CallOption) (*Me, error) {
	return dataOf[Me](ctx, a.calls, "GET", "/api/me", Input{}, options)
}

// Change leaves as it is what is left out.
func (a AccountCalls) Change(ctx context.Context, body ChangeMeBody, options ...CallOption) (*Me, error) {
	return dataOf[Me](ctx, a.calls, "PATCH", "/api/me", Input{Body: body}, options)
}

// SetPin sets the PIN that moving money needs.
func (a AccountCalls) SetPin(ctx context.Context, body SetPinBody, options ...CallOption) error {
	return a.done(ctx, "PUT", "/api/me/pin", Input{Body: body}, options)
}

// ChangePassword ends all other sessions.
func (a AccountCalls) ChangePassword(
	ctx context.Context, body ChangePasswordBody, options ...CallOption,
) error {
	return a.done(ctx, "PUT", "/api/me/password", Input{Body: body}, options)
}

// ChangeEmail changes the e-mail address, which then is to be confirmed.
func (a AccountCalls) ChangeEmail(
	ctx context.Context, body ChangeEmailBody, options ...CallOption,
) (*User, error) {
	return dataOf[User](ctx, a.calls, "PUT", "/api/me/email", Input{Body: body}, options)
}

// ChangePhone changes the phone number.
func (a AccountCalls) ChangePhone(
	ctx context.Context, body ChangePhoneBody, options ...CallOption,
) (*User, error) {
	return dataOf[User](ctx, a.calls, "PUT", "/api/me/phone", Input{Body: body}, options)
}

// ConfirmEmail takes the code of the mail.
func (a AccountCalls) ConfirmEmail(ctx context.Context, code string, options ...CallOption) error {
	return a.done(ctx, "POST", "/api/auth/email/confirm", Input{Body: ConfirmEmailBody{Code: code}}, options)
}

// ResendConfirmation sends that mail again.
func (a AccountCalls) ResendConfirmation(ctx context.Context, options ...CallOption) error {
	return a.done(ctx, "POST", "/api/auth/email/resend", Input{}, options)
}

// ForgotPassword sends a code to choose a new password with.
func (a AccountCalls) ForgotPassword(
	ctx context.Context, body ForgotPasswordBody, options ...CallOption,
) error {
	return a.done(ctx, "POST", "/api/auth/password/forgot", Input{Body: body}, options)
}

// ResetPassword chooses a new password with the code.
func (a AccountCalls) ResetPassword(
	ctx context.Context, body ResetPasswordBody, options ...CallOption,
) error {
	return a.done(ctx, "POST", "/api/auth/password/reset", Input{Body: body}, options)
}

// Sessions are the logins that are still good.
func (a AccountCalls) Sessions(ctx context.Context, options ...CallOption) (*Page[Session], error) {
	return pageOf[Session](ctx, a.calls, "/api/auth/sessions", Input{}, options)
}

// EndSession ends one of them.
func (a AccountCalls) EndSession(ctx context.Context, id string, options ...CallOption) error {
	return a.done(ctx, "DELETE", "/api/auth/sessions/:id", Input{Params: params("id", id)}, options)
}

// WalletCalls are about what the person has.
type WalletCalls struct{ calls }

// List has one a currency.
func (w WalletCalls) List(ctx context.Context, options ...CallOption) ([]Wallet, error) {
	return itemsOf[Wallet](ctx, w.calls, "/api/wallets", Input{}, options)
}

// Open opens one in another currency.
func (w WalletCalls) Open(ctx context.Context, body OpenWalletBody, options ...CallOption) (*Wallet, error) {
	return dataOf[Wallet](ctx, w.calls, "POST", "/api/wallets", Input{Body: body}, options)
}

// TransactionCalls are about the history.
type TransactionCalls struct{ calls }

// List has the newest first.
func (t TransactionCalls) List(
	ctx context.Context, query ListTransactionsQuery, options ...CallOption,
) (*Page[Transaction], error) {
	return pageOf[Transaction](ctx, t.calls, "/api/transactions", Input{Query: query}, options)
}

// Get has its steps.
func (t TransactionCalls) Get(
	ctx context.Context, reference string, options ...CallOption,
) (*TransactionDetails, error) {
	input := Input{Params: params("reference", reference)}
	return dataOf[TransactionDetails](ctx, t.calls, "GET", "/api/transactions/:reference", input, options)
}

// CSV is the whole selection.
func (t TransactionCalls) CSV(
	ctx context.Context, query ExportTransactionsQuery, options ...CallOption,
) ([]byte, error) {
	return t.raw(ctx, "/api/transactions.csv", Input{Query: query}, options)
}

// Receipt is a page to print.
func (t TransactionCalls) Receipt(
	ctx context.Context, reference string, options ...CallOption,
) ([]byte, error) {
	input := Input{Params: params("reference", reference)}
	return t.raw(ctx, "/api/transactions/:reference/receipt", input, options)
}

// TransferCalls are person to person.
type TransferCalls struct{ calls }

// Preview says the fee, and what the recipient gets; it moves nothing.
func (t TransferCalls) Preview(
	ctx context.Context, body PreviewTransferBody, options ...CallOption,
) (*TransferPreview, error) {
	return dataOf[TransferPreview](ctx, t.calls, "POST", "/api/send/preview", Input{Body: body}, options)
}

// Send sends money.
func (t TransferCalls) Send(
	ctx context.Context, body SendMoneyBody, options ...CallOption,
) (*Transfer, error) {
	return dataOf[Transfer](ctx, t.calls, "POST", "/api/send", Input{Body: body}, options)
}

// LookUp says whose handle it is.
func (t TransferCalls) LookUp(ctx context.Context, handle string, options ...CallOption) (*Person, error) {
	input := Input{Params: params("handle", handle)}
	return dataOf[Person](ctx, t.calls, "GET", "/api/users/:handle", input, options)
}

// Recipients are who you sent money to lately.
func (t TransferCalls) Recipients(ctx context.Context, options ...CallOption) ([]Recipient, error) {
	return itemsOf[Recipient](ctx, t.calls, "/api/recipients", Input{}, options)
}

// RequestCalls are about money that one asks another for.
type RequestCalls struct{ calls }

// Create asks somebody for money.
func (r RequestCalls) Create(
	ctx context.Context, body CreateMoneyRequestBody, options ...CallOption,
) (*MoneyRequest, error) {
	return dataOf[MoneyRequest](ctx, r.calls, "POST", "/api/requests", Input{Body: body}, options)
}

// List has the newest first.
func (r RequestCalls) List(
	ctx context.Context, query ListMoneyRequestsQuery, options ...CallOption,
) (*Page[MoneyRequest], error) {
	return pageOf[MoneyRequest](ctx, r.calls, "/api/requests", Input{Query: query}, options)
}

// Get is one of them.
func (r RequestCalls) Get(ctx context.Context, id string, options ...CallOption) (*MoneyRequest, error) {
	input := Input{Params: params("id", id)}
	return dataOf[MoneyRequest](ctx, r.calls, "GET", "/api/requests/:id", input, options)
}

// Pay pays it.
func (r RequestCalls) Pay(
	ctx context.Context, id string, body PayMoneyRequestBody, options ...CallOption,
) (*MoneyRequest, error) {
	input := Input{Params: params("id", id), Body: body}
	return dataOf[MoneyRequest](ctx, r.calls, "POST", "/api/requests/:id/pay", input, options)
}

// Decline is for who is asked.
func (r RequestCalls) Decline(ctx context.Context, id string, options ...CallOption) (*MoneyRequest, error) {
	input := Input{Params: params("id", id)}
	return dataOf[MoneyRequest](ctx, r.calls, "POST", "/api/requests/:id/decline", input, options)
}

// Cancel is for who asked.
func (r RequestCalls) Cancel(ctx context.Context, id string, options ...CallOption) (*MoneyRequest, error) {
	input := Input{Params: params("id", id)}
	return dataOf[MoneyRequest](ctx, r.calls, "POST", "/api/requests/:id/cancel", input, options)
}

// FundingCalls are about money that comes in and goes out.
type FundingCalls struct{ calls }

// Methods are the ways in or out for a currency.
func (f FundingCalls) Methods(
	ctx context.Context, query ListMethodsQuery, options ...CallOption,
) ([]Method, error) {
	return itemsOf[Method](ctx, f.calls, "/api/methods", Input{Query: query}, options)
}

// Deposit brings money in.
func (f FundingCalls) Deposit(
	ctx context.Context, body InitiateDepositBody, options ...CallOption,
) (*Deposit, error) {
	return dataOf[Deposit](ctx, f.calls, "POST", "/api/deposit/initiate", Input{Body: body}, options)
}

// PreviewWithdrawal says the fee, and what would be left; it moves nothing.
func (f FundingCalls) PreviewWithdrawal(
	ctx context.Context, body PreviewWithdrawalBody, options ...CallOption,
) (*WithdrawalPreview, error) {
	return dataOf[WithdrawalPreview](ctx, f.calls, "POST", "/api/withdraw/preview", Input{Body: body}, options)
}

// Withdraw takes money out.
func (f FundingCalls) Withdraw(
	ctx context.Context, body WithdrawBody, options ...CallOption,
) (*Withdrawal, error) {
	return dataOf[Withdrawal](ctx, f.calls, "POST", "/api/withdraw", Input{Body: body}, options)
}

// OwnerCalls are of the owner of a business.
type OwnerCalls struct{ calls }

// Register applies for a business. The keys of test mode are in the answer, once.
func (o OwnerCalls) Register(
	ctx context.Context, body RegisterMerchantBody, options ...CallOption,
) (*Merchant, error) {
	return dataOf[Merchant](ctx, o.calls, "POST", "/api/merchant/register", Input{Body: body}, options)
}

// Get is the business.
func (o OwnerCalls) Get(ctx context.Context, options ...CallOption) (*Merchant, error) {
	return dataOf[Merchant](ctx, o.calls, "GET", "/api/merchant", Input{}, options)
}

// Change leaves as it is what is left out.
func (o OwnerCalls) Change(
	ctx context.Context, body ChangeMerchantBody, options ...CallOption,
) (*Merchant, error) {
	return dataOf[Merchant](ctx, o.calls, "PATCH", "/api/merchant", Input{Body: body}, options)
}

// RevealSecret shows a Client Secret again.
func (o OwnerCalls) RevealSecret(
	ctx context.Context, body RevealClientSecretBody, options ...CallOption,
) (*ClientSecret, error) {
	input := Input{Body: body}
	return dataOf[ClientSecret](ctx, o.calls, "POST", "/api/merchant/credentials/reveal", input, options)
}

// RotateKey makes a new API key or Client Secret.
func (o OwnerCalls) RotateKey(
	ctx context.Context, body RotateKeyBody, options ...CallOption,
) (*RotatedKey, error) {
	return dataOf[RotatedKey](ctx, o.calls, "POST", "/api/merchant/rotate-key", Input{Body: body}, options)
}

// Payments has the newest first.
func (o OwnerCalls) Payments(
	ctx context.Context, query ListMerchantPaymentsQuery, options ...CallOption,
) (*Page[MerchantPayment], error) {
	return pageOf[MerchantPayment](ctx, o.calls, "/api/merchant/payments", Input{Query: query}, options)
}

// Payment has its attempts and refunds.
func (o OwnerCalls) Payment(
	ctx context.Context, reference string, options ...CallOption,
) (*MerchantPaymentDetails, error) {
	input := Input{Params: params("reference", reference)}
	return dataOf[MerchantPaymentDetails](ctx, o.calls, "GET", "/api/merchant/payments/:reference", input, options)
}

// Refund gives back the whole, or a part when Amount says so.
func (o OwnerCalls) Refund(
	ctx context.Context, reference string, body RefundPaymentBody, options ...CallOption,
) (*MerchantPaymentDetails, error) {
	input := Input{Params: params("reference", reference), Body: body}
	const path = "/api/merchant/payments/:reference/refund"
	return dataOf[MerchantPaymentDetails](ctx, o.calls, "POST", path, input, options)
}

// Volume is what was accepted, failed and was refunded, by day or week.
func (o OwnerCalls) Volume(
	ctx context.Context, query GetMerchantVolumeQuery, options ...CallOption,
) (*MerchantVolume, error) {
	return dataOf[MerchantVolume](ctx, o.calls, "GET", "/api/merchant/volume", Input{Query: query}, options)
}

// Balances are what the business has earned, by currency.
func (o OwnerCalls) Balances(
	ctx context.Context, query ListMerchantBalancesQuery, options ...CallOption,
) ([]MerchantBalance, error) {
	return itemsOf[MerchantBalance](ctx, o.calls, "/api/merchant/balances", Input{Query: query}, options)
}

// PayOut moves earnings to the owner's wallet.
func (o OwnerCalls) PayOut(
	ctx context.Context, body PayOutMerchantBody, options ...CallOption,
) (*MerchantPayout, error) {
	return dataOf[MerchantPayout](ctx, o.calls, "POST", "/api/merchant/payout", Input{Body: body}, options)
}

// Notifications has the newest first.
func (o OwnerCalls) Notifications(
	ctx context.Context, query ListNotificationsQuery, options ...CallOption,
) (*Page[NotificationSummary], error) {
	input := Input{Query: query}
	return pageOf[NotificationSummary](ctx, o.calls, "/api/merchant/notifications", input, options)
}

// Notification has every attempt.
func (o OwnerCalls) Notification(
	ctx context.Context, id string, options ...CallOption,
) (*NotificationDetails, error) {
	input := Input{Params: params("id", id)}
	return dataOf[NotificationDetails](ctx, o.calls, "GET", "/api/merchant/notifications/:id", input, options)
}

// Replay sends a notification once more.
func (o OwnerCalls) Replay(
	ctx context.Context, id string, options ...CallOption,
) (*NotificationDetails, error) {
	input := Input{Params: params("id", id)}
	return dataOf[NotificationDetails](ctx, o.calls, "POST", "/api/merchant/notifications/:id/replay", input, options)
}

// SendTestNotification tries a receiver.
func (o OwnerCalls) SendTestNotification(
	ctx context.Context, body SendTestNotificationBody, options ...CallOption,
) (*NotificationDetails, error) {
	input := Input{Body: body}
	return dataOf[NotificationDetails](ctx, o.calls, "POST", "/api/merchant/test-notification", input, options)
}
