package mfuko

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"regexp"
	"strings"
)

// The two signatures of a notification, compared in constant time. SVC-Signature covers the body and nothing else; the
// Standard Webhooks one also covers the id and the time of the attempt, so that an old request can't be played again.

const (
	secretPrefix     = "whsec_"
	secretBytesLeast = 24
	signaturesMost   = 10
)

var (
	base64Form = regexp.MustCompile(`^[A-Za-z0-9+/]+={0,2}$`)
	// Lower-case, 64 digits: what the service writes, and nothing else.
	hexForm = regexp.MustCompile(`^[0-9a-f]{64}$`)
)

// isSecret: whsec_ and base64 of at least 24 bytes.
func isSecret(text string) bool {
	key, isBase64 := fromBase64(strings.TrimPrefix(text, secretPrefix))
	return strings.HasPrefix(text, secretPrefix) && isBase64 && len(key) >= secretBytesLeast
}

// isWebhookSignature takes the header as it is: "v1,<base64> v1,<base64>", of which any one that fits will do. Key: what
// the base64 of the secret stands for.
func isWebhookSignature(secret, signatures, id, timestamp string, body []byte) bool {
	key, isBase64 := fromBase64(strings.TrimPrefix(secret, secretPrefix))
	if !isBase64 {
		return false
	}
	expected := digest(key, []byte(id+"."+timestamp+"."), body)
	for _, part := range firstOf(signatures, " ") {
		version, text, _ := strings.Cut(part, ",")
		given, isBase64 := fromBase64(text)
		if version == "v1" && isBase64 && hmac.Equal(given, expected) {
			return true
		}
	}
	return false
}

// isBodySignature takes several with commas between. Key: the secret as it is written, prefix and all.
func isBodySignature(secret, signatures string, body []byte) bool {
	expected := digest([]byte(secret), body)
	for _, text := range firstOf(signatures, ",") {
		given, err := hex.DecodeString(text)
		if err == nil && hexForm.MatchString(text) && hmac.Equal(given, expected) {
			return true
		}
	}
	return false
}

func digest(key []byte, parts ...[]byte) []byte {
	hash := hmac.New(sha256.New, key)
	for _, part := range parts {
		hash.Write(part)
	}
	return hash.Sum(nil)
}

// firstOf bounds what a stranger can make us compute.
func firstOf(text, separator string) []string {
	parts := strings.Split(text, separator)
	if len(parts) > signaturesMost {
		parts = parts[:signaturesMost]
	}
	return parts
}

func fromBase64(text string) ([]byte, bool) {
	if !base64Form.MatchString(text) {
		return nil, false
	}
	bytes, err := base64.StdEncoding.DecodeString(text)
	return bytes, err == nil
}
