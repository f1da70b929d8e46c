package mfuko

// A request promises: the key that makes it happen once is made before the first try and is the same in all of them; what
// may have happened is not asked for again without one; a credential goes to the host that was named and nowhere else; and
// whatever happens is an *Error that says so.

import (
	"context"
	"errors"
	"net/http"
	"net/url"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"
)

var (
	ctx   = context.Background()
	order = CreatePaymentBody{Amount: "5000", Currency: UGX}
	uuid  = regexp.MustCompile(`^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$`)
)

func replay(shop *MerchantClient) error {
	input := Input{Params: map[string]string{"id": "msg_1"}}
	return shop.Request(ctx, "POST", "/api/merchant/notifications/:id/replay", input, nil)
}

func TestOneKeyInAllTries(t *testing.T) {
	t.Parallel()
	service := newService(t, hangUp, away, fine)
	payment, err := newShop(t, service).Pay(ctx, order)
	must(t, err)
	expect(t, "reference", payment.Reference, "PY-1")
	keys := service.keys()
	expect(t, "tries", len(keys), 3)
	for at, one := range service.got() {
		expect(t, "body", one.body, `{"amount":5000,"currency":"UGX"}`)
		expect(t, "key", keys[at], keys[0])
	}
	if !uuid.MatchString(keys[0]) {
		t.Errorf("%q is no UUID", keys[0])
	}
}

func TestOwnKeys(t *testing.T) {
	t.Parallel()
	service := newService(t, fine)
	shop := newShop(t, service)
	for _, options := range [][]CallOption{{WithIdempotencyKey("order-1001")}, nil, nil} {
		_, err := shop.Pay(ctx, order, options...)
		must(t, err)
	}
	keys := service.keys()
	expect(t, "own key", keys[0], "order-1001")
	if keys[1] == keys[2] || keys[1] == keys[0] {
		t.Errorf("the keys are %v", keys)
	}
	_, err := shop.Pay(ctx, order, WithIdempotencyKey(""))
	expect(t, "an empty key is refused", err != nil && len(service.got()) == 3, true)
	// By the whole path too.
	must(t, shop.Request(ctx, "POST", "/api/merchant/payments/PY-1/refund", Input{}, nil))
	if last := service.keys()[3]; !uuid.MatchString(last) {
		t.Errorf("the key of a refund is %q", last)
	}
}

func TestWhichRoutesTakeAKey(t *testing.T) {
	t.Parallel()
	for _, route := range []string{"POST /api/pay", "POST /api/send", "POST /api/groups/some/contribute"} {
		method, path, _ := strings.Cut(route, " ")
		expect(t, route, takesKey(method, path), true)
	}
	for _, route := range []string{"GET /api/pay", "POST /api/send/preview", "POST /api/groups/contribute"} {
		method, path, _ := strings.Cut(route, " ")
		expect(t, route, takesKey(method, path), false)
	}
}

func TestGivesUp(t *testing.T) {
	t.Parallel()
	service := newService(t, hangUp)
	_, err := newShop(t, service).Pay(ctx, order)
	failed := failure(t, err)
	expect(t, "code", failed.Code, CodeConnectionFailed)
	expect(t, "status", failed.Status, 0)
	expect(t, "tries", len(service.got()), 3)
	expect(t, "key to go on with", failed.IdempotencyKey, service.keys()[0])
	if failed.Unwrap() == nil {
		t.Error("the cause is missing")
	}
}

func TestRetriesAsTold(t *testing.T) {
	t.Parallel()
	service := newService(t, away)
	_, err := newShop(t, service).Pay(ctx, order, WithRetries(0))
	failed := failure(t, err)
	expect(t, "code", failed.Code, CodeUnavailable)
	expect(t, "status", failed.Status, 503)
	expect(t, "request id", failed.RequestID, "req_1")
	expect(t, "tries", len(service.got()), 1)
	never, err := NewMerchantClient(MerchantOptions{BaseURL: service.URL, APIKey: "svc_test_key", Retries: Ptr(0)})
	must(t, err)
	_, err = never.Pay(ctx, order)
	failure(t, err)
	expect(t, "tries", len(service.got()), 2)
}

