package mfuko

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"mime"
	"net"
	"net/http"
	"net/url"
	"strings"
	"time"
)

// One request: sent, tried again where that is safe, and its answer read. The key that makes a repeated request happen once
// is made before the first try. Redirects are not followed: a credential goes to the host that was named.

const (
	defaultTimeout = 30 * time.Second
	defaultRetries = 2
	connectTimeout = 10 * time.Second
	// More than any answer has; the longest are exports of a whole history.
	answerMost = 64 << 20
)

// transport is safe for concurrent use: nothing in it changes.
type transport struct {
	base        string
	client      *http.Client
	timeout     time.Duration
	retries     int
	credentials credentials
}

// credentials are what shows who is calling. Asked for at each try. errLeft: who asked for the call is not signed in any more,
// and the next try would be in another's name.
type credentials func(made *call, header http.Header) error

var errLeft = errors.New("mfuko: the session of the call has ended")

type transportOptions struct {
	baseURL string
	client  *http.Client
	timeout time.Duration
	retries *int
}

func openTransport(options transportOptions, show credentials) (*transport, error) {
	base, err := checkedBase(options.baseURL)
	if err != nil {
		return nil, err
	}
	opened := &transport{
		base:        base,
		client:      steadfast(options.client),
		timeout:     options.timeout,
		retries:     defaultRetries,
		credentials: show,
	}
	if opened.timeout <= 0 {
		opened.timeout = defaultTimeout
	}
	if options.retries != nil {
		opened.retries = *options.retries
	}
	return opened, nil
}

func checkedBase(baseURL string) (string, error) {
	address, err := url.Parse(baseURL)
	if err != nil || address.Host == "" {
		return "", fmt.Errorf("mfuko: BaseURL is not an address: %q", baseURL)
	}
	isWeb := address.Scheme == "http" || address.Scheme == "https"
	if !isWeb || address.RawQuery != "" || address.ForceQuery || address.Fragment != "" || address.User != nil {
		return "", errors.New("mfuko: BaseURL is the address of the service, like https://pay.example")
	}
	return strings.TrimRight(address.String(), "/"), nil
}

var errRedirected = errors.New("the answer is a redirect, and redirects are not followed")

// defaultHTTP is shared by all clients that are given no other, and so are its connections.
var defaultHTTP = &http.Client{Transport: &http.Transport{
	Proxy:                 http.ProxyFromEnvironment,
	DialContext:           (&net.Dialer{Timeout: connectTimeout, KeepAlive: 30 * time.Second}).DialContext,
	TLSHandshakeTimeout:   connectTimeout,
	ExpectContinueTimeout: time.Second,
	ForceAttemptHTTP2:     true,
	MaxIdleConns:          100,
	MaxIdleConnsPerHost:   10,
	// Less than servers usually wait: an idle connection is closed by us, not in the middle of a request.
	IdleConnTimeout: 30 * time.Second,
}}

// steadfast is the client with its connections, but it stays with the host that was named.
func steadfast(given *http.Client) *http.Client {
	if given == nil {
		given = defaultHTTP
	}
	client := *given
	client.CheckRedirect = func(*http.Request, []*http.Request) error { return errRedirected }
	return &client
}

// call is one request of a caller, over all of its tries: also after the token had to be exchanged.
type call struct {
	method string
	path   string
	query  string
	// Nil: without one.
	body    []byte
	key     string
	timeout time.Duration
	retries int
	// Of a session: under which login it was begun, and the token that was shown last.
	login int
	token string
}

// answer is one that says success.
type answer struct {
	status int
	body   []byte
	isJSON bool
	// What the request was sent with.
	key string
}

// unreadable is for one that says success, but not what was asked for.
func (a *answer) unreadable(cause error) *Error {
	return &Error{
		Code:           CodeUnreadableAnswer,
		Status:         a.status,
		Message:        "The answer is not what was asked for",
		IdempotencyKey: a.key,
		cause:          cause,
	}
}

// exchange is how a request is sent: by a transport, or by a session around it.
type exchange func(ctx context.Context, method, path string, input Input, options []CallOption) (*answer, error)

func (t *transport) exchange(
	ctx context.Context, method, path string, input Input, options []CallOption,
) (*answer, error) {
	made, err := t.newCall(method, path, input, options)
	if err != nil {
		return nil, err
	}
	return t.send(ctx, made)
}

