// Programs to copy, with the merchant's own keys of test mode in them. They use the libraries as their READMEs do;
// web/test/business-snippets.test.ts holds them to that, and runs them.
import type { Currency } from '@mfuko/sdk/browser'

export const languages = [
  { id: 'curl', name: 'curl' },
  { id: 'php', name: 'PHP' },
  { id: 'javascript', name: 'JavaScript' },
  { id: 'python', name: 'Python' },
  { id: 'go', name: 'Go' },
] as const
export type SnippetLanguage = (typeof languages)[number]['id']

export interface Keys {
  baseUrl: string
  /** What header names begin with at this service. */
  headerPrefix: string
  merchantId: number
  apiKey: string
  clientSecret: string
  currency: Currency
}

export interface Snippets {
  /** What brings the library, from a clone beside: it is in no registry yet. None for curl. */
  install: string | undefined
  take: string
  receive: string
}

/** Of a size that somebody would pay. */
const prices: Record<Currency, number> = {
  UGX: 56_000,
  KES: 1_950,
  TZS: 38_000,
  RWF: 19_500,
  NGN: 24_000,
  ZAR: 275,
  USD: 15,
}

export function snippetsOf(language: SnippetLanguage, keys: Keys): Snippets {
  switch (language) {
    case 'curl':
      return curl(keys)
    case 'php':
      return php(keys)
    case 'javascript':
      return javascript(keys)
    case 'python':
      return python(keys)
    case 'go':
      return go(keys)
    default:
      return language satisfies never
  }
}

/** The libraries take SVC for granted. */
const prefixed = (headerPrefix: string, line: string): string =>
  headerPrefix === 'SVC' ? '' : line.replace('PREFIX', headerPrefix)

const curl = ({ baseUrl, headerPrefix, merchantId, apiKey, clientSecret, currency }: Keys): Snippets => ({
  install: undefined,
  take: `curl -s '${baseUrl}/api/v1/initiate-payment' \\
  -H '${headerPrefix}-Merchant-Key: ${merchantId}' \\
  -H '${headerPrefix}-API-Key: ${apiKey}' \\
  -H 'Content-Type: application/json' \\
  -d '{
    "payment_amount": ${prices[currency]},
    "currency_code": "${currency}",
    "ref_trx": "ORDER-1001",
    "description": "Two bags of coffee"
  }'

# Send the customer to payment_url. What became of it:
curl -s '${baseUrl}/api/v1/verify-payment/ORDER-1001' \\
  -H '${headerPrefix}-Merchant-Key: ${merchantId}' \\
  -H '${headerPrefix}-API-Key: ${apiKey}'
`,
  receive: `# body.json has the bytes of a notification as they came.
# This prints what its ${headerPrefix}-Signature must be.
openssl dgst -sha256 -hmac '${clientSecret}' -r body.json | cut -d ' ' -f 1
`,
})

const php = ({ baseUrl, headerPrefix, merchantId, apiKey, clientSecret, currency }: Keys): Snippets => ({
  install: `mkdir vendor
echo "<?php require __DIR__ . '/../../mfuko/sdk/php/autoload.php';" > vendor/autoload.php
`,
  take: `<?php
require 'vendor/autoload.php';

use Mfuko\\MerchantClient;

$shop = new MerchantClient(
    baseUrl: '${baseUrl}',
    apiKey: '${apiKey}',
    merchantId: '${merchantId}',${prefixed(headerPrefix, "\n    headerPrefix: 'PREFIX',")}
);

$started = $shop->initiatePayment([
    'payment_amount' => ${prices[currency]},
    'currency_code' => '${currency}',
    'ref_trx' => 'ORDER-1001',
    'description' => 'Two bags of coffee',
]);
echo "Send the customer to {$started['payment_url']}\\n";

$payment = $shop->verifyPayment('ORDER-1001');
echo "The payment is {$payment['status']}\\n";
`,
  receive: `<?php
require 'vendor/autoload.php';

use Mfuko\\FileSeen;
use Mfuko\\Incoming;
use Mfuko\\Notification;
use Mfuko\\Receiver;

$receiver = new Receiver(
    clientSecret: '${clientSecret}',${prefixed(headerPrefix, "\n    headerPrefix: 'PREFIX',")}
    seen: new FileSeen(__DIR__ . '/seen'),
);

$receiver->receive(Incoming::fromGlobals(), function (Notification $notification): void {
    if ($notification->kind !== 'gateway') {
        return;
    }
    ['ref_trx' => $order, 'amount' => $amount, 'currency_code' => $currency] = $notification->data;
    // Compare amount and currency with the order, then mark it as paid.
    error_log("{$notification->status} $order $amount $currency");
})->send();
`,
})