func TestWhatChangesSomethingWithoutAKeyIsTriedOnce(t *testing.T) {
	t.Parallel()
	service := newService(t, hangUp)
	failure(t, replay(newShop(t, service)))
	expect(t, "keys", strings.Join(service.keys(), " "), "")
	expect(t, "tries", len(service.got()), 1)
}

func TestALookIsRepeated(t *testing.T) {
	t.Parallel()
	service := newService(t, away, fine)
	_, err := newShop(t, service).Payment(ctx, "PY-1")
	must(t, err)
	expect(t, "keys", strings.Join(service.keys(), ""), "")
	expect(t, "tries", len(service.got()), 2)
}

func TestARefusalIsNotRepeated(t *testing.T) {
	t.Parallel()
	service := newService(t, says(422, `{"success":false,"message":"No","code":"validation_failed","request_id":"r",
		"errors":{"amount":"Amount must be greater than 0"}}`))
	_, err := newShop(t, service).Pay(ctx, CreatePaymentBody{Amount: "0", Currency: UGX})
	failed := failure(t, err)
	expect(t, "code", failed.Code, CodeValidationFailed)
	expect(t, "field", failed.Errors["amount"], "Amount must be greater than 0")
	expect(t, "tries", len(service.got()), 1)
	expect(t, "text", failed.Error(), "mfuko: validation_failed (422): No amount: Amount must be greater than 0. [r]")
}

func TestWaitsAsTold(t *testing.T) {
	t.Parallel()
	const limited = `{"success":false,"message":"Slow","code":"rate_limited","request_id":"r"}`
	service := newService(t, says(429, limited, "Retry-After", "1"), fine)
	begun := time.Now()
	must(t, replay(newShop(t, service)))
	if waited := time.Since(begun); waited < 990*time.Millisecond {
		t.Errorf("waited for %v", waited)
	}
	hour := newService(t, says(429, limited, "Retry-After", "3600"))
	_, err := newShop(t, hour).Pay(ctx, order)
	failed := failure(t, err)
	expect(t, "wait", failed.RetryAfter, time.Hour)
	expect(t, "tries", len(hour.got()), 1)
}

func TestWaitsGrow(t *testing.T) {
	t.Parallel()
	rows := []struct {
		tried      int
		retryAfter time.Duration
		chance     float64
		expected   time.Duration
		isWorthIt  bool
	}{
		{1, 0, 0, 250 * time.Millisecond, true},
		{1, 0, 1, 500 * time.Millisecond, true},
		{2, 0, 0, 500 * time.Millisecond, true},
		{2, 0, 1, time.Second, true},
		{3, 0, 1, 2 * time.Second, true},
		{99, 0, 1, patience, true},
		{1, 10 * time.Second, 0, 10 * time.Second, true},
		{1, 11 * time.Second, 0, 0, false},
	}
	for _, row := range rows {
		wait, isWorthIt := waitFor(row.tried, row.retryAfter, row.chance)
		expect(t, "wait", wait, row.expected)
		expect(t, "worth it", isWorthIt, row.isWorthIt)
	}
	for range make([]struct{}, 100) {
		if chance := someChance(); chance < 0 || chance >= 1 {
			t.Errorf("the chance is %v", chance)
		}
	}
}

func TestTime(t *testing.T) {
	t.Parallel()
	half := func(writer http.ResponseWriter, request *http.Request) {
		writer.Header().Set("Content-Type", "application/json")
		_, _ = writer.Write([]byte(`{"succ`))
		writer.(http.Flusher).Flush()
		silence(writer, request)
	}
	for name, act := range map[string]act{"silence": silence, "half an answer": half} {
		shop := newShop(t, newService(t, act))
		_, err := shop.Pay(ctx, order, WithTimeout(50*time.Millisecond), WithRetries(0))
		failed := failure(t, err)
		expect(t, name, failed.Code, CodeTimedOut)
		expect(t, name, failed.Status, 0)
		if failed.IdempotencyKey == "" {
			t.Error("the key to go on with is missing")
		}
		// The caller's own limit bounds all tries.
		soon, end := context.WithTimeout(ctx, 50*time.Millisecond)
		_, err = shop.Pay(soon, order)
		end()
		expect(t, name, failure(t, err).Code, CodeTimedOut)
		expect(t, "is the context's", errors.Is(err, context.DeadlineExceeded), true)
	}
}

