package mfuko

import (
	"context"
	"errors"
	"net/http"
	"sync"
	"time"
)

// A login that lasts: the token is kept in memory, exchanged before it expires or when it is refused, once for all calls
// that wait for it.

// PlatformOptions are for [NewPlatformClient].
type PlatformOptions struct {
	// Where the service is: https://pay.example
	BaseURL string
	// Of a session from before.
	Token string
	// Each new token, to keep it for the next start; "" when the session has ended. Called before the call that brought it
	// goes on, and never twice at a time. It must not call the client.
	OnToken func(token string)
	// The session has ended: by another device, by an operator, by time. Not after Logout.
	OnSignedOut func()
	// Of one try, until its answer has been read. Default: 30 seconds.
	Timeout time.Duration
	// How often a request is tried again when that is safe. Default: 2. For none: Ptr(0).
	Retries *int
	// Another than the built-in one. It will not follow redirects.
	HTTPClient *http.Client
}

const (
	// A token that is good for less than this is exchanged first: the clocks of computers differ.
	early = time.Minute
	// For ten seconds an exchanged token gets the same successor again; later it ends the session. Two tries fit in.
	lostAfter = 4500 * time.Millisecond
)

type session struct {
	options PlatformOptions
	// Without the token.
	open calls
	// With the token.
	signed *transport

	mutex   sync.Mutex
	token   string
	expires time.Time
	// Another number after each login and log-out: what was begun under one of them never goes on under the next.
	login int
	// The exchange that is under way, if any.
	running *refresh
	// One OnToken after the other, in the order of the tokens.
	telling sync.Mutex
}

type refresh struct {
	ended chan struct{}
	// Nil without an error: the session has ended.
	user *User
	err  error
}

func openSession(options PlatformOptions) (*session, error) {
	opened := &session{options: options, token: options.Token}
	common := transportOptions{options.BaseURL, options.HTTPClient, options.Timeout, options.Retries}
	open, err := openTransport(common, func(*call, http.Header) error { return nil })
	if err != nil {
		return nil, err
	}
	signed, err := openTransport(common, opened.show)
	if err != nil {
		return nil, err
	}
	opened.open, opened.signed = calls{open.exchange}, signed
	return opened, nil
}

func (s *session) show(made *call, header http.Header) error {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	if s.login != made.login {
		return errLeft
	}
	made.token = s.token
	if s.token != "" {
		header.Set("Authorization", "Bearer "+s.token)
	}
	return nil
}

func (s *session) held() string {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	return s.token
}

func (s *session) heldSince() int {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	return s.login
}

// begin takes the token of a login.
func (s *session) begin(next SignedIn) {
	s.change(next, func() bool {
		s.login++
		return true
	})
}

// end forgets the token of a login, unless another one has come meanwhile.
func (s *session) end(login int) {
	s.change(SignedIn{}, func() bool { return s.login == login && s.token != "" })
}

// replace takes the next token, "" when there is none, unless somebody has logged in or out meanwhile: then it is false.
func (s *session) replace(token string, next SignedIn) bool {
	return s.change(next, func() bool { return s.token == token })
}

// change takes the next token if it may, and tells of it.
func (s *session) change(next SignedIn, may func() bool) bool {
	s.telling.Lock()
	defer s.telling.Unlock()
	s.mutex.Lock()
	isChanged := may()
	if isChanged {
		s.token, s.expires = next.Token, time.Now().Add(time.Duration(next.ExpiresIn)*time.Second)
	}
	if isChanged && next.Token == "" {
		s.login++
	}
	s.mutex.Unlock()
	if isChanged && s.options.OnToken != nil {
		s.options.OnToken(next.Token)
	}
	return isChanged
}

func (s *session) signIn(ctx context.Context, path string, body any, options []CallOption) (*User, error) {
	signedIn, err := dataOf[SignedIn](ctx, s.open, "POST", path, Input{Body: body}, options)
	if err != nil {
		return nil, err
	}
	s.begin(*signedIn)
	return &signedIn.User, nil
}

