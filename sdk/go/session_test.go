package mfuko

// A session promises: the token is exchanged before it ends or when it is refused, once for all calls that wait; an answer
// to an exchange that got lost does not end it; and who ended it is told.

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// identity is a service that knows tokens: t1, t2, …, each good until the next one was made.
type identity struct {
	mutex   sync.Mutex
	number  int
	ended   bool
	lose    int
	lasts   int
	refresh int
	slow    chan struct{}
}

const refused = `{"success":false,"message":"No","code":"unauthenticated","request_id":"r"}`

func (i *identity) act(writer http.ResponseWriter, request *http.Request) {
	if strings.HasPrefix(request.URL.Path, "/api/auth/") && request.URL.Path != "/api/auth/logout" {
		if i.slow != nil {
			<-i.slow
		}
		i.issue(writer, request)
		return
	}
	i.mutex.Lock()
	isGood := !i.ended && request.Header.Get("Authorization") == fmt.Sprintf("Bearer t%d", i.number)
	i.mutex.Unlock()
	if !isGood {
		says(401, refused)(writer, request)
		return
	}
	says(200, `{"success":true,"data":{"handle":"amina"}}`)(writer, request)
}

func (i *identity) issue(writer http.ResponseWriter, request *http.Request) {
	i.mutex.Lock()
	defer i.mutex.Unlock()
	if request.URL.Path == "/api/auth/refresh" {
		i.refresh++
		if i.ended {
			says(401, refused)(writer, request)
			return
		}
	}
	if i.lose > 0 {
		i.lose--
		panic(http.ErrAbortHandler)
	}
	i.number++
	_, _ = io.WriteString(withJSON(writer), fmt.Sprintf(
		`{"success":true,"data":{"token":"t%d","expires_in":%d,"user":{"handle":"amina"}}}`, i.number, i.lasts))
}

func withJSON(writer http.ResponseWriter) http.ResponseWriter {
	writer.Header().Set("Content-Type", "application/json")
	return writer
}

func newPerson(t *testing.T, known *identity, token string) (*PlatformClient, *[]string) {
	t.Helper()
	if known.lasts == 0 {
		known.lasts = 86_400
	}
	service := newService(t, known.act)
	tokens := &[]string{}
	client, err := NewPlatformClient(PlatformOptions{
		BaseURL:    service.URL,
		Token:      token,
		OnToken:    func(next string) { *tokens = append(*tokens, next) },
		HTTPClient: &http.Client{Transport: &http.Transport{DisableKeepAlives: true}},
	})
	must(t, err)
	return client, tokens
}

func TestLoginAndLogout(t *testing.T) {
	t.Parallel()
	client, tokens := newPerson(t, &identity{}, "")
	expect(t, "signed in", client.IsSignedIn(), false)
	_, err := client.Account.Me(ctx)
	expect(t, "before", failure(t, err).Code, CodeUnauthenticated)
	_, err = client.Resume(ctx)
	expect(t, "nothing to resume", failure(t, err).Code, CodeUnauthenticated)
	user, err := client.Login(ctx, LoginBody{Handle: "amina", Password: "x"})
	must(t, err)
	expect(t, "who", user.Handle, "amina")
	_, err = client.Account.Me(ctx)
	must(t, err)
	must(t, client.Logout(ctx))
	expect(t, "signed in", client.IsSignedIn(), false)
	expect(t, "tokens", strings.Join(*tokens, ","), "t1,")
}

func TestOneExchangeForAllWhoWait(t *testing.T) {
	t.Parallel()
	known := &identity{number: 7}
	client, tokens := newPerson(t, known, "t1")
	var all sync.WaitGroup
	for range make([]struct{}, 20) {
		all.Add(1)
		go func() {
			defer all.Done()
			if _, err := client.Account.Me(ctx); err != nil {
				t.Error(err)
			}
		}()
	}
	all.Wait()
	expect(t, "exchanges", known.refresh, 1)
	expect(t, "tokens", strings.Join(*tokens, ","), "t8")
	expect(t, "token", client.Token(), "t8")
}

// tired is a service that loses a transfer, and then refuses the token.
func tired(t *testing.T, rest ...act) (*scripted, *PlatformClient) {
	t.Helper()
	service := newService(t, append([]act{hangUp, says(401, refused)}, rest...)...)
	client, err := NewPlatformClient(PlatformOptions{
		BaseURL:    service.URL,
		Token:      "t1",
		HTTPClient: &http.Client{Transport: &http.Transport{DisableKeepAlives: true}},
	})
	must(t, err)
	return service, client
}

