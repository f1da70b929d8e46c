<?php

declare(strict_types=1);

namespace Mfuko\Calls;

use Mfuko\Api;

/** One for each currency. */
final class Wallets
{
    public function __construct(private readonly Api $api)
    {
    }

    /** @return array<mixed> */
    public function list(): array
    {
        return $this->api->data('GET', '/api/wallets');
    }

    /**
     * @param array<string, mixed> $body
     * @return array<mixed>
     */
    public function open(array $body): array
    {
        return $this->api->data('POST', '/api/wallets', body: $body);
    }
}
