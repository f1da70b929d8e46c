<?php

declare(strict_types=1);

namespace Mfuko\Calls;

use Mfuko\Api;
use Mfuko\Page;

/** Payments to a business. */
final class Payments
{
    public function __construct(private readonly Api $api)
    {
    }

    /**
     * The newest first.
     *
     * @param array<string, string|int|bool|null> $query
     */
    public function list(array $query = []): Page
    {
        return $this->api->page('/api/merchant/payments', $query);
    }

    /**
     * With its attempts and refunds.
     *
     * @return array<string, mixed>
     */
    public function get(string $reference): array
    {
        return $this->api->data('GET', '/api/merchant/payments/:reference', ['reference' => $reference]);
    }

    /**
     * Whole, or in part when `amount` says so.
     *
     * @param array{amount?: int|float|string, reason?: string} $body
     * @return array<string, mixed>
     */
    public function refund(string $reference, array $body = [], ?string $idempotencyKey = null): array
    {
        return $this->api->data(
            'POST',
            '/api/merchant/payments/:reference/refund',
            ['reference' => $reference],
            body: $body,
            idempotencyKey: $idempotencyKey,
        );
    }
}
