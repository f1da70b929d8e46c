package mfuko

import (
	"context"
	"errors"
	"net/http"
	"net/url"
	"strings"
	"time"
)

// MerchantOptions are for [NewMerchantClient].
type MerchantOptions struct {
	// Where the service is: https://pay.example
	BaseURL string
	// svc_test_… or svc_live_…: it decides between sandbox and live.
	APIKey string
	// For InitiatePayment and VerifyPayment.
	MerchantID string
	// What header names that carry the brand begin with. Default: SVC.
	HeaderPrefix string
	// Of one try, until its answer has been read. Default: 30 seconds.
	Timeout time.Duration
	// How often a request is tried again when that is safe. Default: 2. For none: Ptr(0).
	Retries *int
	// Another than the built-in one. It will not follow redirects.
	HTTPClient *http.Client
}

// MerchantClient is for the servers of a shop: payments, refunds and what was told of them. Whoever has its key can take
// payments and give refunds in the name of the shop.
type MerchantClient struct {
	calls
	Payments      MerchantPayments
	Notifications MerchantNotifications
}

// NewMerchantClient opens no connection yet; it only looks at the options.
func NewMerchantClient(options MerchantOptions) (*MerchantClient, error) {
	if options.APIKey == "" {
		return nil, errors.New("mfuko: APIKey is missing")
	}
	opened, err := openTransport(transportOptions{
		baseURL: options.BaseURL,
		client:  options.HTTPClient,
		timeout: options.Timeout,
		retries: options.Retries,
	}, merchantCredentials(options))
	if err != nil {
		return nil, err
	}
	if strings.Contains(options.APIKey, "_live_") && !isPrivate(opened.base) {
		return nil, errors.New("mfuko: a live API key is sent over https only")
	}
	shared := calls{opened.exchange}
	return &MerchantClient{
		calls:         shared,
		Payments:      MerchantPayments{shared},
		Notifications: MerchantNotifications{shared},
	}, nil
}

// isPrivate says that nobody on the way can read along: it is encrypted, or there is no way.
func isPrivate(base string) bool {
	address, err := url.Parse(base)
	if err != nil {
		return false
	}
	host := address.Hostname()
	return address.Scheme == "https" || host == "localhost" || host == "127.0.0.1" || host == "::1"
}

func merchantCredentials(options MerchantOptions) credentials {
	prefix := options.HeaderPrefix
	if prefix == "" {
		prefix = "SVC"
	}
	return func(made *call, header http.Header) error {
		if !strings.HasPrefix(made.path, "/api/v1/") {
			header.Set("X-"+prefix+"-Key", options.APIKey)
			return nil
		}
		if options.MerchantID == "" {
			return errors.New("mfuko: MerchantID is needed for the gateway")
		}
		header.Set(prefix+"-Merchant-Key", options.MerchantID)
		header.Set(prefix+"-API-Key", options.APIKey)
		return nil
	}
}

// Request is for any route that a key opens. The whole answer is read into what reply points to: from JSON, or as it came
// for *[]byte; nil if it does not matter. A path may have parameters: /api/merchant/payments/:reference.
func (m *MerchantClient) Request(
	ctx context.Context, method, path string, input Input, reply any, options ...CallOption,
) error {
	return requestInto(ctx, m.send, method, path, input, reply, options)
}

// InitiatePayment asks for a payment by the gateway. Send the customer to PaymentURL; the outcome is posted to IPNURL.
func (m *MerchantClient) InitiatePayment(
	ctx context.Context, body InitiatePaymentBody, options ...CallOption,
) (*InitiatePaymentReply, error) {
	var reply InitiatePaymentReply
	err := m.Request(ctx, "POST", "/api/v1/initiate-payment", Input{Body: body}, &reply, options...)
	if err != nil {
		return nil, err
	}
	return &reply, nil
}

// VerifyPayment says what became of a payment, by our reference or by your RefTrx.
func (m *MerchantClient) VerifyPayment(
	ctx context.Context, ref string, options ...CallOption,
) (*VerifyPaymentReply, error) {
	var reply VerifyPaymentReply
	input := Input{Params: params("ref", ref)}
	if err := m.Request(ctx, "GET", "/api/v1/verify-payment/:ref", input, &reply, options...); err != nil {
		return nil, err
	}
	return &reply, nil
}

