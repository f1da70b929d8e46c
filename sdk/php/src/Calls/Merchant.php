<?php

declare(strict_types=1);

namespace Mfuko\Calls;

use Mfuko\Api;
use Mfuko\Page;

/** Of the owner of a business. */
final class Merchant
{
    public function __construct(private readonly Api $api)
    {
    }

    /**
     * @param array<string, mixed> $body
     * @return array<mixed>
     */
    public function register(array $body, ?string $idempotencyKey = null): array
    {
        return $this->api->data('POST', '/api/merchant/register', body: $body, idempotencyKey: $idempotencyKey);
    }

    /** @return array<mixed> */
    public function get(): array
    {
        return $this->api->data('GET', '/api/merchant');
    }

    /**
     * @param array<string, mixed> $body
     * @return array<mixed>
     */
    public function change(array $body): array
    {
        return $this->api->data('PATCH', '/api/merchant', body: $body);
    }

    /**
     * @param array<string, mixed> $body
     * @return array<mixed>
     */
    public function revealSecret(#[\SensitiveParameter] array $body): array
    {
        return $this->api->data('POST', '/api/merchant/credentials/reveal', body: $body);
    }

    /**
     * @param array<string, mixed> $body
     * @return array<mixed>
     */
    public function rotateKey(#[\SensitiveParameter] array $body, ?string $idempotencyKey = null): array
    {
        return $this->api->data('POST', '/api/merchant/rotate-key', body: $body, idempotencyKey: $idempotencyKey);
    }

    /** @param array<string, string|int|bool|null> $query */
    public function payments(array $query = []): Page
    {
        return $this->api->page('/api/merchant/payments', $query);
    }

    /** @return array<mixed> */
    public function payment(string $reference): array
    {
        return $this->api->data('GET', '/api/merchant/payments/:reference', ['reference' => $reference]);
    }

    /**
     * @param array<string, mixed> $body
     * @return array<mixed>
     */
    public function refund(string $reference, #[\SensitiveParameter] array $body = [], ?string $idempotencyKey = null): array
    {
        return $this->api->data(
            'POST',
            '/api/merchant/payments/:reference/refund',
            ['reference' => $reference],
            body: $body,
            idempotencyKey: $idempotencyKey,
        );
    }

    /**
     * Accepted, failed and refunded, by day or week.
     *
     * @param array<string, string|int|bool|null> $query
     * @return array<mixed>
     */
    public function volume(array $query): array
    {
        return $this->api->data('GET', '/api/merchant/volume', query: $query);
    }

    /**
     * What the business has earned, by currency.
     *
     * @param array<string, string|int|bool|null> $query
     * @return array<mixed>
     */
    public function balances(array $query = []): array
    {
        return $this->api->data('GET', '/api/merchant/balances', query: $query);
    }

    /**
     * Earnings to the owner's wallet.
     *
     * @param array<string, mixed> $body
     * @return array<mixed>
     */
    public function payOut(#[\SensitiveParameter] array $body, ?string $idempotencyKey = null): array
    {
        return $this->api->data('POST', '/api/merchant/payout', body: $body, idempotencyKey: $idempotencyKey);
    }

    /** @param array<string, string|int|bool|null> $query */
    public function notifications(array $query = []): Page
    {
        return $this->api->page('/api/merchant/notifications', $query);
    }

    /** @return array<mixed> */
    public function notification(string $id): array
    {
        return $this->api->data('GET', '/api/merchant/notifications/:id', ['id' => $id]);
    }

    /** @return array<mixed> */
    public function replay(string $id): array
    {
        return $this->api->data('POST', '/api/merchant/notifications/:id/replay', ['id' => $id]);
    }

    /**
     * @param array<string, mixed> $body
     * @return array<mixed>
     */
    public function sendTestNotification(array $body = []): array
    {
        return $this->api->data('POST', '/api/merchant/test-notification', body: $body);
    }
}
