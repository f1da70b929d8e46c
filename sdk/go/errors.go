package mfuko

import (
	"encoding/json"
	"fmt"
	"net/http"
	"sort"
	"strconv"
	"strings"
	"time"
)

// Code says what went wrong. It is stable; the message is for people and may change.
type Code string

// Beyond the service's own codes: what came between.
const (
	// There was no answer.
	CodeConnectionFailed Code = "connection_failed"
	// There was none in time, of this library or of the context.
	CodeTimedOut Code = "timed_out"
	// It was not one of the service's own.
	CodeUnreadableAnswer Code = "unreadable_answer"
	// The context was cancelled.
	CodeCancelled Code = "cancelled"
)

// Error is what a call returns that did not succeed.
type Error struct {
	Code    Code
	Message string
	// Of the answer; 0 without one.
	Status int
	// Field → what is wrong with it. Empty unless fields are wrong.
	Errors map[string]string
	// Tell it to the service when something looks wrong.
	RequestID string
	// What the request was sent with. The same key again, and it happens once, whatever became of this try.
	IdempotencyKey string
	// When it makes sense to try again; 0 if the service did not say.
	RetryAfter time.Duration
	// After a wrong PIN: how many more lock it. Else nil.
	AttemptsLeft *int

	cause error
}

// Error is for logs.
func (e *Error) Error() string {
	text := &strings.Builder{}
	fmt.Fprintf(text, "mfuko: %s", e.Code)
	if e.Status != 0 {
		fmt.Fprintf(text, " (%d)", e.Status)
	}
	fmt.Fprintf(text, ": %s", e.Message)
	fields := make([]string, 0, len(e.Errors))
	for field := range e.Errors {
		fields = append(fields, field)
	}
	sort.Strings(fields)
	for _, field := range fields {
		fmt.Fprintf(text, " %s: %s.", field, strings.TrimSuffix(e.Errors[field], "."))
	}
	if e.cause != nil {
		fmt.Fprintf(text, ": %v", e.cause)
	}
	if e.RequestID != "" {
		fmt.Fprintf(text, " [%s]", e.RequestID)
	}
	return text.String()
}

// Unwrap gives what is behind it: of the network, of the context.
func (e *Error) Unwrap() error { return e.cause }

type errorBody struct {
	Success      *bool             `json:"success"`
	Message      *string           `json:"message"`
	Code         *Code             `json:"code"`
	RequestID    *string           `json:"request_id"`
	Errors       map[string]string `json:"errors"`
	AttemptsLeft *int              `json:"attempts_left"`
}

func (b errorBody) isWhole() bool {
	return b.Success != nil && !*b.Success && b.Message != nil && b.Code != nil && b.RequestID != nil
}

// failureOf is what an answer that is no success says. A page of a proxy on the way is no answer of the service.
func failureOf(status int, header http.Header, body []byte) *Error {
	failure := &Error{Status: status, RetryAfter: retryAfterOf(header.Get("Retry-After"))}
	var said errorBody
	if json.Unmarshal(body, &said) != nil || !said.isWhole() {
		failure.Code = CodeUnreadableAnswer
		failure.Message = fmt.Sprintf("The answer (status %d) is not one of the service's own", status)
		failure.RequestID = header.Get("X-Request-Id")
		return failure
	}
	failure.Code, failure.Message, failure.RequestID = *said.Code, *said.Message, *said.RequestID
	failure.Errors, failure.AttemptsLeft = said.Errors, said.AttemptsLeft
	return failure
}

// retryAfterOf reads whole seconds; the service writes no dates.
func retryAfterOf(text string) time.Duration {
	seconds, err := strconv.ParseUint(text, 10, 30)
	if err != nil {
		return 0
	}
	return time.Duration(seconds) * time.Second
}