// Pay is the other way to ask: every change of the status is posted to CallbackURL.
func (m *MerchantClient) Pay(
	ctx context.Context, body CreatePaymentBody, options ...CallOption,
) (*StartedPayment, error) {
	return dataOf[StartedPayment](ctx, m.calls, "POST", "/api/pay", Input{Body: body}, options)
}

// Payment says what became of a payment that was asked for with Pay.
func (m *MerchantClient) Payment(ctx context.Context, reference string, options ...CallOption) (*Payment, error) {
	input := Input{Params: params("reference", reference)}
	return dataOf[Payment](ctx, m.calls, "GET", "/api/pay/:reference", input, options)
}

// Profile is the business of the key.
func (m *MerchantClient) Profile(ctx context.Context, options ...CallOption) (*Merchant, error) {
	return dataOf[Merchant](ctx, m.calls, "GET", "/api/merchant", Input{}, options)
}

// Volume is what was accepted, failed and was refunded, by day or week, in the mode of the key.
func (m *MerchantClient) Volume(
	ctx context.Context, query GetMerchantVolumeQuery, options ...CallOption,
) (*MerchantVolume, error) {
	return dataOf[MerchantVolume](ctx, m.calls, "GET", "/api/merchant/volume", Input{Query: query}, options)
}

// Balances are what the business has earned, by currency, in the mode of the key.
func (m *MerchantClient) Balances(ctx context.Context, options ...CallOption) ([]MerchantBalance, error) {
	return itemsOf[MerchantBalance](ctx, m.calls, "/api/merchant/balances", Input{}, options)
}

// Events are, in test mode, what would be sent to you, if you had an address.
func (m *MerchantClient) Events(
	ctx context.Context, query ListEventsQuery, options ...CallOption,
) (*Events, error) {
	var reply Events
	if err := m.Request(ctx, "GET", "/api/merchant/events", Input{Query: query}, &reply, options...); err != nil {
		return nil, err
	}
	return &reply, nil
}

// MerchantPayments are the payments of a business.
type MerchantPayments struct{ calls }

// List has the newest first.
func (p MerchantPayments) List(
	ctx context.Context, query ListMerchantPaymentsQuery, options ...CallOption,
) (*Page[MerchantPayment], error) {
	return pageOf[MerchantPayment](ctx, p.calls, "/api/merchant/payments", Input{Query: query}, options)
}

// Get has its attempts and refunds.
func (p MerchantPayments) Get(
	ctx context.Context, reference string, options ...CallOption,
) (*MerchantPaymentDetails, error) {
	input := Input{Params: params("reference", reference)}
	return dataOf[MerchantPaymentDetails](ctx, p.calls, "GET", "/api/merchant/payments/:reference", input, options)
}

// Refund gives back the whole, or a part when Amount says so.
func (p MerchantPayments) Refund(
	ctx context.Context, reference string, body RefundPaymentBody, options ...CallOption,
) (*MerchantPaymentDetails, error) {
	const path = "/api/merchant/payments/:reference/refund"
	input := Input{Params: params("reference", reference), Body: body}
	return dataOf[MerchantPaymentDetails](ctx, p.calls, "POST", path, input, options)
}

// MerchantNotifications are what the service has sent to a business.
type MerchantNotifications struct{ calls }

// List has the newest first.
func (n MerchantNotifications) List(
	ctx context.Context, query ListNotificationsQuery, options ...CallOption,
) (*Page[NotificationSummary], error) {
	return pageOf[NotificationSummary](ctx, n.calls, "/api/merchant/notifications", Input{Query: query}, options)
}

// Get has every attempt.
func (n MerchantNotifications) Get(
	ctx context.Context, id string, options ...CallOption,
) (*NotificationDetails, error) {
	input := Input{Params: params("id", id)}
	return dataOf[NotificationDetails](ctx, n.calls, "GET", "/api/merchant/notifications/:id", input, options)
}
