// Package mfuko takes payments, receives signed notifications and uses the wallet platform.
//
// A shop has a [MerchantClient] and a [Receiver], a person a [PlatformClient]. All of them may be used by many goroutines
// at once. A call that fails returns an [*Error]; decide by its Code.
package mfuko

// Version is the version of this library.
const Version = "1.0.0"

const userAgent = "mfuko-go/" + Version

// Ptr is for the optional fields of a request that are pointers, because false or 0 says something too.
func Ptr[T any](value T) *T { return &value }

// Nullable is a text that a request can set, take away, or leave as it is (nil). Make one with [Set] or [Clear].
type Nullable string

// Set sets the text.
func Set(text string) *Nullable { return Ptr(Nullable(text)) }

// Clear takes the text away.
func Clear() *Nullable { return Ptr(Nullable("")) }

// MarshalJSON writes null for what is taken away.
func (n Nullable) MarshalJSON() ([]byte, error) {
	if n == "" {
		return []byte("null"), nil
	}
	return jsonText(string(n))
}