func TestTheCallerCanStopIt(t *testing.T) {
	t.Parallel()
	// In a try, and between two of them.
	for name, act := range map[string]act{"in a try": silence, "between two": away} {
		act := act
		stopped, stop := context.WithCancel(ctx)
		service := newService(t, func(writer http.ResponseWriter, request *http.Request) {
			time.AfterFunc(50*time.Millisecond, stop)
			act(writer, request)
		})
		_, err := newShop(t, service).Pay(stopped, order)
		expect(t, name, failure(t, err).Code, CodeCancelled)
		expect(t, name, errors.Is(err, context.Canceled), true)
		expect(t, name+": tries", len(service.got()), 1)
		expect(t, name+": key", failure(t, err).IdempotencyKey, service.keys()[0])
		_, err = newShop(t, service).Pay(stopped, order)
		expect(t, "from the start", errors.Is(err, context.Canceled), true)
	}
}

func TestAnswersOfSomebodyElse(t *testing.T) {
	t.Parallel()
	rows := map[string]struct {
		act    act
		status int
	}{
		"a page":            {says(500, "<h1>Oops</h1>", "Content-Type", "text/html"), 500},
		"a page that is ok": {says(200, "<h1>Hi</h1>", "Content-Type", "text/html"), 200},
		"no JSON":           {says(200, `{"succ`), 200},
		"another form":      {says(200, `{"success":true,"data":[1]}`), 200},
		"no data":           {says(200, `{"success":true}`), 200},
		"null":              {says(200, `null`), 200},
	}
	for name, row := range rows {
		service := newService(t, row.act)
		_, err := newShop(t, service).Pay(ctx, order)
		expect(t, name, failure(t, err).Code, CodeUnreadableAnswer)
		expect(t, name, failure(t, err).Status, row.status)
		expect(t, name+": key", failure(t, err).IdempotencyKey, service.keys()[0])
		expect(t, name+": tries", len(service.got()), 1)
	}
}

func TestAnswersOfSomebodyElseWhereNothingMoreIsSaid(t *testing.T) {
	t.Parallel()
	rows := map[string]act{
		"a page that is ok": says(200, "<h1>We are back soon</h1>", "Content-Type", "text/html"),
		"another object":    says(200, `{"status":"ok"}`),
		"a list":            says(200, `[]`),
	}
	for name, act := range rows {
		person, err := NewPlatformClient(PlatformOptions{BaseURL: newService(t, act).URL, Token: "a"})
		expect(t, name, err == nil, true)
		_, listed := person.Groups.List(ctx, ListGroupsQuery{})
		calls := map[string]error{
			"a PIN":     person.Account.SetPin(ctx, SetPinBody{}),
			"a log-out": person.Logout(ctx),
			"a list":    listed,
		}
		for call, err := range calls {
			expect(t, name+": "+call, failure(t, err).Code, CodeUnreadableAnswer)
		}
	}
}

func TestAnswersAreBounded(t *testing.T) {
	t.Parallel()
	endless := func(writer http.ResponseWriter, request *http.Request) {
		writer.Header().Set("Content-Type", "text/csv")
		for request.Context().Err() == nil {
			if _, err := writer.Write(make([]byte, 1<<20)); err != nil {
				return
			}
		}
	}
	var body []byte
	err := newShop(t, newService(t, endless)).Request(ctx, "GET", "/api/transactions.csv", Input{}, &body, WithTimeout(time.Minute))
	expect(t, "code", failure(t, err).Code, CodeUnreadableAnswer)
}

func TestRedirectsAreNotFollowed(t *testing.T) {
	t.Parallel()
	elsewhere := newService(t, fine)
	for _, status := range []int{301, 302, 303, 307, 308} {
		service := newService(t, says(status, "", "Location", elsewhere.URL+"/"))
		_, err := newShop(t, service).Pay(ctx, order)
		expect(t, "code", failure(t, err).Code, CodeConnectionFailed)
		expect(t, "tries", len(service.got()), 1)
	}
	expect(t, "the key stays with the host that was named", len(elsewhere.got()), 0)
}