func (t *transport) send(ctx context.Context, made *call) (*answer, error) {
	// What became of the try before is what there is to tell when who asked has left.
	last := left(made.key)
	for tried := 1; ; tried++ {
		got, err := t.tryOnce(ctx, made)
		var failure *Error
		if err == nil {
			got.key = made.key
			return got, nil
		}
		if errors.Is(err, errLeft) {
			return nil, last
		}
		if !errors.As(err, &failure) {
			return nil, err
		}
		failure.IdempotencyKey = made.key
		last = failure
		isFinal := tried > made.retries || ctx.Err() != nil || errors.Is(failure, errRedirected)
		if isFinal || !mayRepeat(made.method, made.key != "", failure.Status) {
			return nil, failure
		}
		wait, isWorthIt := waitFor(tried, failure.RetryAfter, someChance())
		if !isWorthIt {
			return nil, failure
		}
		if err := pause(ctx, wait); err != nil {
			stopped := lost(err)
			stopped.IdempotencyKey = made.key
			return nil, stopped
		}
	}
}

// left is for a call of which nothing was sent. As the service would say it: nothing has happened.
func left(key string) *Error {
	return &Error{
		Code:           CodeUnauthenticated,
		Status:         http.StatusUnauthorized,
		Message:        "The session of this call has ended",
		IdempotencyKey: key,
	}
}

func (t *transport) newCall(method, path string, input Input, options []CallOption) (*call, error) {
	set := callOptions{timeout: t.timeout, retries: t.retries}
	for _, option := range options {
		option(&set)
	}
	whole, err := pathOf(path, input.Params)
	if err != nil {
		return nil, err
	}
	query, err := queryOf(input.Query)
	if err != nil {
		return nil, err
	}
	made := &call{method: method, path: whole, query: query, timeout: set.timeout, retries: set.retries}
	if takesKey(method, path) {
		if made.key, err = set.key(); err != nil {
			return nil, err
		}
	}
	if method == http.MethodPost || method == http.MethodPut || method == http.MethodPatch {
		made.body = []byte("{}")
		if input.Body != nil {
			if made.body, err = jsonText(input.Body); err != nil {
				return nil, err
			}
		}
	}
	return made, nil
}

func (t *transport) tryOnce(ctx context.Context, made *call) (*answer, error) {
	ctx, end := context.WithTimeout(ctx, made.timeout)
	defer end()
	request, err := t.newRequest(ctx, made)
	if err != nil {
		return nil, err
	}
	response, err := t.client.Do(request)
	if err != nil {
		return nil, lost(err)
	}
	defer response.Body.Close()
	body, err := io.ReadAll(io.LimitReader(response.Body, answerMost+1))
	if err != nil {
		return nil, lost(err)
	}
	return read(response, body)
}

func (t *transport) newRequest(ctx context.Context, made *call) (*http.Request, error) {
	var body io.Reader
	if made.body != nil {
		body = bytes.NewReader(made.body)
	}
	request, err := http.NewRequestWithContext(ctx, made.method, t.base+made.path+made.query, body)
	if err != nil {
		return nil, fmt.Errorf("mfuko: %w", err)
	}
	request.Header.Set("Accept", "application/json")
	request.Header.Set("User-Agent", userAgent)
	if made.body != nil {
		request.Header.Set("Content-Type", "application/json")
	}
	if made.key != "" {
		request.Header.Set("Idempotency-Key", made.key)
	}
	if err := t.credentials(made, request.Header); err != nil {
		return nil, err
	}
	return request, nil
}

func read(response *http.Response, body []byte) (*answer, error) {
	kind, _, _ := mime.ParseMediaType(response.Header.Get("Content-Type"))
	isJSON := kind == "application/json"
	isReadable := len(body) <= answerMost && (!isJSON || json.Valid(body))
	if response.StatusCode >= 200 && response.StatusCode <= 299 && isReadable {
		return &answer{status: response.StatusCode, body: body, isJSON: isJSON}, nil
	}
	if !isReadable || !isJSON {
		body = nil
	}
	return nil, failureOf(response.StatusCode, response.Header, body)
}

// lost is what is known when no answer came.
func lost(cause error) *Error {
	failure := &Error{Code: CodeConnectionFailed, Message: "The service could not be reached", cause: cause}
	var network net.Error
	switch {
	case errors.Is(cause, context.Canceled):
		failure.Code, failure.Message = CodeCancelled, "The call was cancelled"
	case errors.Is(cause, context.DeadlineExceeded), errors.As(cause, &network) && network.Timeout():
		failure.Code, failure.Message = CodeTimedOut, "The service did not answer in time"
	}
	return failure
}

func pause(ctx context.Context, wait time.Duration) error {
	timer := time.NewTimer(wait)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
