package mfuko

import (
	"encoding/json"
	"unicode/utf8"
)

// What a payment can be. The gateway tells of completed and failed ones only.
const (
	StatusPending   = "pending"
	StatusCompleted = "completed"
	StatusFailed    = "failed"
	StatusRefunded  = "refunded"
)

// What a notification can be about.
const (
	EventPending   = "payment.pending"
	EventCompleted = "payment.completed"
	EventFailed    = "payment.failed"
	EventRefunded  = "payment.refunded"
)

// Notification is what the service tells a shop. Either Gateway or Callback is there, by the way the payment was asked for.
type Notification struct {
	// The same over all attempts and replays.
	ID string
	// 1 for the first.
	Attempt int
	// The place among the events of the payment: a lower one than you had before is old news.
	Sequence int
	// EventCompleted, for example.
	Event string
	// To the IPNURL of a payment that was asked for with InitiatePayment; else nil.
	Gateway *GatewayNotification
	// To the CallbackURL of a payment that was asked for with Pay; else nil.
	Callback *CallbackNotification
}

// GatewayNotification is what an IPNURL is told.
type GatewayNotification struct {
	// StatusCompleted or StatusFailed.
	Status string
	// For people.
	Message string
	// Unix seconds.
	Timestamp       int64
	RefTrx          string
	Description     string
	IPNURL          string
	CancelRedirect  string
	SuccessRedirect string
	MerchantName    string
	Amount          Amount
	CurrencyCode    Currency
}

// CallbackNotification is what a CallbackURL is told.
type CallbackNotification struct {
	Reference  string
	Amount     Amount
	Currency   Currency
	MerchantID string
	// Unix seconds.
	Timestamp int64
	// Of EventRefunded: what went back this time.
	RefundAmount Amount
	// Of EventFailed: why.
	Error *PaymentFailure
}

// PaymentFailure says why a payment failed.
type PaymentFailure struct {
	Code      string `json:"code"`
	Message   string `json:"message"`
	Retryable bool   `json:"retryable"`
}

// notificationBody is both forms, as they are sent.
type notificationBody struct {
	Event     string          `json:"event"`
	Status    string          `json:"status"`
	Message   string          `json:"message"`
	Timestamp int64           `json:"timestamp"`
	Error     *PaymentFailure `json:"error"`
	Data      *struct {
		RefTrx          string          `json:"ref_trx"`
		Description     string          `json:"description"`
		IPNURL          string          `json:"ipn_url"`
		CancelRedirect  string          `json:"cancel_redirect"`
		SuccessRedirect string          `json:"success_redirect"`
		MerchantName    string          `json:"merchant_name"`
		CurrencyCode    Currency        `json:"currency_code"`
		Reference       string          `json:"reference"`
		Amount          Amount          `json:"amount"`
		Currency        Currency        `json:"currency"`
		MerchantID      string          `json:"merchant_id"`
		Timestamp       int64           `json:"timestamp"`
		RefundAmount    Amount          `json:"refund_amount"`
		Error           *PaymentFailure `json:"error"`
	} `json:"data"`
}

// parsed is false for what this version does not understand.
func parsed(text []byte) (*Notification, bool) {
	var body notificationBody
	if !utf8.Valid(text) || json.Unmarshal(text, &body) != nil || body.Data == nil {
		return nil, false
	}
	data := body.Data
	if body.Event != "" {
		told := &CallbackNotification{
			Reference:    data.Reference,
			Amount:       data.Amount,
			Currency:     data.Currency,
			MerchantID:   data.MerchantID,
			Timestamp:    data.Timestamp,
			RefundAmount: data.RefundAmount,
			Error:        body.Error,
		}
		if told.Error == nil {
			told.Error = data.Error
		}
		return &Notification{Event: body.Event, Callback: told}, true
	}
	if body.Status != StatusCompleted && body.Status != StatusFailed {
		return nil, false
	}
	return &Notification{Event: "payment." + body.Status, Gateway: &GatewayNotification{
		Status:          body.Status,
		Message:         body.Message,
		Timestamp:       body.Timestamp,
		RefTrx:          data.RefTrx,
		Description:     data.Description,
		IPNURL:          data.IPNURL,
		CancelRedirect:  data.CancelRedirect,
		SuccessRedirect: data.SuccessRedirect,
		MerchantName:    data.MerchantName,
		Amount:          data.Amount,
		CurrencyCode:    data.CurrencyCode,
	}}, true
}
