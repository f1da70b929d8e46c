<?php

declare(strict_types=1);

// The gateway promises: it is offered only where it can work, a customer who clicks twice gets one payment, an order that was
// paid is not paid again, and a refund happens once.

use MfukoForWooCommerce\Gateway;

test('WooCommerce is told of the gateway', function (): void {
    same([Gateway::class], happens('woocommerce_payment_gateways', []));
});

test('offered only where it can work', function (): void {
    $isOffered = function (array $settings, string $currency = 'KES'): bool {
        [, $gateway] = openShop($settings);
        Site::$currency = $currency;
        return $gateway->is_available();
    };
    same(true, $isOffered([]));
    same(true, $isOffered(['live_api_key' => '', 'live_client_secret' => '']), 'in test mode live keys are not needed');
    same(false, $isOffered(['test_mode' => 'no', 'live_api_key' => '']));
    same(false, $isOffered(['merchant_id' => ' ']));
    same(false, $isOffered(['enabled' => 'no']));
    same(false, $isOffered([], 'EUR'));
});

test('settings that can not work are told when they are saved', function (): void {
    $said = function (array $settings): array {
        [, $gateway] = openShop($settings);
        $gateway->save_settings();
        return Site::$adminErrors;
    };
    same([], $said([]));
    same([], $said(['test_client_secret' => SECRET . ' ' . OTHER_SECRET]), 'two while one is being replaced');
    matches('/clientSecret/', $said(['test_client_secret' => 'svc_test_key'])[0]);
    matches('/not an address/', $said(['base_url' => 'pay.example'])[0]);
    matches('/https only/', $said(['base_url' => 'http://pay.example', 'test_mode' => 'no'])[0]);
    matches('/letters and digits only/', $said(['header_prefix' => "SVC\nX"])[0]);
    matches('/another Merchant ID/', $said(['merchant_id' => '1'])[0]);
    [$service, $gateway] = openShop();
    $service->refusal = [401, ['code' => 'unauthenticated']];
    $gateway->save_settings();
    same(['Mfuko: No (req_1)'], Site::$adminErrors);
});

test('the customer is sent to the checkout, with what the order costs', function (): void {
    [$service, $gateway] = openShop();
    WC_Order::make(7, ['total' => '1250.50']);
    same(['result' => 'success', 'redirect' => 'https://pay.example/checkout?token=PY-1'], $gateway->process_payment(7));
    [$asked] = $service->got;
    same(['POST /api/pay', 'svc_test_key'], [$asked['route'], $asked['apiKey']]);
    same([
        'amount' => '1250.5',
        'currency' => 'KES',
        'description' => 'Order 7 at Duka & Sons',
        'callback_url' => 'https://duka.example/?wc-api=mfuko&order=7',
        'success_redirect' => 'https://duka.example/thanks/7',
        'cancel_redirect' => 'https://duka.example/pay/7',
    ], $asked['body']);
    same(['pending', []], [wc_get_order(7)->get_status(), Site::$locks]);
});

test('a service with another header prefix is asked with that', function (): void {
    [$service, $gateway] = openShop(['header_prefix' => 'Pesa']);
    $service->prefix = 'Pesa';
    WC_Order::make(7);
    $gateway->process_payment(7);
    same(['svc_test_key'], array_column($service->got, 'apiKey'));
});

test('live mode asks with the live key, and test payments are not taken for it', function (): void {
    [$service, $gateway] = openShop();
    WC_Order::make(7);
    $gateway->process_payment(7);
    Site::$options['woocommerce_mfuko_settings']['test_mode'] = 'no';
    (new Gateway())->process_payment(7);
    same(['svc_test_key', 'svc_live_key'], array_column($service->got, 'apiKey'));
    same(['POST /api/pay', 'POST /api/pay'], array_column($service->got, 'route'));
});

test('two clicks are one payment; after it failed there is another; after it was paid there is none', function (): void {
    [$service, $gateway] = openShop();
    WC_Order::make(7);
    $first = $gateway->process_payment(7);
    same($first, $gateway->process_payment(7));
    same(1, count($service->payments));
    $service->payments['PY-1']['status'] = 'failed';
    same('https://pay.example/checkout?token=PY-2', $gateway->process_payment(7)['redirect']);
    $service->payments['PY-2']['status'] = 'completed';
    same('https://duka.example/thanks/7', $gateway->process_payment(7)['redirect']);
    same([2, 'processing', 'PY-2', 1], [count($service->payments), wc_get_order(7)->get_status(), wc_get_order(7)->get_transaction_id(), Site::$paid]);
});

test('an order that was changed gets another payment', function (): void {
    [$service, $gateway] = openShop();
    WC_Order::make(7);
    $gateway->process_payment(7);
    Site::$orders[7]['total'] = '99';
    $gateway->process_payment(7);
    same(['1250.5', '99'], array_column($service->payments, 'amount'));
});

test('a payment that the service does not know, since the account is another one, is followed by a new one', function (): void {
    [$service, $gateway] = openShop();
    WC_Order::make(7, ['meta' => ['_mfuko_payments' => ['PY-9'], '_mfuko_mode' => 'test']]);
    same('https://pay.example/checkout?token=PY-1', $gateway->process_payment(7)['redirect']);
    same(['GET /api/pay/PY-9', 'POST /api/pay'], array_column($service->got, 'route'));
});

test('an answer that got lost is asked for again with the same key', function (): void {
    [$service, $gateway] = openShop();
    WC_Order::make(7);
    $service->loses = 1;
    $gateway->process_payment(7);
    same([1, 1], [count($service->payments), count(array_unique(array_column($service->got, 'key')))]);
});

