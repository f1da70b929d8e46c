<?php

declare(strict_types=1);

namespace Mfuko\Calls;

use Mfuko\Api;
use Mfuko\Page;

/** Savings groups. */
final class Groups
{
    public function __construct(private readonly Api $api)
    {
    }

    /** @param array<string, string|int|bool|null> $query */
    public function list(array $query = []): Page
    {
        return $this->api->page('/api/groups', $query);
    }

    /**
     * @param array<string, mixed> $body
     * @return array<mixed>
     */
    public function create(array $body, ?string $idempotencyKey = null): array
    {
        return $this->api->data('POST', '/api/groups', body: $body, idempotencyKey: $idempotencyKey);
    }

    /** @return array<mixed> */
    public function get(string $id): array
    {
        return $this->api->data('GET', '/api/groups/:id', ['id' => $id]);
    }

    /**
     * @param array<string, mixed> $body
     * @return array<mixed>
     */
    public function join(string $id, array $body = []): array
    {
        return $this->api->data('POST', '/api/groups/:id/join', ['id' => $id], body: $body);
    }

    public function leave(string $id, ?string $idempotencyKey = null): void
    {
        $this->api->done('POST', '/api/groups/:id/leave', ['id' => $id], idempotencyKey: $idempotencyKey);
    }

    /**
     * @param array<string, mixed> $body
     * @return array<mixed>
     */
    public function contribute(string $id, #[\SensitiveParameter] array $body, ?string $idempotencyKey = null): array
    {
        return $this->api->data(
            'POST',
            '/api/groups/:id/contribute',
            ['id' => $id],
            body: $body,
            idempotencyKey: $idempotencyKey,
        );
    }

    /**
     * @param array<string, mixed> $body
     * @return array<mixed>
     */
    public function proposePayout(
        string $id,
        #[\SensitiveParameter] array $body,
        ?string $idempotencyKey = null,
    ): array {
        return $this->api->data(
            'POST',
            '/api/groups/:id/payouts',
            ['id' => $id],
            body: $body,
            idempotencyKey: $idempotencyKey,
        );
    }

    /** @return array<mixed> */
    public function approvePayout(string $id, string $payoutId, ?string $idempotencyKey = null): array
    {
        return $this->api->data(
            'POST',
            '/api/groups/:id/payouts/:payout_id/approve',
            ['id' => $id, 'payout_id' => $payoutId],
            idempotencyKey: $idempotencyKey,
        );
    }
}
