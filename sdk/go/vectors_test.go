package mfuko

// The library agrees with the server on every vector: what is signed, what a receiver makes of a delivery, what an amount
// is, what an error says, and what may be tried again. The files are made with the server's own functions.

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"os"
	"strconv"
	"testing"
	"time"
)

// vectors reads a file that all SDKs share.
func vectors[File any](t *testing.T, name string) File {
	t.Helper()
	text, err := os.ReadFile("../vectors/" + name + ".json")
	if err != nil {
		t.Fatal(err)
	}
	var file File
	if err := json.Unmarshal(text, &file); err != nil {
		t.Fatal(err)
	}
	return file
}

func TestSignatureVectors(t *testing.T) {
	type signed struct {
		Name, Secret, ID string
		Timestamp        int64
		Body             string
		Bytes            []byte `json:"body_base64"`
		SVC              string `json:"svc_signature"`
		Webhook          string `json:"webhook_signature"`
	}
	cases := vectors[struct{ Cases []signed }](t, "signatures").Cases
	if len(cases) == 0 {
		t.Fatal("no cases")
	}
	for _, one := range cases {
		for _, other := range cases {
			fits := other.Secret == one.Secret
			stamp := strconv.FormatInt(one.Timestamp, 10)
			if isWebhookSignature(other.Secret, one.Webhook, one.ID, stamp, one.Bytes) != fits {
				t.Errorf("%s: the webhook signature, with the secret of %s", one.Name, other.Name)
			}
			if isBodySignature(other.Secret, one.SVC, one.Bytes) != fits {
				t.Errorf("%s: the body signature, with the secret of %s", one.Name, other.Name)
			}
		}
		if string(one.Bytes) != one.Body {
			t.Errorf("%s: text and bytes differ", one.Name)
		}
	}
}

func TestDeliveryVectors(t *testing.T) {
	type delivery struct {
		Name     string
		Headers  map[string]string
		Standard Reason
		BodyOnly Reason `json:"body_only"`
		Secrets  []string
		Now      int64
		Bytes    []byte `json:"body_base64"`
	}
	file := vectors[struct {
		Tolerance int `json:"tolerance_seconds"`
		Cases     []delivery
	}](t, "deliveries")
	if len(file.Cases) == 0 {
		t.Fatal("no cases")
	}
	for _, one := range file.Cases {
		now := time.Unix(one.Now, 0)
		for family, expected := range map[SignatureFamily]Reason{StandardSignature: one.Standard, BodySignature: one.BodyOnly} {
			receiver, err := NewReceiver(ReceiverOptions{
				ClientSecret: one.Secrets[0],
				MoreSecrets:  one.Secrets[1:],
				Tolerance:    time.Duration(file.Tolerance) * time.Second,
				Signature:    family,
				Now:          func() time.Time { return now },
			})
			if err != nil {
				t.Fatal(err)
			}
			// As net/http has them, and as somebody may have put them together.
			canonical, written := http.Header{}, http.Header{}
			for name, value := range one.Headers {
				canonical.Set(name, value)
				written[name] = []string{value}
			}
			for _, header := range []http.Header{canonical, written} {
				if verdict := verdictOf(receiver, header, one.Bytes); verdict != expected {
					t.Errorf("%s (%s): %s, expected %s", one.Name, family, verdict, expected)
				}
			}
		}
	}
}

func verdictOf(receiver *Receiver, header http.Header, body []byte) Reason {
	_, err := receiver.Read(header, body)
	var refused *NotificationError
	if errors.As(err, &refused) {
		return refused.Reason
	}
	if err != nil {
		return Reason(err.Error())
	}
	return "ok"
}

func TestAmountVectors(t *testing.T) {
	file := vectors[struct {
		Currencies map[Currency]int
		Cases      []struct {
			Text     Text
			Currency Currency
			Minor    *string
			Decimal  Text
			Payable  bool
		}
	}](t, "amounts")
	if fmt.Sprint(file.Currencies) != fmt.Sprint(currencyDigits) {
		t.Errorf("the currencies are %v", file.Currencies)
	}
	for _, one := range file.Cases {
		minor, err := ToMinor(Amount(one.Text), one.Currency)
		if IsAmount(Amount(one.Text), one.Currency) != one.Payable {
			t.Errorf("IsAmount(%q, %s)", one.Text, one.Currency)
		}
		if one.Minor == nil {
			if err == nil {
				t.Errorf("%q %s is taken as %d", one.Text, one.Currency, minor)
			}
			continue
		}
		if err != nil || strconv.FormatInt(minor, 10) != *one.Minor {
			t.Errorf("%q %s is %d, %v", one.Text, one.Currency, minor, err)
		}
		decimal, err := FromMinor(minor, one.Currency)
		if err != nil || decimal != Amount(one.Decimal) {
			t.Errorf("%d %s is written as %q, %v", minor, one.Currency, decimal, err)
		}
		if !decimal.Equal(Amount(one.Text)) {
			t.Errorf("%q is not equal to %q", decimal, one.Text)
		}
		// There and back in JSON.
		var again Amount
		text, err := json.Marshal(decimal)
		if err != nil || json.Unmarshal(text, &again) != nil || again != decimal || string(text) != string(decimal) {
			t.Errorf("%q is %s in JSON, and %q again", decimal, text, again)
		}
	}
}

// Text is read as a text, also where Amount would want a number.
type Text string

func TestErrorVectors(t *testing.T) {
	type expected struct {
		Code         Code
		RequestID    string `json:"request_id"`
		Errors       map[string]string
		RetryAfter   int  `json:"retry_after"`
		AttemptsLeft *int `json:"attempts_left"`
	}
	file := vectors[struct {
		Codes []struct{ Code Code }
		Cases []struct {
			Name     string
			Status   int
			Headers  map[string]string
			Body     string
			Expected expected
		}
	}](t, "errors")
	for _, one := range file.Cases {
		header := http.Header{}
		for name, value := range one.Headers {
			header.Set(name, value)
		}
		failure := failureOf(one.Status, header, []byte(one.Body))
		if failure.Errors == nil {
			failure.Errors = map[string]string{}
		}
		got := expected{failure.Code, failure.RequestID, failure.Errors, int(failure.RetryAfter.Seconds()), failure.AttemptsLeft}
		if asJSON(t, got) != asJSON(t, one.Expected) || failure.Status != one.Status {
			t.Errorf("%s: %s, expected %s", one.Name, asJSON(t, got), asJSON(t, one.Expected))
		}
	}
}

func TestRetryVectors(t *testing.T) {
	file := vectors[struct {
		Cases []struct {
			Method string
			HasKey bool `json:"has_key"`
			Status int
			Repeat bool
		}
	}](t, "retries")
	if len(file.Cases) == 0 {
		t.Fatal("no cases")
	}
	for _, one := range file.Cases {
		if mayRepeat(one.Method, one.HasKey, one.Status) != one.Repeat {
			t.Errorf("%+v", one)
		}
	}
}

func TestRouteVectors(t *testing.T) {
	file := vectors[struct {
		Cases []struct {
			Method, Path string
			TakesKey     bool `json:"takes_key"`
		}
	}](t, "routes")
	if len(file.Cases) == 0 {
		t.Fatal("no cases")
	}
	for _, one := range file.Cases {
		if takesKey(one.Method, one.Path) != one.TakesKey {
			t.Errorf("%s %s: takes a key: %v", one.Method, one.Path, !one.TakesKey)
		}
	}
}

func asJSON(t *testing.T, value any) string {
	t.Helper()
	text, err := json.Marshal(value)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}