test('a customer who goes on in another language after all answers got lost is not refused', function (): void {
    [$service, $gateway] = openShop();
    WC_Order::make(7);
    $service->loses = 3;
    thrown(Exception::class, fn () => $gateway->process_payment(7));
    Site::$translated = ['Order %1$s at %2$s' => 'Oda %1$s, %2$s'];
    same('https://pay.example/checkout?token=PY-2', $gateway->process_payment(7)['redirect']);
});

test('what fails is told to the customer in a sentence, and to the shopkeeper in the log', function (): void {
    [$service, $gateway] = openShop();
    WC_Order::make(7);
    $service->refusal = [422, ['code' => 'validation_failed', 'errors' => ['callback_url' => 'Callback URL must be https']]];
    $message = thrown(Exception::class, fn () => $gateway->process_payment(7))->getMessage();
    matches('/^The payment could not be started\./', $message);
    same(['error No payment was begun for order 7: validation_failed: Callback URL must be https (req_1)'], Site::$log);
    WC_Order::make(8, ['total' => '100.50', 'currency' => 'UGX']);
    thrown(Exception::class, fn () => $gateway->process_payment(8));
    matches('/100.50 is no amount in UGX/', Site::$log[1]);
    same([], Site::$locks, 'no lock is left');
});

/** @return array{Service, Gateway} a shop with a paid order 7 */
$paidShop = function (): array {
    [$service, $gateway] = openShop();
    WC_Order::make(7);
    $gateway->process_payment(7);
    $service->payments['PY-1']['status'] = 'completed';
    $gateway->look_at_payment(7);
    $service->got = [];
    return [$service, $gateway];
};

test('a customer who is back before the notification sees a paid order', function () use ($paidShop): void {
    $paidShop();
    same(['processing', 'PY-1', 1], [wc_get_order(7)->get_status(), wc_get_order(7)->get_transaction_id(), Site::$paid]);
    [$service, $gateway] = openShop();
    WC_Order::make(7);
    $gateway->look_at_payment(7);
    $gateway->process_payment(7);
    $service->refusal = [503, ['code' => 'unavailable']];
    $gateway->look_at_payment(7);
    same('pending', wc_get_order(7)->get_status(), 'a service that is away is no reason for anything');
});

test('refunds in part and the rest, each once', function () use ($paidShop): void {
    [$service, $gateway] = $paidShop();
    same(true, $gateway->process_refund(7, '250.50', "One bag\nwas torn"));
    same(true, $gateway->process_refund(7, 1000.0, ''));
    same([['amount' => '250.5', 'reason' => 'One bag was torn'], ['amount' => '1000']], array_column($service->got, 'body'));
    same(2, count(array_unique(array_column($service->got, 'key'))));
    matches('/KES 250.5 was refunded/', Site::$orders[7]['notes'][1]);
});

test('the same amount twice is two refunds; an answer that got lost is one', function () use ($paidShop): void {
    [$service, $gateway] = $paidShop();
    $gateway->process_refund(7, '100', '');
    $gateway->process_refund(7, '100', '');
    same(2, count($service->payments['PY-1']['refunds']));
    $service->loses = 3;
    same(true, is_wp_error($gateway->process_refund(7, '50', '')), 'three answers got lost');
    same(true, $gateway->process_refund(7, '50', ''), 'and a person clicks again');
    same(3, count($service->payments['PY-1']['refunds']));
});

test('a refund without an answer keeps its key and its reason, whatever else is refunded in between', function () use ($paidShop): void {
    [$service, $gateway] = $paidShop();
    $service->loses = 3;
    same(true, is_wp_error($gateway->process_refund(7, '50', 'Torn')));
    same(true, $gateway->process_refund(7, '40', ''));
    same(true, $gateway->process_refund(7, '50', 'One bag was torn'));
    same(['50', '40'], array_column($service->payments['PY-1']['refunds'], 'amount'));
    same(true, $gateway->process_refund(7, '50', ''), 'and then it is another one');
    same(['50', '40', '50'], array_column($service->payments['PY-1']['refunds'], 'amount'));
});

test('a refund whose answer got lost so long ago that its key is forgotten is looked for by a person', function () use ($paidShop): void {
    [$service, $gateway] = $paidShop();
    $service->loses = 3;
    $gateway->process_refund(7, '50', '');
    Site::$orders[7]['meta']['_mfuko_refund_wishes'][5000]['at'] -= 7 * 86400;
    matches('/in the dashboard of Mfuko first/', $gateway->process_refund(7, '50', '')->get_error_message());
    same(1, count($service->payments['PY-1']['refunds']));
    same(true, $gateway->process_refund(7, '50', ''));
});

test('a refund that is refused, or of another way to pay, says why', function () use ($paidShop): void {
    [$service, $gateway] = $paidShop();
    $service->refusal = [422, ['code' => 'insufficient_funds', 'errors' => ['amount' => 'Amount must not be more than what is in the merchant account']]];
    same('Amount must not be more than what is in the merchant account (req_1)', $gateway->process_refund(7, '100', '')->get_error_message());
    WC_Order::make(8, ['transaction_id' => 'ch_1', 'status' => 'processing']);
    matches('/not paid by Mfuko/', $gateway->process_refund(8, '100', '')->get_error_message());
    matches('/no amount/', $gateway->process_refund(7, null, '')->get_error_message());
    same([], Site::$locks);
});
