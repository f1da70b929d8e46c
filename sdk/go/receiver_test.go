package mfuko

// A receiver promises: nothing is worked on that is not signed, what comes twice is worked on once, and what failed is
// worked on again; the same as a handler and as middleware.

import (
	"context"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"
)

var (
	clientSecret = "whsec_" + base64.StdEncoding.EncodeToString([]byte("thirty two bytes of a secret, ok"))
	otherSecret  = "whsec_" + base64.StdEncoding.EncodeToString([]byte("thirty two bytes of another one!"))
)

type delivery struct {
	id     string
	header http.Header
	body   string
}

const gatewayBody = `{"data":{"ref_trx":"ORDER-1","description":null,"amount":56000,"currency_code":"UGX",` +
	`"ipn_url":"https://a.example/☕"},"status":"completed","message":"m","timestamp":1}`

// signed is as the service sends it.
func signed(id, secret, body string, age time.Duration) delivery {
	stamp := strconv.FormatInt(time.Now().Add(-age).Unix(), 10)
	key, _ := fromBase64(strings.TrimPrefix(secret, secretPrefix))
	signature := digest(key, []byte(id+"."+stamp+"."), []byte(body))
	header := http.Header{}
	header.Set("Content-Type", "application/json")
	header.Set("SVC-Signature", hex.EncodeToString(digest([]byte(secret), []byte(body))))
	header.Set("SVC-Webhook-Attempt", "2")
	header.Set("SVC-Event-Sequence", "3")
	header.Set("webhook-id", id)
	header.Set("webhook-timestamp", stamp)
	header.Set("webhook-signature", "v1,"+base64.StdEncoding.EncodeToString(signature))
	return delivery{id, header, body}
}

// work is what the application did with notifications.
type work struct {
	mutex  sync.Mutex
	worked []*Notification
	errors []error
	// What happens with the next one: an error, a panic.
	next func() error
}

func (w *work) handle(_ context.Context, notification *Notification) error {
	w.mutex.Lock()
	defer w.mutex.Unlock()
	if fail := w.next; fail != nil {
		w.next = nil
		return fail()
	}
	w.worked = append(w.worked, notification)
	return nil
}

func (w *work) onError(err error) {
	w.mutex.Lock()
	defer w.mutex.Unlock()
	w.errors = append(w.errors, err)
}

func newReceiver(t *testing.T, options ReceiverOptions) *Receiver {
	t.Helper()
	options.ClientSecret = clientSecret
	receiver, err := NewReceiver(options)
	must(t, err)
	return receiver
}

// makers are the two ways to receive, as servers.
var makers = map[string]func(receiver *Receiver, work *work) http.Handler{
	"handler": func(receiver *Receiver, work *work) http.Handler { return receiver.Handler(work.handle) },
	"middleware": func(receiver *Receiver, work *work) http.Handler {
		return receiver.Middleware(http.HandlerFunc(func(writer http.ResponseWriter, request *http.Request) {
			body, err := io.ReadAll(request.Body)
			if err != nil || !strings.Contains(string(body), "data") {
				http.Error(writer, "the body is gone", http.StatusTeapot)
				return
			}
			if err := work.handle(request.Context(), NotificationFrom(request.Context())); err != nil {
				http.Error(writer, "later", http.StatusInternalServerError)
			}
		}))
	},
}

func forBoth(t *testing.T, check func(t *testing.T, work *work, post func(delivery) (int, string))) {
	t.Helper()
	for name, make := range makers {
		make := make
		t.Run(name, func(t *testing.T) {
			work := &work{}
			receiver := newReceiver(t, ReceiverOptions{OnError: work.onError})
			server := httptest.NewServer(make(receiver, work))
			t.Cleanup(server.Close)
			check(t, work, func(one delivery) (int, string) { return post(t, server.URL+"/ipn", one) })
		})
	}
}

func post(t *testing.T, url string, one delivery) (int, string) {
	t.Helper()
	request, err := http.NewRequest("POST", url, strings.NewReader(one.body))
	must(t, err)
	request.Header = one.header
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return 0, err.Error()
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	must(t, err)
	return response.StatusCode, string(text)
}

func TestAGoodOneIsWorkedOnOnce(t *testing.T) {
	forBoth(t, func(t *testing.T, work *work, post func(delivery) (int, string)) {
		one := signed("msg_1", clientSecret, gatewayBody, 0)
		for _, expected := range []string{`{"message":"Received"}`, `{"message":"Received before"}`} {
			status, text := post(one)
			expect(t, "status", status, 200)
			expect(t, "text", text, expected)
		}
		expect(t, "worked on", len(work.worked), 1)
		got := *work.worked[0]
		order := *got.Gateway
		got.Gateway = nil
		expect(t, "about", fmt.Sprintf("%+v", got), "{ID:msg_1 Attempt:2 Sequence:3 Event:payment.completed Gateway:<nil> Callback:<nil>}")
		expect(t, "order", order, GatewayNotification{
			Status: "completed", Message: "m", Timestamp: 1, RefTrx: "ORDER-1",
			IPNURL: "https://a.example/☕", Amount: "56000", CurrencyCode: UGX,
		})
	})
}