const javascript = ({
  baseUrl,
  headerPrefix,
  merchantId,
  apiKey,
  clientSecret,
  currency,
}: Keys): Snippets => ({
  install: `npm --prefix ../mfuko run build -w @mfuko/sdk
npm install ../mfuko/sdk/js express
`,
  take: `import { createMerchantClient } from '@mfuko/sdk'

const shop = createMerchantClient({
  baseUrl: '${baseUrl}',
  merchantId: '${merchantId}',
  apiKey: '${apiKey}',${prefixed(headerPrefix, "\n  headerPrefix: 'PREFIX',")}
})

const { payment_url } = await shop.initiatePayment({
  payment_amount: ${prices[currency]},
  currency_code: '${currency}',
  ref_trx: 'ORDER-1001',
  description: 'Two bags of coffee',
})
console.log(\`Send the customer to \${payment_url}\`)

const { status } = await shop.verifyPayment('ORDER-1001')
console.log(\`The payment is \${status}\`)
`,
  receive: `import express from 'express'
import { createReceiver } from '@mfuko/sdk'
import { mfukoExpress } from '@mfuko/sdk/express'

const receiver = createReceiver({ clientSecret: '${clientSecret}'${prefixed(headerPrefix, ", headerPrefix: 'PREFIX'")} })

const app = express()
// Before express.json(): the signature is over the bytes as they came.
app.post(
  '/ipn',
  mfukoExpress(receiver, async (notification) => {
    if (notification.kind !== 'gateway') return
    const { ref_trx, amount, currency_code } = notification.data
    // Compare amount and currency with the order, then mark it as paid.
    console.log(notification.status, ref_trx, amount, currency_code)
  }),
)
app.listen(process.env.PORT ?? 3000)
`,
})

const python = ({ baseUrl, headerPrefix, merchantId, apiKey, clientSecret, currency }: Keys): Snippets => ({
  install: 'pip install ../mfuko/sdk/python\n',
  take: `from mfuko import MerchantClient

shop = MerchantClient(
    "${baseUrl}",
    "${apiKey}",
    merchant_id="${merchantId}",${prefixed(headerPrefix, '\n    header_prefix="PREFIX",')}
)

payment = shop.initiate_payment({
    "payment_amount": ${prices[currency]},
    "currency_code": "${currency}",
    "ref_trx": "ORDER-1001",
    "description": "Two bags of coffee",
})
print("Send the customer to", payment["payment_url"])

print("The payment is", shop.verify_payment("ORDER-1001")["status"])
`,
  receive: `from mfuko import Notification, Receiver
from mfuko.wsgi import MfukoWSGI

receiver = Receiver("${clientSecret}"${prefixed(headerPrefix, ', header_prefix="PREFIX"')})


def handle(notification: Notification) -> None:
    if notification.kind != "gateway":
        return
    data = notification.data
    # Compare amount and currency with the order, then mark it as paid.
    print(notification.status, data["ref_trx"], data["amount"], data["currency_code"])


# Any WSGI server runs it. Around your own: MfukoWSGI(receiver, handle, path="/ipn", app=app)
application = MfukoWSGI(receiver, handle, path="/ipn")
`,
})

const go = ({ baseUrl, headerPrefix, merchantId, apiKey, clientSecret, currency }: Keys): Snippets => ({
  install: `go mod init shop
go mod edit -replace github.com/mfuko/mfuko-go=../mfuko/sdk/go
go mod edit -require github.com/mfuko/mfuko-go@v1.0.0
`,
  take: `package main

import (
	"context"
	"fmt"
	"log"

	mfuko "github.com/mfuko/mfuko-go"
)

func main() {
	shop, err := mfuko.NewMerchantClient(mfuko.MerchantOptions{
		BaseURL:    "${baseUrl}",
		MerchantID: "${merchantId}",
		APIKey:     "${apiKey}",${prefixed(headerPrefix, '\n		HeaderPrefix: "PREFIX",')}
	})
	if err != nil {
		log.Fatal(err)
	}
	ctx := context.Background()

	started, err := shop.InitiatePayment(ctx, mfuko.InitiatePaymentBody{
		PaymentAmount: "${prices[currency]}",
		CurrencyCode:  mfuko.${currency},
		RefTrx:        "ORDER-1001",
		Description:   "Two bags of coffee",
	})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println("Send the customer to", started.PaymentURL)

	verified, err := shop.VerifyPayment(ctx, "ORDER-1001")
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println("The payment is", verified.Status)
}
`,
  receive: `package main

import (
	"context"
	"log"
	"net/http"
	"time"

	mfuko "github.com/mfuko/mfuko-go"
)

func main() {
	receiver, err := mfuko.NewReceiver(mfuko.ReceiverOptions{
		ClientSecret: "${clientSecret}",${prefixed(headerPrefix, '\n		HeaderPrefix: "PREFIX",')}
		OnError:      func(err error) { log.Print(err) },
	})
	if err != nil {
		log.Fatal(err)
	}
	mux := http.NewServeMux()
	mux.Handle("/ipn", receiver.Handler(func(ctx context.Context, notification *mfuko.Notification) error {
		if order := notification.Gateway; order != nil {
			// Compare amount and currency with the order, then mark it as paid.
			log.Print(notification.Event, " ", order.RefTrx, " ", order.Amount, " ", order.CurrencyCode)
		}
		return nil
	}))
	server := &http.Server{Addr: ":3000", Handler: mux, ReadTimeout: 10 * time.Second}
	log.Fatal(server.ListenAndServe())
}
`,
})
