package mfuko

import (
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"
	"time"
)

// got is a request that came.
type got struct {
	method, url, body string
	header            http.Header
}

type act func(writer http.ResponseWriter, request *http.Request)

// scripted is a service that does one thing after the other; the last for all that follow.
type scripted struct {
	*httptest.Server
	mutex  sync.Mutex
	script []act
	came   []got
}

func newService(t *testing.T, script ...act) *scripted {
	t.Helper()
	service := &scripted{script: script}
	service.Server = httptest.NewServer(http.HandlerFunc(func(writer http.ResponseWriter, request *http.Request) {
		body, _ := io.ReadAll(request.Body)
		service.mutex.Lock()
		service.came = append(service.came, got{request.Method, request.URL.String(), string(body), request.Header})
		next := service.script[0]
		if len(service.script) > 1 {
			service.script = service.script[1:]
		}
		service.mutex.Unlock()
		next(writer, request)
	}))
	t.Cleanup(func() {
		service.CloseClientConnections()
		service.Close()
	})
	return service
}

func (s *scripted) got() []got {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	return append([]got(nil), s.came...)
}

func (s *scripted) keys() []string {
	keys := []string{}
	for _, one := range s.got() {
		keys = append(keys, one.header.Get("Idempotency-Key"))
	}
	return keys
}

// newShop has connections of its own, so that tries are counted by this library and not by net/http.
func newShop(t *testing.T, service *scripted) *MerchantClient {
	t.Helper()
	shop, err := NewMerchantClient(MerchantOptions{
		BaseURL:    service.URL,
		APIKey:     "svc_test_key",
		MerchantID: "12345678",
		Timeout:    2 * time.Second,
		HTTPClient: &http.Client{Transport: &http.Transport{DisableKeepAlives: true}},
	})
	if err != nil {
		t.Fatal(err)
	}
	return shop
}

func says(status int, body string, headers ...string) act {
	return func(writer http.ResponseWriter, _ *http.Request) {
		writer.Header().Set("Content-Type", "application/json")
		for at := 0; at < len(headers); at += 2 {
			writer.Header().Set(headers[at], headers[at+1])
		}
		writer.WriteHeader(status)
		_, _ = io.WriteString(writer, body)
	}
}

var (
	fine = says(200, `{"success":true,"message":"Payment created","data":{"reference":"PY-1","amount":5000}}`)
	away = says(503, `{"success":false,"message":"away","code":"unavailable","request_id":"req_1"}`)
)

func hangUp(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) }

// silence lasts until the client has gone.
func silence(_ http.ResponseWriter, request *http.Request) { <-request.Context().Done() }

func failure(t *testing.T, err error) *Error {
	t.Helper()
	var failed *Error
	if !errors.As(err, &failed) {
		t.Fatalf("no *Error: %v", err)
	}
	return failed
}

func expect[Value comparable](t *testing.T, what string, got, expected Value) {
	t.Helper()
	if got != expected {
		t.Errorf("%s: %v, expected %v", what, got, expected)
	}
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
