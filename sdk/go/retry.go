package mfuko

import (
	"crypto/rand"
	"encoding/binary"
	"fmt"
	"net/http"
	"time"
)

// When a request is tried again, as functions of values. What must stay true: nothing that may have happened is asked for
// a second time without the key that makes it happen once. ../vectors/retries.json has the same as a table.

// mayRepeat takes the status of the answer; 0 when there was none.
func mayRepeat(method string, hasKey bool, status int) bool {
	// Who is told to wait was not let in: nothing has happened.
	if status == http.StatusTooManyRequests {
		return true
	}
	return isUnknown(status) && (method == http.MethodGet || hasKey)
}

// isUnknown is for answers of proxies and of a service that is away: what became of the request is unknown.
func isUnknown(status int) bool {
	switch status {
	case 0, http.StatusBadGateway, http.StatusServiceUnavailable, http.StatusGatewayTimeout:
		return true
	}
	return false
}

const (
	firstWait = 500 * time.Millisecond
	// Who is told to wait for longer is told so at once.
	patience = 10 * time.Second
)

// waitFor is false when it is not worth it. tried: so far. chance: from 0 to 1, so that many who failed together don't
// return so.
func waitFor(tried int, retryAfter time.Duration, chance float64) (time.Duration, bool) {
	if retryAfter > patience {
		return 0, false
	}
	planned := patience
	if doublings := tried - 1; doublings < 10 {
		planned = time.Duration(float64(firstWait<<doublings) * (0.5 + chance/2))
	}
	if planned > patience {
		planned = patience
	}
	if retryAfter > planned {
		return retryAfter, true
	}
	return planned, true
}

// NewIdempotencyKey is a version 4 UUID.
func NewIdempotencyKey() string {
	bytes := randomBytes(16)
	bytes[6] = bytes[6]&0x0f | 0x40
	bytes[8] = bytes[8]&0x3f | 0x80
	return fmt.Sprintf("%x-%x-%x-%x-%x", bytes[0:4], bytes[4:6], bytes[6:8], bytes[8:10], bytes[10:])
}

func someChance() float64 {
	return float64(binary.BigEndian.Uint32(randomBytes(4))) / (1 << 32)
}

func randomBytes(count int) []byte {
	bytes := make([]byte, count)
	if _, err := rand.Read(bytes); err != nil {
		// A key that is not random may be somebody else's.
		panic(fmt.Sprintf("mfuko: the system gives no random bytes: %v", err))
	}
	return bytes
}
