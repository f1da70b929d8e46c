package mfuko

// A walk through the running service, in test mode: a shop takes payments and hears of them, a person sends money. It is
// skipped unless go.test.ts has started the service.

import (
	"context"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"
)

// help asks for what can't be done from here: the customer who pays, the clock of the service.
func help(t *testing.T, wish, about string) string {
	t.Helper()
	response, err := http.Get(os.Getenv("MFUKO_HELP") + "/" + wish + "?about=" + url.QueryEscape(about))
	must(t, err)
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	must(t, err)
	if response.StatusCode != 200 {
		t.Fatalf("%s %s: %s", wish, about, text)
	}
	return string(text)
}

func needService(t *testing.T) {
	t.Helper()
	if os.Getenv("MFUKO_HELP") == "" {
		t.Skip("npm test -- sdk/go runs it with the service")
	}
}

func liveShop(t *testing.T, client *http.Client) *MerchantClient {
	t.Helper()
	needService(t)
	shop, err := NewMerchantClient(MerchantOptions{
		BaseURL:    os.Getenv("MFUKO_URL"),
		APIKey:     os.Getenv("MFUKO_API_KEY"),
		MerchantID: os.Getenv("MFUKO_MERCHANT_ID"),
		HTTPClient: client,
	})
	must(t, err)
	return shop
}

// listen receives real notifications on a real address: /ipn by the handler, /callback through the middleware.
func listen(t *testing.T) (string, <-chan *Notification) {
	t.Helper()
	receiver, err := NewReceiver(ReceiverOptions{
		ClientSecret: os.Getenv("MFUKO_CLIENT_SECRET"),
		OnError:      func(err error) { t.Error(err) },
		Now: func() time.Time {
			seconds, _ := strconv.ParseInt(help(t, "now", ""), 10, 64)
			return time.Unix(seconds, 0)
		},
	})
	must(t, err)
	told := make(chan *Notification, 10)
	mux := http.NewServeMux()
	mux.Handle("/ipn", receiver.Handler(func(_ context.Context, notification *Notification) error {
		told <- notification
		return nil
	}))
	mux.Handle("/callback", receiver.Middleware(http.HandlerFunc(func(_ http.ResponseWriter, request *http.Request) {
		told <- NotificationFrom(request.Context())
	})))
	server := httptest.NewServer(mux)
	t.Cleanup(server.Close)
	return server.URL, told
}

// next waits for a notification; who sends them may have to be woken more than once.
func next(t *testing.T, told <-chan *Notification) *Notification {
	t.Helper()
	for range make([]struct{}, 1200) {
		help(t, "deliver", "")
		select {
		case notification := <-told:
			return notification
		case <-time.After(50 * time.Millisecond):
		}
	}
	t.Fatal("no notification came")
	return nil
}

func TestLiveGateway(t *testing.T) {
	shop := liveShop(t, nil)
	address, told := listen(t)
	started, err := shop.InitiatePayment(ctx, InitiatePaymentBody{
		PaymentAmount: AmountOf(56_000), CurrencyCode: UGX, RefTrx: "GO-1", Description: "Two bags & a cup ☕", IPNURL: address + "/ipn",
	})
	must(t, err)
	expect(t, "amount", started.Info.Amount, "56000")
	expect(t, "description", started.Info.Description, "Two bags & a cup ☕")
	verified, err := shop.VerifyPayment(ctx, "GO-1")
	must(t, err)
	expect(t, "status", verified.Status, StatusPending)
	help(t, "pay", started.PaymentURL)
	verified, err = shop.VerifyPayment(ctx, "GO-1")
	must(t, err)
	expect(t, "status", verified.Status, StatusCompleted)
	expect(t, "mode", verified.Mode, "test")
	expect(t, "completed", verified.CompletedAt != nil && verified.CompletedAt.Year() >= 2026, true)
	notification := next(t, told)
	expect(t, "event", notification.Event, EventCompleted)
	expect(t, "order", notification.Gateway.RefTrx, "GO-1")
	expect(t, "amount", notification.Gateway.Amount, "56000")
	expect(t, "currency", notification.Gateway.CurrencyCode, UGX)
	sent, err := shop.Notifications.Get(ctx, notification.ID)
	must(t, err)
	expect(t, "address", sent.URL, address+"/ipn")
}

