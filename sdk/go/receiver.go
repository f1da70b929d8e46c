package mfuko

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"net/http"
	"regexp"
	"strconv"
	"strings"
	"time"
)

// Receives notifications: the signature first, over the bytes as they came; then the time, then whether it came before.
// Nothing of an unsigned body is looked at.

// SignatureFamily says which signature is verified.
type SignatureFamily string

const (
	// StandardSignature: the webhook-… headers, which cover id and time too.
	StandardSignature SignatureFamily = "standard"
	// BodySignature: SVC-Signature alone, for when a proxy drops the others. Then nothing tells how old a request is, and
	// equal bodies count as the same.
	BodySignature SignatureFamily = "body"
)

// ReceiverOptions are for [NewReceiver].
type ReceiverOptions struct {
	// Of the mode of your key: whsec_…
	ClientSecret string
	// Others that are good too, while one is being replaced.
	MoreSecrets []string
	// Default: in the memory of this process.
	Seen DuplicateGuard
	// Refused notifications and errors of the handler, to be logged.
	OnError func(err error)
	// How far the time of an attempt may be off, either way. Default: 5 minutes.
	Tolerance time.Duration
	// Default: StandardSignature.
	Signature SignatureFamily
	// Default: SVC.
	HeaderPrefix string
	// For tests. Default: time.Now.
	Now func() time.Time
}

// Reason says why a notification is not to be believed.
type Reason string

// The reasons.
const (
	ReasonSignatureMissing Reason = "signature_missing"
	ReasonSignatureWrong   Reason = "signature_wrong"
	ReasonTimestampInvalid Reason = "timestamp_invalid"
	ReasonTooOld           Reason = "too_old"
	ReasonTooNew           Reason = "too_new"
	ReasonUnreadable       Reason = "unreadable"
)

var sentences = map[Reason]string{
	ReasonSignatureMissing: "the notification is not signed: its signature headers are missing",
	ReasonSignatureWrong: "the signature does not fit. Check that it is the Client Secret of this mode, and that the body is" +
		" the bytes as they came",
	ReasonTimestampInvalid: "the time of the notification is not a number of seconds",
	ReasonTooOld: "the notification is too old: it may have been recorded and played again. Check the clock of this" +
		" computer",
	ReasonTooNew:     "the notification is from the future. Check the clock of this computer",
	ReasonUnreadable: "the notification is signed, but not what this version understands",
}

// NotificationError is of one that is not to be believed. Answer 403, log the id.
type NotificationError struct {
	Reason Reason
	// As it was sent: nobody has vouched for it.
	WebhookID string
}

func (e *NotificationError) Error() string {
	return fmt.Sprintf("mfuko: %s (%s, webhook-id %.80q)", sentences[e.Reason], e.Reason, e.WebhookID)
}

// Handler works on a notification. With an error it comes again.
type Handler func(ctx context.Context, notification *Notification) error

// Outcome is what to answer.
type Outcome struct {
	Status  int
	Message string
	// Why it was refused, or what the handler returned.
	Err error
}

// Receiver verifies notifications and lets each be worked on once.
type Receiver struct {
	options ReceiverOptions
	secrets []string
}

// NewReceiver looks at the options.
func NewReceiver(options ReceiverOptions) (*Receiver, error) {
	secrets := append([]string{options.ClientSecret}, options.MoreSecrets...)
	for _, secret := range secrets {
		if !isSecret(secret) {
			return nil, errors.New("mfuko: ClientSecret is missing or not one: it begins with whsec_")
		}
	}
	switch options.Signature {
	case "", StandardSignature, BodySignature:
	default:
		return nil, fmt.Errorf("mfuko: there is no signature %q", options.Signature)
	}
	if options.Seen == nil {
		options.Seen = RememberInMemory()
	}
	if options.Tolerance <= 0 {
		options.Tolerance = 5 * time.Minute
	}
	if options.HeaderPrefix == "" {
		options.HeaderPrefix = "SVC"
	}
	if options.Now == nil {
		options.Now = time.Now
	}
	return &Receiver{options: options, secrets: secrets}, nil
}

// Read verifies and reads a notification, or returns a [*NotificationError]. It does not ask whether it came before. The
// body must be the bytes as they came.
func (r *Receiver) Read(header http.Header, body []byte) (*Notification, error) {
	if reason := r.verdict(header, body); reason != "" {
		return nil, &NotificationError{Reason: reason, WebhookID: r.webhookID(header)}
	}
	notification, isKnown := parsed(body)
	if !isKnown {
		return nil, &NotificationError{Reason: ReasonUnreadable, WebhookID: r.webhookID(header)}
	}
	notification.ID = r.webhookID(header)
	notification.Attempt = r.number(header, "Webhook-Attempt", 1)
	notification.Sequence = r.number(header, "Event-Sequence", 0)
	return notification, nil
}

