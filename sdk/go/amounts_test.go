package mfuko

import (
	"encoding/json"
	"testing"
)

func TestAmountsInJSON(t *testing.T) {
	for _, text := range []string{"0", "0.1", "1250.5", "12345678901234.56", "-0.05", "9007199254740991", "1e3"} {
		var read struct {
			Amount Amount `json:"amount"`
		}
		whole := `{"amount":` + text + `}`
		if err := json.Unmarshal([]byte(whole), &read); err != nil || string(read.Amount) != text {
			t.Errorf("%s is read as %q, %v", text, read.Amount, err)
		}
		if again := asJSON(t, read); again != whole {
			t.Errorf("%s is written as %s", whole, again)
		}
	}
	var none struct{ Amount Amount }
	if err := json.Unmarshal([]byte(`{"Amount":null}`), &none); err != nil || none.Amount != "" {
		t.Errorf("null is read as %q, %v", none.Amount, err)
	}
	if asJSON(t, none) != `{"Amount":null}` {
		t.Error("no amount is null")
	}
	for _, wrong := range []string{`"12"`, `true`, `{}`, `[1]`} {
		var amount Amount
		if json.Unmarshal([]byte(wrong), &amount) == nil {
			t.Errorf("%s is taken as an amount", wrong)
		}
	}
	for _, wrong := range []Amount{"1,000", "12 ", "NaN", "0x10", "01", "1}", `1,"pin":1`} {
		if text, err := json.Marshal(wrong); err == nil {
			t.Errorf("%q is written as %s", wrong, text)
		}
	}
}

func TestAmountsForPeople(t *testing.T) {
	rows := []struct {
		amount   Amount
		currency Currency
		expected string
	}{
		{"10000", UGX, "UGX 10,000"},
		{"1250.5", KES, "KES 1,250.50"},
		{"90071992547409.91", USD, "USD 90,071,992,547,409.91"},
		{"0", USD, "USD 0.00"},
		{"-1234.5", USD, "USD -1,234.50"},
		{"-0.05", USD, "USD -0.05"},
		{"999", UGX, "UGX 999"},
		{"5e3", UGX, "UGX 5,000"},
		{"0.001", USD, "USD 0.001"},
		{"12", "EUR", "EUR 12"},
	}
	for _, row := range rows {
		if shown := row.amount.Format(row.currency); shown != row.expected {
			t.Errorf("%q %s is shown as %q", row.amount, row.currency, shown)
		}
	}
}

func TestAmountsAreExact(t *testing.T) {
	if AmountOf(56_000) != "56000" || AmountOf(-1) != "-1" {
		t.Error("whole numbers")
	}
	if negative, err := FromMinor(-5, USD); err != nil || negative != "-0.05" {
		t.Errorf("-5 cents are %q, %v", negative, err)
	}
	for _, code := range []Currency{"EUR", "usd", ""} {
		if _, err := ToMinor("1", code); err == nil {
			t.Errorf("%q is a currency", code)
		}
		if _, err := FromMinor(1, code); err == nil {
			t.Errorf("%q is a currency", code)
		}
	}
	if Amount("0.1").Equal("0.10000000000000001") || Amount("").Equal("") || !Amount("5000").Equal("5e3") {
		t.Error("equal is what stands for the same")
	}
}