func TestLivePay(t *testing.T) {
	shop := liveShop(t, nil)
	address, told := listen(t)
	started, err := shop.Pay(ctx, CreatePaymentBody{Amount: "1250.50", Currency: KES, CallbackURL: address + "/callback"})
	must(t, err)
	expect(t, "amount", started.Amount, "1250.5")
	help(t, "pay", started.PaymentURL)
	for {
		notification := next(t, told)
		expect(t, "payment", notification.Callback.Reference, started.Reference)
		if notification.Event == EventCompleted {
			break
		}
		expect(t, "event", notification.Event, EventPending)
	}
	paid, err := shop.Payment(ctx, started.Reference)
	must(t, err)
	expect(t, "status", paid.Status, StatusCompleted)
	part, err := shop.Payments.Refund(ctx, started.Reference, RefundPaymentBody{Amount: "250.50", Reason: "One bag was torn"})
	must(t, err)
	expect(t, "refunded", part.RefundedAmount, "250.5")
	refund := next(t, told)
	expect(t, "event", refund.Event, EventRefunded)
	expect(t, "what went back", refund.Callback.RefundAmount, "250.5")
	look, err := shop.Payments.Get(ctx, started.Reference)
	must(t, err)
	expect(t, "refunds", len(look.Refunds), 1)
	expect(t, "attempts", look.Attempts[0].Method, "wallet")
	profile, err := shop.Profile(ctx)
	must(t, err)
	expect(t, "profile", strconv.Itoa(profile.MerchantID), os.Getenv("MFUKO_MERCHANT_ID"))
	events, err := shop.Events(ctx, ListEventsQuery{Limit: 100})
	must(t, err)
	expect(t, "events are signed", events.Data[0].Headers["webhook-signature"] != "", true)
	expect(t, "there is a place to go on", events.Meta.NextAfter != "", true)
}

// losing does the request, and loses the answer as often as it is told to.
type losing struct {
	mutex sync.Mutex
	times int
}

func (l *losing) RoundTrip(request *http.Request) (*http.Response, error) {
	response, err := http.DefaultTransport.RoundTrip(request)
	l.mutex.Lock()
	defer l.mutex.Unlock()
	if err != nil || l.times == 0 {
		return response, err
	}
	l.times--
	response.Body.Close()
	return nil, errors.New("the connection broke")
}

func TestLiveLostAnswers(t *testing.T) {
	unlucky := liveShop(t, &http.Client{Transport: &losing{times: 2}})
	started, err := unlucky.Pay(ctx, CreatePaymentBody{Amount: "7777", Currency: UGX})
	must(t, err)
	count := 0
	payments := Each(func(cursor string) (*Page[MerchantPayment], error) {
		return unlucky.Payments.List(ctx, ListMerchantPaymentsQuery{Limit: 1, Cursor: cursor})
	})
	references := map[string]bool{}
	for payments.Next() {
		if payments.Item().Amount.Equal("7777") {
			count++
		}
		references[payments.Item().Reference] = true
	}
	must(t, payments.Err())
	expect(t, "it happened", count, 1)
	expect(t, "it is listed", references[started.Reference], true)
	help(t, "pay", started.PaymentURL)
	losesOne := liveShop(t, &http.Client{Transport: &losing{times: 1}})
	refunded, err := losesOne.Payments.Refund(ctx, started.Reference, RefundPaymentBody{Amount: AmountOf(700)})
	must(t, err)
	expect(t, "refunded once", refunded.RefundedAmount, "700")
}

func TestLiveErrors(t *testing.T) {
	shop := liveShop(t, nil)
	_, err := shop.Pay(ctx, CreatePaymentBody{Amount: "0", Currency: UGX})
	wrong := failure(t, err)
	expect(t, "code", wrong.Code, CodeValidationFailed)
	expect(t, "status", wrong.Status, 422)
	expect(t, "field", wrong.Errors["amount"] != "", true)
	expect(t, "request", strings.HasPrefix(wrong.RequestID, "req_"), true)
	_, err = shop.Pay(ctx, CreatePaymentBody{Currency: UGX})
	expect(t, "a forgotten amount", failure(t, err).Errors["amount"] != "", true)
	_, err = shop.Payment(ctx, "PY-00000-00000-000")
	expect(t, "code", failure(t, err).Code, CodeNotFound)
	_, err = shop.Pay(ctx, CreatePaymentBody{Amount: "100", Currency: UGX}, WithIdempotencyKey("go-same"))
	must(t, err)
	_, err = shop.Pay(ctx, CreatePaymentBody{Amount: "200", Currency: UGX}, WithIdempotencyKey("go-same"))
	conflict := failure(t, err)
	expect(t, "code", conflict.Code, CodeIdempotencyConflict)
	expect(t, "key", conflict.IdempotencyKey, "go-same")
	stranger, err := NewMerchantClient(MerchantOptions{BaseURL: os.Getenv("MFUKO_URL"), APIKey: "svc_test_nobody"})
	must(t, err)
	_, err = stranger.Profile(ctx)
	expect(t, "code", failure(t, err).Code, CodeUnauthenticated)
}

