package mfuko_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"

	mfuko "github.com/mfuko/mfuko-go"
)

// service stands for the real one, so that the examples can run anywhere.
func service(status int, body string) *httptest.Server {
	return httptest.NewServer(http.HandlerFunc(func(writer http.ResponseWriter, _ *http.Request) {
		writer.Header().Set("Content-Type", "application/json")
		writer.WriteHeader(status)
		fmt.Fprint(writer, body)
	}))
}

func ExampleMerchantClient_InitiatePayment() {
	server := service(200, `{"payment_url":"https://pay.example/checkout/1","info":{"ref_trx":"ORDER-1001","amount":56000}}`)
	defer server.Close()
	shop, err := mfuko.NewMerchantClient(mfuko.MerchantOptions{
		BaseURL:    server.URL,
		MerchantID: "48213377",
		APIKey:     "svc_test_…",
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	started, err := shop.InitiatePayment(context.Background(), mfuko.InitiatePaymentBody{
		PaymentAmount: "56000",
		CurrencyCode:  mfuko.UGX,
		RefTrx:        "ORDER-1001",
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println("Send the customer to", started.PaymentURL)
	// Output: Send the customer to https://pay.example/checkout/1
}

func ExampleError() {
	server := service(422, `{"success":false,"message":"Some fields need another value.","code":"validation_failed",
		"request_id":"req_1","errors":{"amount":"Amount must be greater than 0"}}`)
	defer server.Close()
	shop, err := mfuko.NewMerchantClient(mfuko.MerchantOptions{BaseURL: server.URL, APIKey: "svc_test_…"})
	if err != nil {
		fmt.Println(err)
		return
	}
	_, err = shop.Pay(context.Background(), mfuko.CreatePaymentBody{Amount: "0", Currency: mfuko.UGX})
	var failure *mfuko.Error
	if errors.As(err, &failure) && failure.Code == mfuko.CodeValidationFailed {
		fmt.Println(failure.Status, failure.Errors["amount"])
	}
	// Output: 422 Amount must be greater than 0
}

func ExampleEach() {
	pages := map[string]*mfuko.Page[string]{
		"":  {Items: []string{"one", "two"}, NextCursor: "b"},
		"b": {Items: []string{"three"}},
	}
	items := mfuko.Each(func(cursor string) (*mfuko.Page[string], error) { return pages[cursor], nil })
	for items.Next() {
		fmt.Println(items.Item())
	}
	fmt.Println(items.Err())
	// Output:
	// one
	// two
	// three
	// <nil>
}

func ExampleReceiver_Handler() {
	receiver, err := mfuko.NewReceiver(mfuko.ReceiverOptions{
		ClientSecret: "whsec_dGhlIHNlY3JldCBvZiB0aGUgdGVzdCB2ZWN0b3JzLi4=",
		OnError:      func(err error) { fmt.Println(err) },
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	handler := receiver.Handler(func(_ context.Context, notification *mfuko.Notification) error {
		fmt.Println(notification.Event)
		return nil
	})
	// Somebody sends something that is not signed.
	answer := httptest.NewRecorder()
	handler.ServeHTTP(answer, httptest.NewRequest("POST", "/ipn", strings.NewReader(`{"status":"completed"}`)))
	fmt.Println(answer.Code)
	// Output:
	// mfuko: the notification is not signed: its signature headers are missing (signature_missing, webhook-id "")
	// 403
}

func ExampleToMinor() {
	price, err := mfuko.ToMinor("12.50", mfuko.USD)
	fmt.Println(price, err)
	_, err = mfuko.ToMinor("12.505", mfuko.USD)
	fmt.Println(err)
	// Output:
	// 1250 <nil>
	// mfuko: "12.505" is no amount in USD
}

func ExampleFromMinor() {
	amount, err := mfuko.FromMinor(1250, mfuko.USD)
	fmt.Println(amount, err)
	// Output: 12.5 <nil>
}

func ExampleAmount_Format() {
	fmt.Println(mfuko.Amount("1250.5").Format(mfuko.KES))
	fmt.Println(mfuko.AmountOf(10_000).Format(mfuko.UGX))
	// Output:
	// KES 1,250.50
	// UGX 10,000
}
