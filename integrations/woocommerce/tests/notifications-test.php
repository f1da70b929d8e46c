<?php

declare(strict_types=1);

// The receiver promises: only what is signed, for this order and in its mode, does anything; an order is paid once and with
// the right amount; and news that come twice or in the wrong order change nothing.

use Mfuko\Incoming;
use Mfuko\Outcome;
use MfukoForWooCommerce\Notifications;
use MfukoForWooCommerce\Settings;

/** A callback as the service writes it: slashes are not escaped. */
function callback(string $event, array $data = [], ?array $error = null): string
{
    $data += ['reference' => 'PY-1', 'amount' => '1250.5', 'currency' => 'KES', 'merchant_id' => '12345678', 'timestamp' => 1];
    $content = ['event' => "payment.$event", 'data' => $data, 'note' => 'https://pay.example'] + ($error === null ? [] : ['error' => $error]);
    return (string) preg_replace('/"amount":"([\d.]+)"/', '"amount":$1', json_encode($content, JSON_UNESCAPED_SLASHES));
}

function arrives(array $delivery, int $order = 7): Outcome
{
    return (new Notifications(Settings::stored()))->receive(new Incoming($delivery['headers'], $delivery['body']), $order);
}

/** @return array{int, string, string, int} status and answer, and what has become of the order */
function after_arrival(array $delivery, int $order = 7): array
{
    $outcome = arrives($delivery, $order);
    return [$outcome->status, $outcome->message, wc_get_order(7)->get_status(), Site::$paid];
}

/** A shop with order 7, whose payment was begun. */
$begun = function (array $order = []): Service {
    [$service, $gateway] = openShop();
    WC_Order::make(7, $order);
    $gateway->process_payment(7);
    return $service;
};

test('paid, once, however often it is told', function () use ($begun): void {
    $begun();
    same([200, 'Noted', 'pending', 0], after_arrival(signed(callback('pending'))));
    $paid = signed(callback('completed'));
    same([200, 'Paid', 'processing', 1], after_arrival($paid));
    same('PY-1', wc_get_order(7)->get_transaction_id());
    same([200, 'Received before', 'processing', 1], after_arrival($paid));
    same([200, 'Paid already', 'processing', 1], after_arrival(signed(callback('completed'))), 'by another event');
    same(1, count(Site::$orders[7]['notes']));
    same([], Site::$locks);
});

test('what is not signed does nothing, and a body that was encoded again is not what was signed', function () use ($begun): void {
    $begun();
    $good = signed(callback('completed'));
    $wrong = [
        signed(callback('completed'), secret: OTHER_SECRET),
        ['body' => json_encode(json_decode($good['body']))] + $good,
        ['body' => str_replace('1250.5', '1.5', $good['body'])] + $good,
        signed(callback('completed'), age: 301),
        ['headers' => []] + $good,
    ];
    foreach ($wrong as $one) {
        same([403, 'The signature of the notification is not good', 'pending', 0], after_arrival($one));
    }
    $reasons = array_map(fn (string $line) => preg_replace('/^.*\((\w+)\)$/', '$1', $line), Site::$log);
    same(['signature_wrong', 'signature_wrong', 'signature_wrong', 'too_old', 'signature_missing'], $reasons);
});

test('another amount or currency is not what the order costs', function () use ($begun): void {
    foreach ([['amount' => '1250.51'], ['amount' => '1.5'], ['currency' => 'USD'], ['currency' => 'EUR'], ['amount' => -1]] as $data) {
        $begun();
        same([200, 'Another amount', 'on-hold', 0], after_arrival(signed(callback('completed', $data))));
        matches('/not what the order costs/', Site::$orders[7]['notes'][0]);
    }
    $begun(['total' => '1250.500000']);
    same('Paid', arrives(signed(callback('completed')))->message, 'zeros at the end are the same amount');
});

test('of another order, another shop or another mode it is none of ours', function () use ($begun): void {
    $begun();
    WC_Order::make(8);
    same([404, 'Unknown'], array_slice(after_arrival(signed(callback('completed')), 8), 0, 2));
    same([200, 'Noted'], array_slice(after_arrival(signed(callback('pending')), 8), 0, 2), 'faster than we are');
    same([403, 'The signature of the notification is not good'], array_slice(after_arrival(signed(callback('pending'), secret: OTHER_SECRET), 8), 0, 2));
    same([404, 'No order waits for this'], array_slice(after_arrival(signed(callback('completed')), 999), 0, 2));
    same([404, 'Unknown', 'pending', 0], after_arrival(signed(callback('completed', ['reference' => 'PY-99']))));
    same([404, 'Unknown', 'pending', 0], after_arrival(signed(callback('completed', ['merchant_id' => '1']))));
    [, $gateway] = openShop(['test_mode' => 'no']);
    WC_Order::make(7);
    $gateway->process_payment(7);
    same([403, 'The signature of the notification is not good', 'pending', 0], after_arrival(signed(callback('completed'))), 'test');
    same([200, 'Paid', 'processing', 1], after_arrival(signed(callback('completed'), secret: OTHER_SECRET)), 'live');
});