// Receive does all of it: verifies, asks whether it came before, lets it be worked on once, and says what to answer.
func (r *Receiver) Receive(ctx context.Context, header http.Header, body []byte, handle Handler) Outcome {
	notification, err := r.Read(header, body)
	if err != nil {
		return Outcome{http.StatusForbidden, "The signature of the notification is not good", err}
	}
	id := notification.ID
	if r.options.Signature == BodySignature {
		// The id is under the signature only together with the time.
		sum := sha256.Sum256(body)
		id = hex.EncodeToString(sum[:])
	}
	return r.workOnce(ctx, id, notification, handle)
}

const notWorkedOn = "Not worked on; send it again"

func (r *Receiver) workOnce(ctx context.Context, id string, notification *Notification, handle Handler) (outcome Outcome) {
	state, err := r.options.Seen.Begin(ctx, id)
	switch {
	case err != nil:
		return Outcome{http.StatusInternalServerError, notWorkedOn, err}
	case state == SeenDone:
		return Outcome{http.StatusOK, "Received before", nil}
	case state != SeenFirst:
		// It comes again, and by then it is known what became of it.
		return Outcome{http.StatusConflict, "Being worked on", nil}
	}
	// What became of it is noted also when who sent it has hung up.
	noted := detached{ctx}
	isWorkedOn := false
	defer func() {
		// Also after a panic of the handler, which goes on.
		if isWorkedOn {
			return
		}
		if err := r.options.Seen.Forget(noted, id); err != nil && outcome.Err != nil {
			outcome.Err = fmt.Errorf("%w (and it could not be forgotten: %v)", outcome.Err, err)
		}
	}()
	if err := handle(ctx, notification); err != nil {
		return Outcome{http.StatusInternalServerError, notWorkedOn, err}
	}
	isWorkedOn = true
	if err := r.options.Seen.Done(noted, id); err != nil {
		return Outcome{http.StatusInternalServerError, "Worked on, but not noted", err}
	}
	return Outcome{http.StatusOK, "Received", nil}
}

// verdict is "" for one to be believed.
func (r *Receiver) verdict(header http.Header, body []byte) Reason {
	if r.options.Signature == BodySignature {
		signatures, isThere := r.own(header, "Signature-All")
		if !isThere {
			signatures, isThere = r.own(header, "Signature")
		}
		if !isThere {
			return ReasonSignatureMissing
		}
		for _, secret := range r.secrets {
			if isBodySignature(secret, signatures, body) {
				return ""
			}
		}
		return ReasonSignatureWrong
	}
	id, hasID := find(header, "webhook-id")
	timestamp, hasTimestamp := find(header, "webhook-timestamp")
	signatures, hasSignatures := find(header, "webhook-signature")
	if !hasID || !hasTimestamp || !hasSignatures {
		return ReasonSignatureMissing
	}
	if !timestampForm.MatchString(timestamp) {
		return ReasonTimestampInvalid
	}
	for _, secret := range r.secrets {
		if isWebhookSignature(secret, signatures, id, timestamp, body) {
			return r.timeVerdict(timestamp)
		}
	}
	return ReasonSignatureWrong
}

var timestampForm = regexp.MustCompile(`^[0-9]{1,11}$`)

func (r *Receiver) timeVerdict(timestamp string) Reason {
	seconds, err := strconv.ParseInt(timestamp, 10, 64)
	now, tolerance := r.options.Now().Unix(), int64(r.options.Tolerance/time.Second)
	switch {
	case err != nil:
		return ReasonTimestampInvalid
	case seconds < now-tolerance:
		return ReasonTooOld
	case seconds > now+tolerance:
		return ReasonTooNew
	}
	return ""
}

func (r *Receiver) webhookID(header http.Header) string {
	if id, isThere := find(header, "webhook-id"); isThere {
		return id
	}
	id, _ := r.own(header, "Webhook-ID")
	return id
}

// own is one of the service's own headers.
func (r *Receiver) own(header http.Header, name string) (string, bool) {
	return find(header, r.options.HeaderPrefix+"-"+name)
}

// find does not mind how names are written. A header that came twice is nobody's.
func find(header http.Header, name string) (string, bool) {
	var found []string
	for key, values := range header {
		if strings.EqualFold(key, name) {
			found = append(found, values...)
		}
	}
	if len(found) != 1 {
		return "", false
	}
	return found[0], true
}

func (r *Receiver) number(header http.Header, name string, otherwise int) int {
	text, _ := r.own(header, name)
	if number, err := strconv.Atoi(text); err == nil {
		return number
	}
	return otherwise
}