func TestTwoAtTheSameTime(t *testing.T) {
	forBoth(t, func(t *testing.T, work *work, post func(delivery) (int, string)) {
		one := signed("msg_1", clientSecret, gatewayBody, 0)
		begun, goOn := make(chan struct{}), make(chan struct{})
		work.next = func() error {
			close(begun)
			<-goOn
			return nil
		}
		first := make(chan int)
		go func() {
			status, _ := post(one)
			first <- status
		}()
		<-begun
		status, text := post(one)
		expect(t, "the second", status, 409)
		expect(t, "the second", text, `{"message":"Being worked on"}`)
		close(goOn)
		expect(t, "the first", <-first, 200)
	})
}

func TestWhatFailedIsWorkedOnAgain(t *testing.T) {
	problems := map[string]func() error{
		"error": func() error { return errors.New("the database is away") },
		"panic": func() error { panic(http.ErrAbortHandler) },
	}
	for name, problem := range problems {
		problem := problem
		t.Run(name, func(t *testing.T) {
			forBoth(t, func(t *testing.T, work *work, post func(delivery) (int, string)) {
				one := signed("msg_1", clientSecret, gatewayBody, 0)
				work.next = problem
				if status, _ := post(one); status != 500 && status != 0 {
					t.Errorf("the first: %d", status)
				}
				status, _ := post(one)
				expect(t, "again", status, 200)
				expect(t, "worked on", len(work.worked), 1)
				if name == "error" {
					expect(t, "errors", len(work.errors), 1)
				}
			})
		})
	}
}

func TestForgedOldAndEmptyOnesAreRefused(t *testing.T) {
	forBoth(t, func(t *testing.T, work *work, post func(delivery) (int, string)) {
		good := signed("msg_1", clientSecret, gatewayBody, 0)
		changed := good
		changed.body = strings.Replace(good.body, "56000", "57000", 1)
		empty := good
		empty.body = ""
		doubled := delivery{"msg_1", good.header.Clone(), good.body}
		doubled.header.Add("webhook-signature", "v1,x")
		unsigned := delivery{"", http.Header{"Content-Type": {"application/json"}}, good.body}
		wrong := []delivery{
			signed("msg_1", otherSecret, gatewayBody, 0), changed, signed("msg_1", clientSecret, gatewayBody, 301*time.Second),
			signed("msg_1", clientSecret, gatewayBody, -310*time.Second), unsigned, empty, doubled,
			signed("msg_1", clientSecret, "\xff"+gatewayBody, 0),
		}
		for _, one := range wrong {
			status, _ := post(one)
			expect(t, "status", status, 403)
		}
		reasons := ""
		for _, err := range work.errors {
			var refused *NotificationError
			if errors.As(err, &refused) {
				reasons += string(refused.Reason) + " "
			}
		}
		expect(t, "reasons", reasons, "signature_wrong signature_wrong too_old too_new signature_missing signature_wrong"+
			" signature_missing unreadable ")
		expect(t, "worked on", len(work.worked), 0)
	})
}

func TestWhatIsNoNotification(t *testing.T) {
	forBoth(t, func(t *testing.T, work *work, post func(delivery) (int, string)) {
		status, _ := post(signed("msg_1", clientSecret, `{"a":"`+strings.Repeat("x", 300<<10)+`"}`, 0))
		expect(t, "far too large", status, 413)
	})
	recorder := httptest.NewRecorder()
	receiver := newReceiver(t, ReceiverOptions{})
	receiver.Handler((&work{}).handle).ServeHTTP(recorder, httptest.NewRequest("GET", "/ipn", nil))
	expect(t, "a look", recorder.Code, 405)
	expect(t, "what is allowed", recorder.Header().Get("Allow"), "POST")
	expect(t, "no notification", NotificationFrom(context.Background()) == nil, true)
}

func TestMiddlewareGoesByTheStatus(t *testing.T) {
	receiver := newReceiver(t, ReceiverOptions{})
	statuses := []int{503, 204}
	handler := receiver.Middleware(http.HandlerFunc(func(writer http.ResponseWriter, _ *http.Request) {
		writer.WriteHeader(statuses[0])
		statuses = statuses[1:]
	}))
	one := signed("msg_1", clientSecret, gatewayBody, 0)
	for _, expected := range []int{503, 204, 200} {
		request := httptest.NewRequest("POST", "/ipn", strings.NewReader(one.body))
		request.Header = one.header
		recorder := httptest.NewRecorder()
		handler.ServeHTTP(recorder, request)
		expect(t, "status", recorder.Code, expected)
	}
}

