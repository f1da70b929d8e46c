<?php

declare(strict_types=1);

// The library agrees with the server on every vector: what is signed, what a receiver makes of a delivery, what an amount
// is, what an error says, and what may be tried again. The files are made with the server's own functions.

use Mfuko\Amounts;
use Mfuko\Incoming;
use Mfuko\Json;
use Mfuko\MfukoError;
use Mfuko\NotificationError;
use Mfuko\Receiver;
use Mfuko\Retry;
use Mfuko\Signatures;

$signatures = vectors('signatures')['cases'];
foreach ($signatures as $one) {
    test("signatures: {$one['name']}", function () use ($one, $signatures): void {
        $body = base64_decode($one['body_base64']);
        same($one['body'], $body);
        $webhook = fn (string $secret) =>
            Signatures::isWebhook($secret, $one['id'], (string) $one['timestamp'], $one['webhook_signature'], $body);
        same(true, $webhook($one['secret']));
        same(true, Signatures::isBody($one['secret'], $one['svc_signature'], $body));
        $other = array_values(array_diff(array_column($signatures, 'secret'), [$one['secret']]))[0];
        same(false, $webhook($other));
        same(false, Signatures::isBody($other, $one['svc_signature'], $body));
    });
}

$deliveries = vectors('deliveries');
foreach ($deliveries['cases'] as $one) {
    foreach (['standard' => $one['standard'], 'body' => $one['body_only']] as $signature => $expected) {
        test("deliveries: {$one['name']} ($signature): $expected", function () use ($one, $signature, $expected, $deliveries): void {
            $receiver = new Receiver(
                $one['secrets'],
                toleranceSeconds: $deliveries['tolerance_seconds'],
                signature: $signature,
                now: fn () => $one['now'],
            );
            $verdict = function (array $headers) use ($receiver, $one): string {
                try {
                    $receiver->read(new Incoming($headers, base64_decode($one['body_base64'])));
                    return 'ok';
                } catch (NotificationError $error) {
                    return $error->reason;
                }
            };
            same($expected, $verdict($one['headers']));
            same($expected, $verdict(array_map(fn ($value) => [$value], $one['headers'])), 'the same with lists');
        });
    }
}

$amounts = vectors('amounts');
test('amounts: the currencies', fn () => same($amounts['currencies'], Amounts::CURRENCIES));
foreach ($amounts['cases'] as ['text' => $text, 'currency' => $currency, 'minor' => $minor, 'decimal' => $decimal, 'payable' => $isPayable, 'exact_as_float' => $isExact]) {
    test('amounts: ' . substr($text, 0, 30) . " $currency", function () use ($text, $currency, $minor, $decimal, $isPayable, $isExact): void {
        same($isPayable, Amounts::isAmount($text, $currency));
        if ($minor === null) {
            thrown(RangeException::class, fn () => Amounts::toMinor($text, $currency));
            return;
        }
        same($minor, (string) Amounts::toMinor($text, $currency));
        same($decimal, Amounts::fromMinor((int) $minor, $currency));
        // As the service writes it in an answer, and as we read it there.
        same($minor, (string) Amounts::toMinor(Json::decode($decimal), $currency), 'what was read is exact');
        // What became a float on the way is still the same amount, or is refused.
        if ($isExact) {
            same($minor, (string) Amounts::toMinor((float) $decimal, $currency));
        } else {
            thrown(RangeException::class, fn () => Amounts::toMinor((float) $decimal, $currency));
        }
    });
}

foreach (vectors('errors')['cases'] as $one) {
    test("errors: {$one['name']}", function () use ($one): void {
        $body = json_decode($one['body'], true) ?? $one['body'];
        $error = MfukoError::ofAnswer($one['status'], array_change_key_case($one['headers'] ?? []), $body);
        same($one['expected'], [
            'code' => $error->code,
            'request_id' => $error->requestId,
            'errors' => $error->errors,
            'retry_after' => $error->retryAfterSeconds,
            'attempts_left' => $error->attemptsLeft,
        ]);
        same($one['status'], $error->status);
    });
}

test('what may be tried again', function (): void {
    foreach (vectors('retries')['cases'] as ['method' => $method, 'has_key' => $hasKey, 'status' => $status, 'repeat' => $repeat]) {
        same($repeat, Retry::may($method, $hasKey, $status), "$method $status");
    }
});
