package mfuko

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"time"
)

// Input is what a request takes besides its route.
type Input struct {
	// Of a path like /api/pay/:reference. Or write the path out, escaped.
	Params map[string]string
	// A struct or map that is an object in JSON, or url.Values.
	Query any
	// Whatever is an object in JSON.
	Body any
}

// CallOption is what a single call wants otherwise.
type CallOption func(*callOptions)

type callOptions struct {
	// Nil: a new one.
	idempotencyKey *string
	timeout        time.Duration
	retries        int
}

func (o callOptions) key() (string, error) {
	switch {
	case o.idempotencyKey == nil:
		return NewIdempotencyKey(), nil
	case *o.idempotencyKey == "":
		return "", errors.New("mfuko: the idempotency key is empty: leave it out, or give one that is kept")
	default:
		return *o.idempotencyKey, nil
	}
}

// WithIdempotencyKey uses this key on routes that take one. Keep it to repeat the call later, after a crash for instance.
func WithIdempotencyKey(key string) CallOption {
	return func(options *callOptions) { options.idempotencyKey = &key }
}

// WithTimeout bounds one try, until its answer has been read. The context bounds all of them.
func WithTimeout(timeout time.Duration) CallOption {
	return func(options *callOptions) { options.timeout = timeout }
}

// WithRetries says how often the request is tried again when that is safe.
func WithRetries(retries int) CallOption {
	return func(options *callOptions) { options.retries = retries }
}

// Envelope is what the platform's endpoints answer.
type Envelope[Data any] struct {
	Success bool `json:"success"`
	// For people; never parse it.
	Message string `json:"message"`
	Data    Data   `json:"data"`
}

// ListEnvelope is what lists answer, a page at a time.
type ListEnvelope[Item any] struct {
	Envelope[[]Item]
	Meta struct {
		NextCursor string `json:"next_cursor"`
	} `json:"meta"`
}

// Page is a part of a list.
type Page[Item any] struct {
	Items []Item
	// For Cursor of the next page; "" on the last one.
	NextCursor string
}

// Items walks over all pages of a list: Next, Item, and Err at the end. It is for one goroutine.
type Items[Item any] struct {
	pageAt func(cursor string) (*Page[Item], error)
	page   *Page[Item]
	at     int
	// The cursors that were asked for.
	seen map[string]bool
	err  error
}

// Each walks over a list, asking for a page when it is needed. pageAt gets "" for the first one. There may be any number of
// them; a cursor that comes a second time would lead in circles, and is an error.
func Each[Item any](pageAt func(cursor string) (*Page[Item], error)) *Items[Item] {
	return &Items[Item]{pageAt: pageAt, page: &Page[Item]{}, at: -1, seen: map[string]bool{}}
}

// Next goes to the next item; false after the last one, and when something went wrong.
func (i *Items[Item]) Next() bool {
	i.at++
	for i.err == nil && i.at >= len(i.page.Items) {
		cursor := i.page.NextCursor
		if cursor == "" && len(i.seen) > 0 {
			return false
		}
		if i.seen[cursor] {
			const message = "The list does not end: a cursor came a second time"
			i.err = &Error{Code: CodeUnreadableAnswer, Status: http.StatusOK, Message: message}
			return false
		}
		i.seen[cursor] = true
		page, err := i.pageAt(cursor)
		if err != nil {
			i.err = err
			return false
		}
		i.page, i.at = page, 0
	}
	return i.err == nil
}

// Item is the one that Next went to.
func (i *Items[Item]) Item() Item { return i.page.Items[i.at] }

// Err says what went wrong, if something did.
func (i *Items[Item]) Err() error { return i.err }

// requestInto reads the whole answer into what reply points to: *[]byte for the bytes of any answer, else from JSON; nil
// if it does not matter.
func requestInto(
	ctx context.Context, send exchange, method, path string, input Input, reply any, options []CallOption,
) error {
	got, err := send(ctx, method, path, input, options)
	if err != nil || reply == nil {
		return err
	}
	if raw, isRaw := reply.(*[]byte); isRaw {
		*raw = got.body
		return nil
	}
	return got.into(reply)
}

func (a *answer) into(reply any) error {
	if !a.isJSON {
		return a.unreadable(errors.New("it is no JSON"))
	}
	if err := json.Unmarshal(a.body, reply); err != nil {
		return a.unreadable(err)
	}
	return nil
}