func TestPages(t *testing.T) {
	t.Parallel()
	list := func(items, next string) act {
		return says(200, `{"success":true,"message":"","data":[`+items+`],"meta":{"next_cursor":`+next+`}}`)
	}
	service := newService(t, list(`{"reference":"1"},{"reference":"2"}`, `"b"`), list("", `"c"`), list(`{"reference":"3"}`, "null"))
	shop := newShop(t, service)
	each := Each(func(cursor string) (*Page[MerchantPayment], error) {
		return shop.Payments.List(ctx, ListMerchantPaymentsQuery{Limit: 2, Cursor: cursor})
	})
	seen, asked := "", ""
	for each.Next() {
		seen += each.Item().Reference
	}
	must(t, each.Err())
	for _, one := range service.got() {
		asked += one.url + " "
	}
	expect(t, "items", seen, "123")
	const path = "/api/merchant/payments?"
	expect(t, "pages", asked, path+"limit=2 "+path+"cursor=b&limit=2 "+path+"cursor=c&limit=2 ")
	expect(t, "after the last", each.Next(), false)
	broken := Each(func(string) (*Page[MerchantPayment], error) { return nil, errors.New("no") })
	expect(t, "a list that fails", broken.Next(), false)
	expect(t, "says so", broken.Err() != nil, true)
}

func TestAListHasAsManyPagesAsItHas(t *testing.T) {
	t.Parallel()
	count := func(items *Items[int]) (count int, err error) {
		for items.Next() {
			count++
		}
		return count, items.Err()
	}
	page := 0
	long, err := count(Each(func(string) (*Page[int], error) {
		page++
		next := strconv.Itoa(page)
		if page == 10_002 {
			next = ""
		}
		return &Page[int]{Items: []int{page}, NextCursor: next}, nil
	}))
	must(t, err)
	expect(t, "items", long, 10_002)
	circle, err := count(Each(func(cursor string) (*Page[int], error) {
		next := "b"
		if cursor == "b" {
			next = "c"
		}
		return &Page[int]{Items: []int{1}, NextCursor: next}, nil
	}))
	expect(t, "one that leads in circles", failure(t, err).Code, CodeUnreadableAnswer)
	expect(t, "items of it", circle, 3)
}

func TestWhoIsCalling(t *testing.T) {
	t.Parallel()
	service := newService(t, says(200, `{"data":{}}`))
	shop := newShop(t, service)
	_, err := shop.VerifyPayment(ctx, "ORDER 1/2?")
	must(t, err)
	_, err = shop.Payment(ctx, "PY-1")
	must(t, err)
	gateway, pay := service.got()[0], service.got()[1]
	expect(t, "path", gateway.url, "/api/v1/verify-payment/ORDER%201%2F2%3F")
	expect(t, "merchant", gateway.header.Get("SVC-Merchant-Key"), "12345678")
	expect(t, "gateway key", gateway.header.Get("SVC-API-Key"), "svc_test_key")
	expect(t, "no other key", gateway.header.Get("X-SVC-Key"), "")
	expect(t, "key", pay.header.Get("X-SVC-Key"), "svc_test_key")
	expect(t, "no gateway key", pay.header.Get("SVC-API-Key"), "")
	expect(t, "agent", pay.header.Get("User-Agent"), "mfuko-go/1.0.0")
	branded, err := NewMerchantClient(MerchantOptions{BaseURL: service.URL + "/", APIKey: "svc_test_key", HeaderPrefix: "Duka"})
	must(t, err)
	_, err = branded.Payment(ctx, "PY-1")
	must(t, err)
	expect(t, "brand", service.got()[2].header.Get("X-Duka-Key"), "svc_test_key")
	_, err = branded.VerifyPayment(ctx, "x")
	expect(t, "the gateway needs the Merchant ID", err != nil && strings.Contains(err.Error(), "MerchantID"), true)
}