func TestLivePerson(t *testing.T) {
	needService(t)
	tokens := []string{}
	me, err := NewPlatformClient(PlatformOptions{
		BaseURL: os.Getenv("MFUKO_URL"),
		OnToken: func(token string) { tokens = append(tokens, token) },
	})
	must(t, err)
	pin, other := os.Getenv("MFUKO_PIN"), os.Getenv("MFUKO_OTHER")
	user, err := me.Login(ctx, LoginBody{Handle: os.Getenv("MFUKO_HANDLE"), Password: os.Getenv("MFUKO_PASSWORD")})
	must(t, err)
	expect(t, "who", user.Handle, os.Getenv("MFUKO_HANDLE"))
	wallets, err := me.Wallets.List(ctx)
	must(t, err)
	expect(t, "balance", wallets[0].Available, "50000")
	who, err := me.Transfers.LookUp(ctx, other)
	must(t, err)
	expect(t, "the other one", who.Handle, other)
	preview, err := me.Transfers.Preview(ctx, PreviewTransferBody{Recipient: other, Amount: "10000", Currency: UGX})
	must(t, err)
	sent, err := me.Transfers.Send(ctx, SendMoneyBody{Recipient: other, Amount: "10000", Currency: UGX, Pin: pin, Note: "Lunch"})
	must(t, err)
	expect(t, "as it was shown", sent.RecipientGets, preview.RecipientGets)
	history, err := me.Transactions.List(ctx, ListTransactionsQuery{Q: "lunch", Limit: 5})
	must(t, err)
	expect(t, "history", history.Items[0].Reference, sent.Reference)
	line, err := me.Transactions.Get(ctx, sent.Reference)
	must(t, err)
	expect(t, "balance after", line.BalanceAfter, "40000")
	csv, err := me.Transactions.CSV(ctx, ExportTransactionsQuery{Currency: UGX})
	must(t, err)
	expect(t, "in the CSV", strings.Contains(string(csv), sent.Reference), true)
	_, err = me.Transfers.Send(ctx, SendMoneyBody{Recipient: other, Amount: "1000", Currency: UGX, Pin: "0007"})
	expect(t, "a wrong PIN", failure(t, err).Code, CodePinIncorrect)
	expect(t, "attempts left", failure(t, err).AttemptsLeft != nil, true)
	group, err := me.Groups.Create(ctx, CreateGroupBody{
		Name: "A roof", Currency: UGX, Kind: "goal", GoalAmount: "900000", Visibility: "private",
	})
	must(t, err)
	_, err = me.Groups.Contribute(ctx, group.ID, ContributeToGroupBody{Amount: "2000", Pin: pin})
	must(t, err)
	pot, err := me.Groups.Get(ctx, group.ID)
	must(t, err)
	expect(t, "the pot", pot.Balance, "2000")
	changed, err := me.Account.Change(ctx, ChangeMeBody{EmailReceipts: Ptr(false)})
	must(t, err)
	expect(t, "receipts", changed.EmailReceipts, false)
	// A day later the token is exchanged, once for all.
	help(t, "advance", "90000")
	var all sync.WaitGroup
	for range make([]struct{}, 5) {
		all.Add(1)
		go func() {
			defer all.Done()
			if _, err := me.Account.Me(ctx); err != nil {
				t.Error(err)
			}
		}()
	}
	all.Wait()
	expect(t, "tokens", len(tokens), 2)
	must(t, me.Logout(ctx))
	_, err = me.Wallets.List(ctx)
	expect(t, "after", failure(t, err).Code, CodeUnauthenticated)
}
