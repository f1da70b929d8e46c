<?php

declare(strict_types=1);

define('SECRET', 'whsec_' . base64_encode('thirty two bytes of a secret, ok'));
define('OTHER_SECRET', 'whsec_' . base64_encode('thirty two bytes of another one!'));

/**
 * A notification as the service sends it.
 *
 * @return array{headers: array<string, string>, body: string, id: string}
 */
function signed(?string $body = null, ?string $id = null, string $secret = SECRET, int $age = 0): array
{
    static $count = 0;
    $count += 1;
    $id ??= "msg_$count";
    $body ??= '{"data":{"ref_trx":"ORDER-' . $count . '","amount":1250.50,"currency_code":"KES",'
        . '"ipn_url":"https://a.example/☕"},"status":"completed","message":"m","timestamp":1}';
    $timestamp = (string) (time() - $age);
    $key = base64_decode(substr($secret, strlen('whsec_')));
    return [
        'id' => $id,
        'body' => $body,
        'headers' => [
            'content-type' => 'application/json',
            'SVC-Signature' => hash_hmac('sha256', $body, $secret),
            'SVC-Webhook-ID' => $id,
            'SVC-Webhook-Attempt' => '2',
            'SVC-Event-Sequence' => '3',
            'webhook-id' => $id,
            'webhook-timestamp' => $timestamp,
            'webhook-signature' => 'v1,' . base64_encode(hash_hmac('sha256', "$id.$timestamp.$body", $key, true)),
        ],
    ];
}
