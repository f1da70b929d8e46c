<?php

declare(strict_types=1);

namespace Mfuko\Calls;

use Mfuko\Api;

/** Money into wallets, and out of them. */
final class Funding
{
    public function __construct(private readonly Api $api)
    {
    }

    /**
     * @param array<string, string|int|bool|null> $query
     * @return array<mixed>
     */
    public function methods(array $query): array
    {
        return $this->api->data('GET', '/api/methods', query: $query);
    }

    /**
     * @param array<string, mixed> $body
     * @return array<mixed>
     */
    public function deposit(array $body, ?string $idempotencyKey = null): array
    {
        return $this->api->data('POST', '/api/deposit/initiate', body: $body, idempotencyKey: $idempotencyKey);
    }

    /**
     * Fee, and what would be left; moves nothing.
     *
     * @param array<string, mixed> $body
     * @return array<mixed>
     */
    public function previewWithdrawal(array $body): array
    {
        return $this->api->data('POST', '/api/withdraw/preview', body: $body);
    }

    /**
     * @param array<string, mixed> $body
     * @return array<mixed>
     */
    public function withdraw(#[\SensitiveParameter] array $body, ?string $idempotencyKey = null): array
    {
        return $this->api->data('POST', '/api/withdraw', body: $body, idempotencyKey: $idempotencyKey);
    }
}
