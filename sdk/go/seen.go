package mfuko

import (
	"container/list"
	"context"
	"sync"
	"time"
)

// SeenState says what is known of a notification.
type SeenState string

const (
	// SeenFirst: it is yours to work on.
	SeenFirst SeenState = "first"
	// SeenDone: it was worked on before.
	SeenDone SeenState = "done"
	// SeenBusy: somebody is at it right now.
	SeenBusy SeenState = "busy"
)

// DuplicateGuard knows which notifications were worked on already. The service sends each at least once, so the same one can
// come twice, and both at the same time.
type DuplicateGuard interface {
	// Begin must be atomic: in a database an insert that does nothing on conflict. Whoever dies at work must not keep it
	// for ever: what was begun minutes ago and never ended is SeenFirst again. The README has such a table.
	Begin(ctx context.Context, id string) (SeenState, error)
	// Done is called when it was worked on. The context is not cancelled with the request.
	Done(ctx context.Context, id string) error
	// Forget is called when working on it failed: it will come again, and is then new. The context likewise.
	Forget(ctx context.Context, id string) error
}

const (
	rememberMost = 10_000
	rememberFor  = 7 * 24 * time.Hour
)

// RememberInMemory is for one process, and until that ends: enough to try things out. A shop keeps it in its database, best
// in the same transaction as the order. It remembers 10 000 for a week.
func RememberInMemory() DuplicateGuard {
	return &memory{most: rememberMost, keep: rememberFor, order: list.New(), known: map[string]*list.Element{}}
}

type memory struct {
	most int
	keep time.Duration

	mutex sync.Mutex
	// The oldest first.
	order *list.List
	known map[string]*list.Element
}

type remembered struct {
	id    string
	state SeenState
	at    time.Time
}

func (m *memory) Begin(_ context.Context, id string) (SeenState, error) {
	m.mutex.Lock()
	defer m.mutex.Unlock()
	if element, isKnown := m.known[id]; isKnown {
		if one := element.Value.(*remembered); time.Since(one.at) < m.keep {
			return one.state, nil
		}
		m.drop(element)
	}
	m.known[id] = m.order.PushBack(&remembered{id: id, state: SeenBusy, at: time.Now()})
	if m.order.Len() > m.most {
		m.dropOldest()
	}
	return SeenFirst, nil
}

func (m *memory) Done(_ context.Context, id string) error {
	m.mutex.Lock()
	defer m.mutex.Unlock()
	if element, isKnown := m.known[id]; isKnown {
		one := element.Value.(*remembered)
		one.state, one.at = SeenDone, time.Now()
	}
	return nil
}

func (m *memory) Forget(_ context.Context, id string) error {
	m.mutex.Lock()
	defer m.mutex.Unlock()
	if element, isKnown := m.known[id]; isKnown {
		m.drop(element)
	}
	return nil
}

// dropOldest leaves what is being worked on.
func (m *memory) dropOldest() {
	for element := m.order.Front(); element != nil; element = element.Next() {
		if element.Value.(*remembered).state == SeenDone {
			m.drop(element)
			return
		}
	}
}

func (m *memory) drop(element *list.Element) {
	m.order.Remove(element)
	delete(m.known, element.Value.(*remembered).id)
}
