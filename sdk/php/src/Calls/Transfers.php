<?php

declare(strict_types=1);

namespace Mfuko\Calls;

use Mfuko\Api;

/** Money to other people. */
final class Transfers
{
    public function __construct(private readonly Api $api)
    {
    }

    /**
     * Fee, and what the recipient gets; moves nothing.
     *
     * @param array<string, mixed> $body
     * @return array<mixed>
     */
    public function preview(array $body): array
    {
        return $this->api->data('POST', '/api/send/preview', body: $body);
    }

    /**
     * @param array<string, mixed> $body
     * @return array<mixed>
     */
    public function send(#[\SensitiveParameter] array $body, ?string $idempotencyKey = null): array
    {
        return $this->api->data('POST', '/api/send', body: $body, idempotencyKey: $idempotencyKey);
    }

    /** @return array<mixed> */
    public function lookUp(string $handle): array
    {
        return $this->api->data('GET', '/api/users/:handle', ['handle' => $handle]);
    }

    /** @return array<mixed> */
    public function recipients(): array
    {
        return $this->api->data('GET', '/api/recipients');
    }
}
