<?php

declare(strict_types=1);

namespace Mfuko\Calls;

use Mfuko\Api;
use Mfuko\Page;

/** Asking others for money. */
final class MoneyRequests
{
    public function __construct(private readonly Api $api)
    {
    }

    /**
     * @param array<string, mixed> $body
     * @return array<mixed>
     */
    public function create(array $body, ?string $idempotencyKey = null): array
    {
        return $this->api->data('POST', '/api/requests', body: $body, idempotencyKey: $idempotencyKey);
    }

    /** @param array<string, string|int|bool|null> $query */
    public function list(array $query = []): Page
    {
        return $this->api->page('/api/requests', $query);
    }

    /** @return array<mixed> */
    public function get(string $id): array
    {
        return $this->api->data('GET', '/api/requests/:id', ['id' => $id]);
    }

    /**
     * @param array<string, mixed> $body
     * @return array<mixed>
     */
    public function pay(string $id, #[\SensitiveParameter] array $body, ?string $idempotencyKey = null): array
    {
        return $this->api->data(
            'POST',
            '/api/requests/:id/pay',
            ['id' => $id],
            body: $body,
            idempotencyKey: $idempotencyKey,
        );
    }

    /** @return array<mixed> */
    public function decline(string $id): array
    {
        return $this->api->data('POST', '/api/requests/:id/decline', ['id' => $id]);
    }

    /** @return array<mixed> */
    public function cancel(string $id): array
    {
        return $this->api->data('POST', '/api/requests/:id/cancel', ['id' => $id]);
    }
}