test('a failure leaves the order unpaid; a late one does not undo a payment', function () use ($begun): void {
    $why = ['code' => 'declined', 'message' => 'The payment was declined.', 'retryable' => true];
    $begun();
    same([200, 'Failed', 'failed', 0], after_arrival(signed(callback('failed', error: $why))));
    matches('/PY-1 failed\. The payment was declined\./', Site::$orders[7]['notes'][0]);
    same([200, 'Paid', 'processing', 1], after_arrival(signed(callback('completed'))), 'paid after all');
    same([200, 'Old news', 'processing', 1], after_arrival(signed(callback('failed', error: $why))));
    $begun();
    arrives(signed(callback('completed', ['amount' => '1.5'])));
    same([200, 'Old news', 'on-hold', 0], after_arrival(signed(callback('failed', error: $why))), 'a person must look');
});

test('a failure of a payment that was tried again since is old news', function (): void {
    [$service, $gateway] = openShop();
    WC_Order::make(7);
    $gateway->process_payment(7);
    $service->payments['PY-1']['status'] = 'failed';
    $gateway->process_payment(7);
    same([200, 'Old news', 'pending', 0], after_arrival(signed(callback('failed'))));
    same([200, 'Paid', 'processing', 1], after_arrival(signed(callback('completed', ['reference' => 'PY-2']))));
    same([200, 'Paid twice', 'processing', 1], after_arrival(signed(callback('completed'))));
    matches('/paid a second time, by PY-1, after PY-2/', end(Site::$orders[7]['notes']));
    $service->refundElsewhere('PY-1', '1250.5');
    same([200, 'Refunded beside the order', 'processing', 1], after_arrival(signed(callback('refunded'))));
    same([], Site::$refunds, 'the second payment went back, not the order');
});

test('a payment whose beginning got lost, and that expired, is not told again and again', function (): void {
    [$service, $gateway] = openShop();
    WC_Order::make(7);
    $service->loses = 3;
    thrown(Exception::class, fn () => $gateway->process_payment(7));
    same([200, 'Noted', 'pending', 0], after_arrival(signed(callback('failed'))));
    same([404, 'Unknown', 'pending', 0], after_arrival(signed(callback('completed'))), 'money is: until it is known');
});

test('a refund that was given in Mfuko is written down, once', function () use ($begun): void {
    $service = $begun();
    arrives(signed(callback('completed')));
    $service->refundElsewhere('PY-1', '250.5');
    $told = signed(callback('refunded', ['refund_amount' => 250.5]));
    same([200, 'Refunded', 'processing', 1], after_arrival($told));
    same([200, 'Received before', 'processing', 1], after_arrival($told));
    same([200, 'Refunded already', 'processing', 1], after_arrival(signed(callback('refunded', ['refund_amount' => 250.5]))));
    same(['250.5'], array_column(Site::$refunds, 'amount'));
    $service->refundElsewhere('PY-1', '1000');
    same([200, 'Refunded', 'refunded', 1], after_arrival(signed(callback('refunded', ['refund_amount' => 1000]))));
    same(['250.5', '1000'], array_column(Site::$refunds, 'amount'));
});

test('a refund that the order has no room for, since it was refunded by hand, is noted once and not asked for again', function () use ($begun): void {
    $service = $begun();
    arrives(signed(callback('completed')));
    wc_create_refund(['order_id' => 7, 'amount' => '1000', 'reason' => 'cash']);
    $service->refundElsewhere('PY-1', '500');
    $told = signed(callback('refunded', ['refund_amount' => 500]));
    same([200, 'Refunded beyond the order', 'processing', 1], after_arrival($told));
    matches('/KES 500 went back to the customer \(PY-1\), which is more than/', end(Site::$orders[7]['notes']));
    same([200, 'Refunded already', 'processing', 1], after_arrival(signed(callback('refunded', ['refund_amount' => 500]))));
    same(['1000'], array_column(Site::$refunds, 'amount'));
});

test('a refund that could not be written down comes again', function () use ($begun): void {
    $service = $begun();
    arrives(signed(callback('completed')));
    $service->refundElsewhere('PY-1', '500');
    $told = signed(callback('refunded', ['refund_amount' => 500]));
    Site::$isReadOnly = true;
    same(500, after_arrival($told)[0]);
    Site::$isReadOnly = false;
    same([200, 'Refunded', 'processing', 1], after_arrival($told));
    same(['500'], array_column(Site::$refunds, 'amount'));
});