var sending = SendMoneyBody{Recipient: "juma", Amount: "5000", Currency: UGX, Pin: "2580"}

func TestLostRefusedExchangedOneKey(t *testing.T) {
	t.Parallel()
	service, client := tired(t, says(200, `{"data":{"token":"t2","expires_in":86400,"user":{}}}`), fine)
	_, err := client.Transfers.Send(ctx, sending)
	must(t, err)
	keys := service.keys()
	expect(t, "requests", len(keys), 4)
	expect(t, "the exchange", keys[2], "")
	expect(t, "a UUID", uuid.MatchString(keys[0]), true)
	expect(t, "after it was lost", keys[1], keys[0])
	expect(t, "after the exchange", keys[3], keys[0])
}

func TestWhoCanNotExchangeSaysWithWhichKeyToGoOn(t *testing.T) {
	t.Parallel()
	service, client := tired(t, hangUp)
	_, err := client.Transfers.Send(ctx, sending)
	expect(t, "code", failure(t, err).Code, CodeConnectionFailed)
	expect(t, "key", failure(t, err).IdempotencyKey, service.keys()[0])
}

func TestExchangeInTime(t *testing.T) {
	t.Parallel()
	known := &identity{lasts: 59}
	client, _ := newPerson(t, known, "")
	_, err := client.Login(ctx, LoginBody{Handle: "amina", Password: "x"})
	must(t, err)
	known.mutex.Lock()
	known.lasts = 86_400
	known.mutex.Unlock()
	for range make([]struct{}, 3) {
		_, err = client.Account.Me(ctx)
		must(t, err)
	}
	expect(t, "exchanges", known.refresh, 1)
}

func TestALostExchangeIsTriedOnceMore(t *testing.T) {
	t.Parallel()
	known := &identity{number: 3, lose: 1}
	client, _ := newPerson(t, known, "t3")
	user, err := client.Resume(ctx)
	must(t, err)
	expect(t, "who", user.Handle, "amina")
	expect(t, "exchanges", known.refresh, 2)
	known.lose = 2
	_, err = client.Resume(ctx)
	expect(t, "twice lost", failure(t, err).Code, CodeConnectionFailed)
	expect(t, "the session is not given up", client.Token(), "t4")
}

func TestASessionThatWasEndedElsewhere(t *testing.T) {
	t.Parallel()
	known := &identity{number: 1, ended: true}
	service := newService(t, known.act)
	var told, tokens atomic.Int32
	client, err := NewPlatformClient(PlatformOptions{
		BaseURL:     service.URL,
		Token:       "t1",
		OnToken:     func(string) { tokens.Add(1) },
		OnSignedOut: func() { told.Add(1) },
	})
	must(t, err)
	for range make([]struct{}, 2) {
		_, err = client.Account.Me(ctx)
		expect(t, "code", failure(t, err).Code, CodeUnauthenticated)
	}
	expect(t, "told", told.Load(), 1)
	expect(t, "signed in", client.IsSignedIn(), false)
	must(t, client.Logout(ctx))
	expect(t, "that there is no token any more, once", tokens.Load(), 1)
}

func TestWhoLeavesDoesNotStopTheExchange(t *testing.T) {
	t.Parallel()
	known := &identity{number: 5, slow: make(chan struct{})}
	client, _ := newPerson(t, known, "t1")
	impatient, leave := context.WithCancel(ctx)
	time.AfterFunc(20*time.Millisecond, leave)
	_, err := client.Account.Me(impatient)
	expect(t, "who left", errors.Is(err, context.Canceled), true)
	expect(t, "code", failure(t, err).Code, CodeCancelled)
	waiting := make(chan error)
	go func() {
		_, err := client.Account.Me(ctx)
		waiting <- err
	}()
	close(known.slow)
	must(t, <-waiting)
	expect(t, "exchanges", known.refresh, 1)
}

func TestALoginDuringAnExchangeStays(t *testing.T) {
	t.Parallel()
	started := &session{token: "new"}
	started.replace("old", SignedIn{Token: "successor of the old one"})
	expect(t, "token", started.held(), "new")
	started.replace("new", SignedIn{})
	expect(t, "token", started.held(), "")
}