// calls is what groups of calls share.
type calls struct{ send exchange }

// dataOf is what is inside the envelope.
func dataOf[Data any](
	ctx context.Context, c calls, method, path string, input Input, options []CallOption,
) (*Data, error) {
	got, err := c.send(ctx, method, path, input, options)
	if err != nil {
		return nil, err
	}
	var reply Envelope[*Data]
	if err := got.into(&reply); err != nil {
		return nil, err
	}
	if reply.Data == nil {
		return nil, got.unreadable(errors.New("it has no data"))
	}
	return reply.Data, nil
}

func itemsOf[Item any](
	ctx context.Context, c calls, path string, input Input, options []CallOption,
) ([]Item, error) {
	items, err := dataOf[[]Item](ctx, c, "GET", path, input, options)
	if err != nil {
		return nil, err
	}
	return *items, nil
}

func pageOf[Item any](
	ctx context.Context, c calls, path string, input Input, options []CallOption,
) (*Page[Item], error) {
	got, err := c.send(ctx, "GET", path, input, options)
	if err != nil {
		return nil, err
	}
	var reply ListEnvelope[Item]
	if err := got.into(&reply); err != nil {
		return nil, err
	}
	if reply.Data == nil {
		return nil, got.unreadable(errors.New("it has no data"))
	}
	return &Page[Item]{Items: reply.Data, NextCursor: reply.Meta.NextCursor}, nil
}

// done is for answers that say nothing more.
func (c calls) done(ctx context.Context, method, path string, input Input, options []CallOption) error {
	got, err := c.send(ctx, method, path, input, options)
	if err != nil {
		return err
	}
	return got.requireSuccess()
}

// requireSuccess is for an answer of which nothing else matters: a page of something on the way may be ok too.
func (a *answer) requireSuccess() error {
	var reply Envelope[json.RawMessage]
	if err := a.into(&reply); err != nil {
		return err
	}
	if !reply.Success {
		return a.unreadable(errors.New("it does not say success"))
	}
	return nil
}

// raw is for answers that are no JSON.
func (c calls) raw(ctx context.Context, path string, input Input, options []CallOption) ([]byte, error) {
	var body []byte
	err := requestInto(ctx, c.send, "GET", path, input, &body, options)
	return body, err
}

// params is for paths with one of them.
func params(name, value string) map[string]string { return map[string]string{name: value} }

// pathOf fills in the parameters. What would be another path is no name.
func pathOf(pattern string, params map[string]string) (string, error) {
	if !strings.HasPrefix(pattern, "/") || strings.ContainsAny(pattern, "?#") {
		return "", fmt.Errorf("mfuko: %q is no path: it begins with /, and a query is given apart", pattern)
	}
	segments := strings.Split(pattern[1:], "/")
	for at, segment := range segments {
		value := segment
		if strings.HasPrefix(segment, ":") {
			value = params[segment[1:]]
			segments[at] = url.PathEscape(value)
		}
		if value == "" || value == "." || value == ".." {
			return "", fmt.Errorf("mfuko: %q can not be a part of the path %s", value, pattern)
		}
	}
	return "/" + strings.Join(segments, "/"), nil
}

// takesKey is true for the path as a pattern and for a whole one.
func takesKey(method, path string) bool {
	given := strings.Split(path, "/")
	for _, route := range keyedRoutes {
		keyedMethod, pattern, _ := strings.Cut(route, " ")
		if method == keyedMethod && fits(strings.Split(pattern, "/"), given) {
			return true
		}
	}
	return false
}

func fits(pattern, given []string) bool {
	if len(pattern) != len(given) {
		return false
	}
	for at, segment := range pattern {
		if segment != given[at] && !strings.HasPrefix(segment, ":") {
			return false
		}
	}
	return true
}

func queryOf(query any) (string, error) {
	values, isValues := query.(url.Values)
	if query != nil && !isValues {
		text, err := jsonText(query)
		if err != nil {
			return "", err
		}
		var fields map[string]json.RawMessage
		if err := json.Unmarshal(text, &fields); err != nil {
			return "", fmt.Errorf("mfuko: a query is an object: %w", err)
		}
		values = url.Values{}
		for name, value := range fields {
			var words string
			if json.Unmarshal(value, &words) != nil {
				words = string(value)
			}
			values.Set(name, words)
		}
	}
	if len(values) == 0 {
		return "", nil
	}
	return "?" + values.Encode(), nil
}
