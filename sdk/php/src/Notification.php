<?php

declare(strict_types=1);

namespace Mfuko;

/**
 * A genuine notification. `gateway`: to the `ipn_url` of a payment that was asked for with `initiatePayment`. `callback`: to
 * the `callback_url` of one that was asked for with `pay`. Amounts in it are ints or decimal text: see Amounts.
 */
final class Notification
{
    /**
     * @param 'gateway'|'callback' $kind
     * @param string $event `payment.pending`, `payment.completed`, `payment.failed`, `payment.refunded`
     * @param string $id the same over all attempts and replays
     * @param int $attempt 1 for the first
     * @param int $sequence the place among the events of the payment: a lower one than you had before is old news
     * @param array<string, mixed> $data gateway: ref_trx, description, ipn_url, cancel_redirect, success_redirect,
     *   merchant_name, amount, currency_code; callback: reference, amount, currency, merchant_id, timestamp, of a refund also
     *   refund_amount, of a failure also error
     * @param 'completed'|'failed'|null $status of a gateway notification
     * @param array{code: string, message: string, retryable: bool}|null $error of a callback that tells of a failure
     */
    public function __construct(
        public readonly string $kind,
        public readonly string $event,
        public readonly string $id,
        public readonly int $attempt,
        public readonly int $sequence,
        public readonly array $data,
        public readonly ?string $status = null,
        public readonly ?string $message = null,
        public readonly ?int $timestamp = null,
        public readonly ?array $error = null,
    ) {
    }
}