func TestALoginDuringAnExchangeThatIsRefused(t *testing.T) {
	t.Parallel()
	asked, answered := make(chan struct{}), make(chan struct{})
	exchange := func(writer http.ResponseWriter, request *http.Request) {
		close(asked)
		<-answered
		says(401, refused)(writer, request)
	}
	login := says(200, `{"data":{"token":"login","expires_in":86400,"user":{}}}`)
	service := newService(t, says(401, refused), exchange, login, fine)
	var told atomic.Int32
	client, err := NewPlatformClient(PlatformOptions{
		BaseURL: service.URL, Token: "t1", OnSignedOut: func() { told.Add(1) },
	})
	must(t, err)
	before := make(chan error)
	go func() {
		_, err := client.Account.Me(ctx)
		before <- err
	}()
	<-asked
	_, err = client.Login(ctx, LoginBody{Handle: "juma", Password: "x"})
	must(t, err)
	close(answered)
	expect(t, "who asked before", failure(t, <-before).Code, CodeUnauthenticated)
	expect(t, "requests", len(service.keys()), 3)
	expect(t, "nobody was signed out", told.Load(), 0)
	expect(t, "token", client.Token(), "login")
}

// nextPerson is a client of amina: juma logs in before the given answer comes.
func nextPerson(t *testing.T, first ...act) (*scripted, *PlatformClient) {
	t.Helper()
	var client *PlatformClient
	late := first[len(first)-1]
	first[len(first)-1] = func(writer http.ResponseWriter, request *http.Request) {
		if _, err := client.Login(ctx, LoginBody{Handle: "juma", Password: "x"}); err != nil {
			t.Error(err)
		}
		late(writer, request)
	}
	login := says(200, `{"data":{"token":"juma","expires_in":86400,"user":{}}}`)
	service := newService(t, append(first, login, fine)...)
	client, err := NewPlatformClient(PlatformOptions{BaseURL: service.URL, Token: "amina"})
	must(t, err)
	return service, client
}

func TestWhoComesNextDoesNotSendTheMoneyOfWhoWasHereBefore(t *testing.T) {
	t.Parallel()
	service, client := nextPerson(t, away)
	_, err := client.Transfers.Send(ctx, sending)
	expect(t, "code", failure(t, err).Code, Code("unavailable"))
	expect(t, "key", failure(t, err).IdempotencyKey, service.keys()[0])
	expect(t, "requests: one transfer and a login", len(service.keys()), 2)
	expect(t, "token", client.Token(), "juma")
}

func TestNotEitherWhenTheOldTokenIsExchangedFirst(t *testing.T) {
	t.Parallel()
	exchanged := says(200, `{"data":{"token":"amina 2","expires_in":86400,"user":{}}}`)
	for name, script := range map[string][]act{
		"refused": {says(401, refused), exchanged},
		"in time": {says(200, `{"data":{"token":"amina","expires_in":59,"user":{}}}`), exchanged},
	} {
		service, client := nextPerson(t, script...)
		if name == "in time" {
			_, err := client.Login(ctx, LoginBody{Handle: "amina", Password: "x"})
			must(t, err)
		}
		_, err := client.Transfers.Send(ctx, sending)
		expect(t, name, failure(t, err).Code, CodeUnauthenticated)
		expect(t, name, failure(t, err).Status, 401)
		expect(t, name+": nothing after the login", len(service.keys()), 3)
	}
}

func TestWhoComesNextIsNotLoggedOutByWhoLeaves(t *testing.T) {
	t.Parallel()
	_, client := nextPerson(t, says(200, `{"success":true,"data":null}`))
	must(t, client.Logout(ctx))
	expect(t, "token", client.Token(), "juma")
}

func TestAnExchangeThatAProxyLostIsTriedAgain(t *testing.T) {
	t.Parallel()
	exchanged := says(200, `{"data":{"token":"b","expires_in":86400,"user":{}}}`)
	service := newService(t, says(502, "<h1>Bad gateway"), exchanged)
	client, err := NewPlatformClient(PlatformOptions{BaseURL: service.URL, Token: "a"})
	must(t, err)
	_, err = client.Resume(ctx)
	must(t, err)
	expect(t, "token", client.Token(), "b")
}
