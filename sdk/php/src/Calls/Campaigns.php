<?php

declare(strict_types=1);

namespace Mfuko\Calls;

use Mfuko\Api;
use Mfuko\Page;

/** Money for a purpose, from many. */
final class Campaigns
{
    public function __construct(private readonly Api $api)
    {
    }

    /** @param array<string, string|int|bool|null> $query */
    public function browse(array $query = []): Page
    {
        return $this->api->page('/api/campaigns/browse', $query);
    }

    /**
     * @param array<string, mixed> $body
     * @return array<mixed>
     */
    public function create(array $body, ?string $idempotencyKey = null): array
    {
        return $this->api->data('POST', '/api/campaigns', body: $body, idempotencyKey: $idempotencyKey);
    }

    /** @return array<mixed> */
    public function get(string $id): array
    {
        return $this->api->data('GET', '/api/campaigns/:id', ['id' => $id]);
    }

    /**
     * @param array<string, mixed> $body
     * @return array<mixed>
     */
    public function contribute(string $id, #[\SensitiveParameter] array $body, ?string $idempotencyKey = null): array
    {
        return $this->api->data(
            'POST',
            '/api/campaigns/:id/contribute',
            ['id' => $id],
            body: $body,
            idempotencyKey: $idempotencyKey,
        );
    }

    /**
     * What was raised, to the owner's wallet.
     *
     * @param array<string, mixed> $body
     * @return array<mixed>
     */
    public function withdraw(string $id, #[\SensitiveParameter] array $body, ?string $idempotencyKey = null): array
    {
        return $this->api->data(
            'POST',
            '/api/campaigns/:id/withdraw',
            ['id' => $id],
            body: $body,
            idempotencyKey: $idempotencyKey,
        );
    }

    /**
     * Fee, and what arrives; moves nothing.
     *
     * @param array<string, mixed> $body
     * @return array<mixed>
     */
    public function previewWithdrawal(string $id, array $body = []): array
    {
        return $this->api->data('POST', '/api/campaigns/:id/withdraw/preview', ['id' => $id], body: $body);
    }
}