func TestCallbacks(t *testing.T) {
	const body = `{"event":"payment.failed","id":"msg_forged","data":{"reference":"PY-1","amount":12345678901234.56,` +
		`"currency":"KES","merchant_id":"48213377","timestamp":5},"error":{"code":"expired","message":"m","retryable":true}}`
	one := signed("msg_1", clientSecret, body, 0)
	read, err := newReceiver(t, ReceiverOptions{}).Read(one.header, []byte(one.body))
	must(t, err)
	expect(t, "id", read.ID, "msg_1")
	expect(t, "event", read.Event, EventFailed)
	expect(t, "gateway", read.Gateway == nil, true)
	expect(t, "amount", read.Callback.Amount, "12345678901234.56")
	expect(t, "error", *read.Callback.Error, PaymentFailure{"expired", "m", true})
}

func TestBodySignatureAlone(t *testing.T) {
	receiver := newReceiver(t, ReceiverOptions{Signature: BodySignature})
	work := &work{}
	messages := ""
	// Equal bodies are the same one, whatever id they claim.
	for _, one := range []delivery{
		signed("msg_a", clientSecret, gatewayBody, 0), signed("msg_b", clientSecret, gatewayBody, 99_999*time.Second),
	} {
		messages += receiver.Receive(ctx, one.header, []byte(one.body), work.handle).Message + "; "
	}
	expect(t, "messages", messages, "Received; Received before; ")
}

// troubled is a store that fails.
type troubled struct{ begin, done, forget error }

func (s troubled) Begin(context.Context, string) (SeenState, error) { return SeenFirst, s.begin }
func (s troubled) Done(ctx context.Context, _ string) error         { return firstOfErrors(ctx.Err(), s.done) }
func (s troubled) Forget(ctx context.Context, _ string) error {
	return firstOfErrors(ctx.Err(), s.forget)
}

func firstOfErrors(one, other error) error {
	if one != nil {
		return one
	}
	return other
}

func TestAStoreThatFails(t *testing.T) {
	away := errors.New("away")
	fails := func(context.Context, *Notification) error { return errors.New("no") }
	works := func(context.Context, *Notification) error { return nil }
	rows := []struct {
		store   troubled
		handle  Handler
		status  int
		problem string
	}{
		{troubled{}, works, 200, ""},
		{troubled{begin: away}, works, 500, "away"},
		{troubled{done: away}, works, 500, "away"},
		{troubled{forget: away}, fails, 500, "no (and it could not be forgotten: away)"},
	}
	for _, row := range rows {
		one := signed("msg_1", clientSecret, gatewayBody, 0)
		// Who sent it has hung up; what became of it is noted all the same.
		gone, hangUp := context.WithCancel(ctx)
		hangUp()
		outcome := newReceiver(t, ReceiverOptions{Seen: row.store}).Receive(gone, one.header, []byte(one.body), row.handle)
		expect(t, "status", outcome.Status, row.status)
		if row.problem == "" && outcome.Err != nil || row.problem != "" && fmt.Sprint(outcome.Err) != row.problem {
			t.Errorf("%v, expected %q", outcome.Err, row.problem)
		}
	}
}

func TestSecretsThatAreNone(t *testing.T) {
	for _, wrong := range []string{"", "whsec_", "whsec_c2hvcnQ=", "svc_test_key", clientSecret + "\n", strings.TrimPrefix(clientSecret, "whsec_")} {
		if _, err := NewReceiver(ReceiverOptions{ClientSecret: wrong}); err == nil {
			t.Errorf("%q is a secret", wrong)
		}
		if _, err := NewReceiver(ReceiverOptions{ClientSecret: clientSecret, MoreSecrets: []string{wrong}}); err == nil {
			t.Errorf("%q is another secret", wrong)
		}
	}
	if _, err := NewReceiver(ReceiverOptions{ClientSecret: clientSecret, Signature: "none"}); err == nil {
		t.Error("no signature is one")
	}
}

func TestTheMemoryIsBounded(t *testing.T) {
	few := RememberInMemory().(*memory)
	few.most = 2
	begin := func(memory *memory, id string) SeenState {
		state, err := memory.Begin(ctx, id)
		must(t, err)
		return state
	}
	expect(t, "busy", begin(few, "busy"), SeenFirst)
	for _, id := range []string{"a", "b", "c"} {
		expect(t, id, begin(few, id), SeenFirst)
		must(t, few.Done(ctx, id))
	}
	expect(t, "what is worked on stays", begin(few, "busy"), SeenBusy)
	expect(t, "the newest stays", begin(few, "c"), SeenDone)
	expect(t, "the oldest is new again", begin(few, "a"), SeenFirst)
	expect(t, "both sides are bounded", few.order.Len() == len(few.known) && few.order.Len() <= 3, true)
	short := RememberInMemory().(*memory)
	short.keep = 0
	expect(t, "first", begin(short, "a"), SeenFirst)
	must(t, short.Done(ctx, "a"))
	expect(t, "after its time", begin(short, "a"), SeenFirst)
}
