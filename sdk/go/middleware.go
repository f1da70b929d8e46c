package mfuko

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
)

// notificationMost is more than any notification has.
const notificationMost = 256 << 10

// Handler receives notifications at an address of net/http: mux.Handle("/ipn", receiver.Handler(handle)).
func (r *Receiver) Handler(handle Handler) http.Handler {
	return http.HandlerFunc(func(writer http.ResponseWriter, request *http.Request) {
		body, refused := r.rawBody(writer, request)
		if refused != nil {
			r.answer(writer, *refused)
			return
		}
		r.answer(writer, r.Receive(request.Context(), request.Header, body, handle))
	})
}

// Middleware lets only what is verified and new through to next, which finds it with [NotificationFrom] and in the body. It
// counts as worked on when next answers with a status from 200 to 299; otherwise it comes again.
func (r *Receiver) Middleware(next http.Handler) http.Handler {
	return http.HandlerFunc(func(writer http.ResponseWriter, request *http.Request) {
		body, refused := r.rawBody(writer, request)
		if refused != nil {
			r.answer(writer, *refused)
			return
		}
		watched := &watchedWriter{ResponseWriter: writer}
		outcome := r.Receive(request.Context(), request.Header, body,
			func(ctx context.Context, notification *Notification) error {
				inner := request.WithContext(context.WithValue(ctx, notificationKey{}, notification))
				inner.Body = io.NopCloser(bytes.NewReader(body))
				next.ServeHTTP(watched, inner)
				return watched.problem()
			})
		if !watched.hasAnswered {
			r.answer(writer, outcome)
			return
		}
		r.tell(outcome.Err)
	})
}

type notificationKey struct{}

// NotificationFrom is what [Receiver.Middleware] has verified; nil without it.
func NotificationFrom(ctx context.Context) *Notification {
	notification, _ := ctx.Value(notificationKey{}).(*Notification)
	return notification
}

// rawBody reads the bytes as they come, or says what to answer instead.
func (r *Receiver) rawBody(writer http.ResponseWriter, request *http.Request) ([]byte, *Outcome) {
	if request.Method != http.MethodPost {
		writer.Header().Set("Allow", http.MethodPost)
		return nil, &Outcome{Status: http.StatusMethodNotAllowed, Message: "Notifications are posted"}
	}
	body, err := io.ReadAll(http.MaxBytesReader(writer, request.Body, notificationMost))
	var tooLarge *http.MaxBytesError
	switch {
	case errors.As(err, &tooLarge):
		return nil, &Outcome{Status: http.StatusRequestEntityTooLarge, Message: "This is no notification"}
	case err != nil:
		return nil, &Outcome{Status: http.StatusBadRequest, Message: "The body did not arrive whole", Err: err}
	}
	return body, nil
}

func (r *Receiver) answer(writer http.ResponseWriter, outcome Outcome) {
	r.tell(outcome.Err)
	body, err := jsonText(map[string]string{"message": outcome.Message})
	if err != nil {
		r.tell(err)
	}
	writer.Header().Set("Content-Type", "application/json")
	writer.WriteHeader(outcome.Status)
	if _, err := writer.Write(body); err != nil {
		r.tell(err)
	}
}

func (r *Receiver) tell(err error) {
	if err != nil && r.options.OnError != nil {
		r.options.OnError(err)
	}
}

// watchedWriter remembers what the inner handler answered.
type watchedWriter struct {
	http.ResponseWriter
	hasAnswered bool
	status      int
}

func (w *watchedWriter) WriteHeader(status int) {
	if !w.hasAnswered && status >= 200 {
		w.hasAnswered, w.status = true, status
	}
	w.ResponseWriter.WriteHeader(status)
}

func (w *watchedWriter) Write(text []byte) (int, error) {
	if !w.hasAnswered {
		w.hasAnswered, w.status = true, http.StatusOK
	}
	return w.ResponseWriter.Write(text)
}

// Unwrap is for http.ResponseController.
func (w *watchedWriter) Unwrap() http.ResponseWriter { return w.ResponseWriter }

// problem is nil when the answer was a good one, or is still to be given.
func (w *watchedWriter) problem() error {
	if !w.hasAnswered || w.status <= 299 {
		return nil
	}
	return fmt.Errorf("mfuko: the handler of the notification answered with %d", w.status)
}