func (s *session) signOut(ctx context.Context, options []CallOption) error {
	login := s.heldSince()
	err := calls{s.exchange}.done(ctx, "POST", "/api/auth/logout", Input{}, options)
	// It may have ended already.
	if err != nil && !isUnauthenticated(err) {
		return err
	}
	s.end(login)
	return nil
}

// exchange sends a request of the person. A refused token is exchanged and the request sent again: who was not let in has
// done nothing.
func (s *session) exchange(
	ctx context.Context, method, path string, input Input, options []CallOption,
) (*answer, error) {
	made, err := s.signed.newCall(method, path, input, options)
	if err != nil {
		return nil, err
	}
	made.login = s.heldSince()
	if s.isEnding() {
		if _, err := s.refresh(ctx); err != nil {
			return nil, withKey(err, made.key)
		}
	}
	got, err := s.signed.send(ctx, made)
	if !isUnauthenticated(err) || made.token == "" || s.heldSince() != made.login {
		return got, err
	}
	// Another call may have exchanged it meanwhile.
	if s.held() == made.token {
		user, failed := s.refresh(ctx)
		if failed != nil {
			return nil, withKey(failed, made.key)
		}
		if user == nil || s.heldSince() != made.login {
			return nil, err
		}
	}
	return s.signed.send(ctx, made)
}

// withKey is for an exchange that failed: a try before it may have happened, and who asked needs the key to go on. Others
// get the same error, with keys of their own.
func withKey(err error, key string) error {
	var failure *Error
	if !errors.As(err, &failure) {
		return err
	}
	own := *failure
	own.IdempotencyKey = key
	return &own
}

func (s *session) isEnding() bool {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	return s.token != "" && !s.expires.IsZero() && time.Until(s.expires) < early
}

// refresh runs once at a time: all who wait get the same. It goes on when who asked for it has left, since others may wait.
func (s *session) refresh(ctx context.Context) (*User, error) {
	s.mutex.Lock()
	running, token := s.running, s.token
	if running == nil && token == "" {
		s.mutex.Unlock()
		return nil, nil
	}
	if running == nil {
		running = &refresh{ended: make(chan struct{})}
		s.running = running
		go s.run(detached{ctx}, running, token)
	}
	s.mutex.Unlock()
	select {
	case <-running.ended:
		return running.user, running.err
	case <-ctx.Done():
		return nil, lost(ctx.Err())
	}
}

func (s *session) run(ctx context.Context, running *refresh, token string) {
	defer close(running.ended)
	next, err := s.successor(ctx, token)
	hasEnded := false
	switch {
	case isUnauthenticated(err):
		hasEnded = s.replace(token, SignedIn{})
	case err != nil:
		running.err = err
	default:
		running.user = &next.User
		s.replace(token, *next)
	}
	s.mutex.Lock()
	s.running = nil
	s.mutex.Unlock()
	if hasEnded && s.options.OnSignedOut != nil {
		s.options.OnSignedOut()
	}
}

// successor tries a second time at once when the answer got lost.
func (s *session) successor(ctx context.Context, token string) (*SignedIn, error) {
	exchangeToken := func() (*SignedIn, error) {
		input := Input{Body: RefreshBody{Token: token}}
		options := []CallOption{WithTimeout(lostAfter)}
		return dataOf[SignedIn](ctx, s.open, "POST", "/api/auth/refresh", input, options)
	}
	next, err := exchangeToken()
	var failure *Error
	// Also behind the page of a proxy: the token may have been exchanged all the same.
	if errors.As(err, &failure) && isUnknown(failure.Status) {
		return exchangeToken()
	}
	return next, err
}

func isUnauthenticated(err error) bool {
	var failure *Error
	return errors.As(err, &failure) && failure.Code == CodeUnauthenticated
}

// detached has the values of a context, but does not end with it.
type detached struct{ context.Context }

func (detached) Deadline() (time.Time, bool) { return time.Time{}, false }
func (detached) Done() <-chan struct{}       { return nil }
func (detached) Err() error                  { return nil }