test('a refund from the shop is not written down a second time', function () use ($begun): void {
    $begun();
    arrives(signed(callback('completed')));
    same(true, (new MfukoForWooCommerce\Gateway())->process_refund(7, '250.50', ''));
    same([200, 'Refunded already', 'processing', 1], after_arrival(signed(callback('refunded', ['refund_amount' => 250.5]))));
    same([], Site::$refunds, 'WooCommerce has made its own');
});

test('a refund whose answer got lost, and of which the notification has told, is not made again by a click', function () use ($begun): void {
    $service = $begun();
    arrives(signed(callback('completed')));
    $gateway = new MfukoForWooCommerce\Gateway();
    $service->loses = 3;
    same(true, is_wp_error($gateway->process_refund(7, '50', '')));
    same([200, 'Refunded', 'processing', 1], after_arrival(signed(callback('refunded', ['refund_amount' => 50]))));
    matches('/had made this refund/', $gateway->process_refund(7, '50', '')->get_error_message());
    same([1, ['50']], [count($service->payments['PY-1']['refunds']), array_column(Site::$refunds, 'amount')]);
    same(true, $gateway->process_refund(7, '50', ''), 'who asks again after that wants another');
    same(2, count($service->payments['PY-1']['refunds']));
    same([200, 'Refunded already', 'processing', 1], after_arrival(signed(callback('refunded', ['refund_amount' => 50]))));
});

test('a refund by mobile money that failed at last stands in the notes, once, when the payment is looked at again', function () use ($begun): void {
    $service = $begun();
    arrives(signed(callback('completed')));
    $gateway = new MfukoForWooCommerce\Gateway();
    $service->refundsBecome = 'pending';
    same(true, $gateway->process_refund(7, '50', ''));
    matches('/KES 50 is on its way/', end(Site::$orders[7]['notes']));
    $service->refundFails('PY-1');
    $service->refundElsewhere('PY-1', '50');
    same([200, 'Refunded already', 'processing', 1], after_arrival(signed(callback('refunded', ['refund_amount' => 50]))));
    matches('/refund of KES 50 \(PY-1\) failed, .* The wallet is full\./', end(Site::$orders[7]['notes']));
    $notes = count(Site::$orders[7]['notes']);
    after_arrival(signed(callback('refunded', ['refund_amount' => 50])));
    same($notes, count(Site::$orders[7]['notes']));
});

test('news in the wrong order: the refund before the payment, the failure last', function () use ($begun): void {
    $service = $begun();
    $service->refundElsewhere('PY-1', '250.5');
    same([200, 'Refunded', 'processing', 1], after_arrival(signed(callback('refunded', ['refund_amount' => 250.5]))));
    same([200, 'Paid already', 'processing', 1], after_arrival(signed(callback('completed'))));
    same([200, 'Noted', 'processing', 1], after_arrival(signed(callback('pending'))));
    same([200, 'Old news', 'processing', 1], after_arrival(signed(callback('failed'))));
    same(['250.5'], array_column(Site::$refunds, 'amount'));
});

test('after everything went back, late news do not bring the order back', function () use ($begun): void {
    $service = $begun();
    $service->refundElsewhere('PY-1', '1250.5');
    same([200, 'Refunded', 'refunded', 1], after_arrival(signed(callback('refunded', ['refund_amount' => 1250.5]))));
    same([200, 'Paid already', 'refunded', 1], after_arrival(signed(callback('completed'))));
});

test('a customer paid for an order that was cancelled meanwhile', function () use ($begun): void {
    $begun();
    wc_get_order(7)->update_status('cancelled');
    same([200, 'Paid', 'processing', 1], after_arrival(signed(callback('completed'))));
});

test('an order that WooCommerce does not mark as paid, since it is in the bin, waits for a person', function () use ($begun): void {
    $begun();
    wc_get_order(7)->update_status('trash');
    same([200, 'Paid, on hold', 'on-hold', 0], after_arrival(signed(callback('completed'))));
    matches('/paid while it was "trash"/', end(Site::$orders[7]['notes']));
    same([200, 'Paid already', 'on-hold', 0], after_arrival(signed(callback('completed'))));
    same(true, (new MfukoForWooCommerce\Gateway())->process_refund(7, '1250.50', ''));
});

test('while somebody else is at the order, or the service is away, it comes again', function () use ($begun): void {
    $service = $begun();
    Site::$locks['all'] = true;
    same([500, 'Not worked on; send it again', 'pending', 0], after_arrival(signed(callback('completed'))));
    Site::$locks = [];
    arrives(signed(callback('completed')));
    $service->refusal = [503, ['code' => 'unavailable']];
    $told = signed(callback('refunded', ['refund_amount' => 250.5]));
    same([500, 'Not worked on; send it again', 'processing', 1], after_arrival($told));
    $service->refusal = null;
    $service->refundElsewhere('PY-1', '250.5');
    same([200, 'Refunded', 'processing', 1], after_arrival($told));
});