func TestQueriesAndBodies(t *testing.T) {
	t.Parallel()
	service := newService(t, says(200, `{"data":{},"meta":{}}`))
	shop := newShop(t, service)
	for _, query := range []any{
		url.Values{"q": {"a&b"}},
		map[string]any{"q": "a&b"},
		ListMerchantPaymentsQuery{Q: "a&b"},
	} {
		must(t, shop.Request(ctx, "GET", "/api/merchant/payments", Input{Query: query}, nil))
	}
	for _, one := range service.got() {
		expect(t, "query", one.url, "/api/merchant/payments?q=a%26b")
		expect(t, "body", one.body, "")
	}
	must(t, shop.Request(ctx, "PATCH", "/api/merchant", Input{Body: ChangeMerchantBody{IPNURL: Clear(), CallbackURL: Set("https://a.example/?b&c")}}, nil))
	must(t, shop.Request(ctx, "POST", "/api/merchant/test-notification", Input{}, nil))
	must(t, shop.Request(ctx, "POST", "/api/pay", Input{Body: CreatePaymentBody{Currency: UGX}}, nil))
	sent := service.got()[3:]
	expect(t, "null and text", sent[0].body, `{"ipn_url":null,"callback_url":"https://a.example/?b&c"}`)
	expect(t, "nothing", sent[1].body, `{}`)
	expect(t, "a forgotten amount", sent[2].body, `{"amount":null,"currency":"UGX"}`)
	if err := shop.Request(ctx, "GET", "/api/merchant", Input{Query: 5}, nil); err == nil {
		t.Error("5 is a query")
	}
	if _, err := shop.Pay(ctx, CreatePaymentBody{Amount: "1,000", Currency: UGX}); err == nil {
		t.Error("1,000 is an amount")
	}
	expect(t, "requests", len(service.got()), 6)
}

func TestWhatCanNotBePartOfAPath(t *testing.T) {
	t.Parallel()
	service := newService(t, fine)
	shop := newShop(t, service)
	for _, name := range []string{"", ".", ".."} {
		if _, err := shop.Payment(ctx, name); err == nil {
			t.Errorf("%q is a name", name)
		}
	}
	for _, path := range []string{"", "api", "/api/../x", "/api//x", "/api/pay?x=1", "/api/pay/:missing", "//evil.example/x"} {
		if err := shop.Request(ctx, "GET", path, Input{}, nil); err == nil {
			t.Errorf("%q is a path", path)
		}
	}
	expect(t, "requests", len(service.got()), 0)
}

func TestWrongSettings(t *testing.T) {
	t.Parallel()
	rows := []struct{ base, key, problem string }{
		{"http://localhost:8080", "", "APIKey is missing"},
		{"pay.example", "svc_test_x", "not an address"},
		{"", "svc_test_x", "not an address"},
		{"ftp://pay.example", "svc_test_x", "BaseURL is"},
		{"https://user@pay.example", "svc_test_x", "BaseURL is"},
		{"https://pay.example?x=1", "svc_test_x", "BaseURL is"},
		{"http://pay.example", "svc_live_x", "https only"},
		{"http://localhost.evil.example", "svc_live_x", "https only"},
		{"http://localhost:8080", "svc_live_x", ""},
		{"http://[::1]:8080", "svc_live_x", ""},
		{"https://pay.example/", "svc_live_x", ""},
	}
	for _, row := range rows {
		_, err := NewMerchantClient(MerchantOptions{BaseURL: row.base, APIKey: row.key})
		isAsExpected := (err == nil) == (row.problem == "")
		if err != nil {
			isAsExpected = row.problem != "" && strings.Contains(err.Error(), row.problem)
		}
		if !isAsExpected {
			t.Errorf("%s %s: %v", row.base, row.key, err)
		}
	}
}

func TestManyAtOnce(t *testing.T) {
	t.Parallel()
	service := newService(t, fine)
	shop, err := NewMerchantClient(MerchantOptions{BaseURL: service.URL, APIKey: "svc_test_key"})
	must(t, err)
	var all sync.WaitGroup
	for range make([]struct{}, 50) {
		all.Add(1)
		go func() {
			defer all.Done()
			if _, err := shop.Pay(ctx, order); err != nil {
				t.Error(err)
			}
		}()
	}
	all.Wait()
	different := map[string]bool{}
	for _, key := range service.keys() {
		different[key] = true
	}
	expect(t, "keys", len(different), 50)
}

func TestTheGivenClientIsLeftAsItIs(t *testing.T) {
	t.Parallel()
	given := &http.Client{}
	_, err := NewMerchantClient(MerchantOptions{BaseURL: "https://pay.example", APIKey: "svc_test_x", HTTPClient: given})
	must(t, err)
	expect(t, "redirects", given.CheckRedirect == nil, true)
}
