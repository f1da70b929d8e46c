package mfuko

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/big"
	"regexp"
	"strconv"
	"strings"
)

// Currency is a three-letter code.
type Currency string

// The currencies of the service.
const (
	UGX Currency = "UGX"
	KES Currency = "KES"
	TZS Currency = "TZS"
	RWF Currency = "RWF"
	NGN Currency = "NGN"
	ZAR Currency = "ZAR"
	USD Currency = "USD"
)

// currencyDigits says how many decimal places each has.
var currencyDigits = map[Currency]int{UGX: 0, KES: 2, TZS: 2, RWF: 0, NGN: 2, ZAR: 2, USD: 2}

// Digits says how many decimal places the currency has; false if it is none of the service.
func (c Currency) Digits() (int, bool) {
	digits, isKnown := currencyDigits[c]
	return digits, isKnown
}

// Amount is decimal text with exactly the digits that were written: "56000", "12.5". In JSON it is a number. "" is no
// amount, and null in JSON. Show it and compare it with Equal; add and multiply minor units only.
type Amount string

const (
	// minorMost is the most that one amount may be, in minor units.
	minorMost    = 9_007_199_254_740_991
	textMost     = 64
	exponentMost = 30
)

var numberForm = regexp.MustCompile(`^(-?)(0|[1-9][0-9]*)(?:\.([0-9]+))?(?:[eE]([+-]?[0-9]+))?$`)

// AmountOf is a whole number of the currency's main unit.
func AmountOf(whole int64) Amount { return Amount(strconv.FormatInt(whole, 10)) }

// ToMinor turns "12.50" USD into 1250, and the 0 of an answer into 0. An error for what no amount can be: below zero, too
// fine, too large, no number.
func ToMinor(amount Amount, currency Currency) (int64, error) {
	digits, isKnown := currency.Digits()
	if !isKnown {
		return 0, fmt.Errorf("mfuko: %q is not a currency of the service", string(currency))
	}
	minor, isExact := amount.scaled(digits)
	isBelow := strings.HasPrefix(string(amount), "-")
	if !isExact || isBelow || minor.Cmp(big.NewInt(minorMost)) > 0 {
		return 0, fmt.Errorf("mfuko: %q is no amount in %s", string(amount), currency)
	}
	return minor.Int64(), nil
}

// IsAmount says whether it can be paid: what ToMinor takes, but zero.
func IsAmount(amount Amount, currency Currency) bool {
	minor, err := ToMinor(amount, currency)
	return err == nil && minor > 0
}

// FromMinor turns 1250 USD into "12.5": decimal text without trailing zeros, as the service writes it.
func FromMinor(minor int64, currency Currency) (Amount, error) {
	digits, isKnown := currency.Digits()
	if !isKnown {
		return "", fmt.Errorf("mfuko: %q is not a currency of the service", string(currency))
	}
	text := pointed(big.NewInt(minor), digits)
	if digits > 0 {
		text = strings.TrimRight(strings.TrimRight(text, "0"), ".")
	}
	return Amount(text), nil
}

// Format is for people: "UGX 10,000", "KES 1,250.50". What has more digits than the currency is shown as it is.
func (a Amount) Format(currency Currency) string {
	digits, isKnown := currency.Digits()
	minor, isExact := a.scaled(digits)
	if !isKnown || !isExact {
		return string(currency) + " " + string(a)
	}
	text := pointed(minor, digits)
	sign := ""
	if strings.HasPrefix(text, "-") {
		sign, text = "-", text[1:]
	}
	whole, fraction, hasFraction := strings.Cut(text, ".")
	for at := len(whole) - 3; at > 0; at -= 3 {
		whole = whole[:at] + "," + whole[at:]
	}
	if hasFraction {
		whole += "." + fraction
	}
	return string(currency) + " " + sign + whole
}

// Equal compares what both stand for: "5000" is "5000.0" and "5e3". What is no number equals nothing.
func (a Amount) Equal(other Amount) bool {
	const finest = textMost + exponentMost
	one, isOne := a.scaled(finest)
	two, isTwo := other.scaled(finest)
	return isOne && isTwo && one.Cmp(two) == 0
}

// String is the decimal text.
func (a Amount) String() string { return string(a) }

// MarshalJSON writes a number with the digits of the text.
func (a Amount) MarshalJSON() ([]byte, error) {
	if a == "" {
		return []byte("null"), nil
	}
	if _, isNumber := a.scaled(textMost + exponentMost); !isNumber {
		return nil, fmt.Errorf("mfuko: %q is no amount", string(a))
	}
	return []byte(a), nil
}

// UnmarshalJSON keeps the digits of a number as they are.
func (a *Amount) UnmarshalJSON(text []byte) error {
	if bytes.Equal(text, []byte("null")) {
		*a = ""
		return nil
	}
	if !numberForm.Match(text) {
		return fmt.Errorf("mfuko: %.80q is no amount", text)
	}
	*a = Amount(text)
	return nil
}

// scaled is the amount times 10 to the power of digits; false if that is no whole number, or the text no number.
func (a Amount) scaled(digits int) (*big.Int, bool) {
	if len(a) > textMost {
		return nil, false
	}
	found := numberForm.FindStringSubmatch(string(a))
	if found == nil {
		return nil, false
	}
	sign, whole, fraction, exponentText := found[1], found[2], found[3], found[4]
	exponent := 0
	if exponentText != "" {
		var err error
		// Bounded before any power is computed.
		if exponent, err = strconv.Atoi(exponentText); err != nil || exponent > exponentMost || exponent < -exponentMost {
			return nil, false
		}
	}
	scaled, _ := new(big.Int).SetString(sign+whole+fraction, 10)
	shift := digits + exponent - len(fraction)
	if shift >= 0 {
		return scaled.Mul(scaled, powerOfTen(shift)), true
	}
	remainder := new(big.Int)
	scaled.QuoRem(scaled, powerOfTen(-shift), remainder)
	return scaled, remainder.Sign() == 0
}

func powerOfTen(exponent int) *big.Int {
	return new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(exponent)), nil)
}

// pointed writes minor units with all decimal places.
func pointed(minor *big.Int, digits int) string {
	sign := ""
	if minor.Sign() < 0 {
		sign = "-"
	}
	text := new(big.Int).Abs(minor).String()
	if digits == 0 {
		return sign + text
	}
	if missing := digits + 1 - len(text); missing > 0 {
		text = strings.Repeat("0", missing) + text
	}
	return sign + text[:len(text)-digits] + "." + text[len(text)-digits:]
}

// jsonText writes a text as the service does: without escaping what only matters in HTML.
func jsonText(value any) ([]byte, error) {
	var written bytes.Buffer
	encoder := json.NewEncoder(&written)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(value); err != nil {
		return nil, err
	}
	return bytes.TrimRight(written.Bytes(), "\n"), nil
}
