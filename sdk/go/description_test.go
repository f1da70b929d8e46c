package mfuko

// Every call is one of the service's description, and reads its whole answer: each is made against a service that answers
// with everything the description has, and nothing of it gets lost.

import (
	"context"
	"encoding/json"
	"net/http"
	"os"
	"reflect"
	"strings"
	"sync"
	"testing"
)

type schema struct {
	Type       any                `json:"type"`
	Format     string             `json:"format"`
	Enum       []any              `json:"enum"`
	AnyOf      []schema           `json:"anyOf"`
	Properties map[string]*schema `json:"properties"`
	Items      *schema            `json:"items"`
	Additional json.RawMessage    `json:"additionalProperties"`
}

type described struct {
	Paths map[string]map[string]struct {
		RequestBody *struct {
			Content map[string]struct{ Schema schema }
		}
		Responses map[string]struct {
			Content map[string]struct{ Schema schema }
		}
	}
}

// example has a value for everything.
func (s schema) example() any {
	if len(s.AnyOf) > 0 {
		return s.AnyOf[0].example()
	}
	if len(s.Enum) > 0 {
		return s.Enum[0]
	}
	switch s.Type {
	case "object":
		if s.Properties == nil {
			var inner schema
			if json.Unmarshal(s.Additional, &inner) != nil {
				return map[string]any{}
			}
			return map[string]any{"key": inner.example()}
		}
		whole := map[string]any{}
		for name, field := range s.Properties {
			whole[name] = field.example()
		}
		return whole
	case "array":
		return []any{s.Items.example()}
	case "string":
		if s.Format == "date-time" {
			return "2026-03-14T09:26:53Z"
		}
		return "text"
	case "number", "integer":
		return json.Number("7")
	case "boolean":
		return true
	}
	return nil
}

// answering is the service of the description. It remembers what it was asked for last.
type answering struct {
	t       *testing.T
	paths   described
	mutex   sync.Mutex
	route   string
	data    any
	isWrong bool
}

func (a *answering) act(writer http.ResponseWriter, request *http.Request) {
	a.mutex.Lock()
	defer a.mutex.Unlock()
	method := strings.ToLower(request.Method)
	a.route, a.data = request.Method+" "+request.URL.Path, nil
	for path, methods := range a.paths.Paths {
		pattern := strings.NewReplacer("{", ":", "}", "").Replace(path)
		operation, isThere := methods[method]
		// A written path goes before one with parameters.
		isOther := a.paths.Paths[request.URL.Path] != nil && path != request.URL.Path
		if !isThere || isOther || !fits(strings.Split(pattern, "/"), strings.Split(request.URL.Path, "/")) {
			continue
		}
		for status, answer := range operation.Responses {
			if !strings.HasPrefix(status, "2") {
				continue
			}
			a.answer(writer, answer.Content)
			return
		}
	}
	a.t.Errorf("%s is not described", a.route)
	says(404, `{}`)(writer, request)
}

func (a *answering) answer(writer http.ResponseWriter, content map[string]struct{ Schema schema }) {
	answer, isJSON := content["application/json"]
	if !isJSON {
		a.data = "text"
		_, _ = writer.Write([]byte("text"))
		return
	}
	whole, _ := answer.Schema.example().(map[string]any)
	a.data = whole
	meta, _ := whole["meta"].(map[string]any)
	_, isPage := meta["next_cursor"]
	if data, isThere := whole["data"]; isThere && (meta == nil || isPage) {
		a.data = data
	}
	text, err := json.Marshal(whole)
	if err != nil {
		a.t.Error(err)
	}
	_, _ = withJSON(writer).Write(text)
}

func TestEveryCallIsDescribed(t *testing.T) {
	text, err := os.ReadFile("../../docs/reference/openapi.json")
	must(t, err)
	service := &answering{t: t}
	must(t, json.Unmarshal(text, &service.paths))
	server := newService(t, service.act)
	shop, err := NewMerchantClient(MerchantOptions{BaseURL: server.URL, APIKey: "svc_test_key", MerchantID: "1"})
	must(t, err)
	person, err := NewPlatformClient(PlatformOptions{BaseURL: server.URL})
	must(t, err)
	count := 0
	groups := []any{
		shop, shop.Payments, shop.Notifications, person, person.Account, person.Wallets, person.Transactions, person.Transfers,
		person.Requests, person.Funding, person.Groups, person.Campaigns, person.Merchant,
	}
	for _, group := range groups {
		value := reflect.ValueOf(group)
		for at := 0; at < value.NumMethod(); at++ {
			name := value.Type().String() + "." + value.Type().Method(at).Name
			// Request is for any route; the others ask nothing of the service, or more than once.
			if strings.HasSuffix(name, ".Request") || strings.HasSuffix(name, ".IsSignedIn") || strings.HasSuffix(name, ".Token") {
				continue
			}
			service.check(name, value.Method(at))
			count++
		}
	}
	if count < 60 {
		t.Errorf("only %d calls were tried", count)
	}
}

func (a *answering) check(name string, method reflect.Value) {
	a.t.Helper()
	results := method.Call(arguments(method.Type()))
	if err, _ := results[len(results)-1].Interface().(error); err != nil {
		a.t.Errorf("%s: %v", name, err)
		return
	}
	a.mutex.Lock()
	defer a.mutex.Unlock()
	if len(results) == 1 {
		if a.data != nil {
			a.t.Errorf("%s loses what %s answers: %v", name, a.route, a.data)
		}
		return
	}
	got := results[0]
	if got.Kind() == reflect.Pointer && got.Elem().Kind() == reflect.Struct && got.Elem().FieldByName("NextCursor").IsValid() {
		got = got.Elem().FieldByName("Items")
	}
	if text, isText := got.Interface().([]byte); isText {
		expect(a.t, name, string(text), "text")
		return
	}
	if _, isUser := got.Interface().(*User); isUser {
		// Of the token and the person, the person is answered.
		if whole, _ := a.data.(map[string]any); whole["user"] != nil {
			a.data = whole["user"]
		}
	}
	expect(a.t, name, asJSON(a.t, plain(a.t, got.Interface())), asJSON(a.t, plain(a.t, a.data)))
}

// plain is without the types and the order of fields.
func plain(t *testing.T, value any) any {
	var whole any
	must(t, json.Unmarshal([]byte(asJSON(t, value)), &whole))
	return whole
}

func arguments(method reflect.Type) []reflect.Value {
	given := []reflect.Value{reflect.ValueOf(context.Background())}
	for at := 1; at < method.NumIn(); at++ {
		if method.IsVariadic() && at == method.NumIn()-1 {
			break
		}
		value := reflect.New(method.In(at)).Elem()
		if value.Kind() == reflect.String {
			value.SetString("name")
		}
		given = append(given, value)
	}
	return given
}
