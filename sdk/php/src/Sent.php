<?php

declare(strict_types=1);

namespace Mfuko;

/**
 * What is asked for. Its key is made here, before anything is sent: whatever comes of it, who asked can be told the key.
 *
 * @internal
 */
final class Sent
{
    /** Null on routes that take none. */
    public readonly ?string $idempotencyKey;

    /**
     * @param string $path `/api/pay`, or a pattern with names that `params` has: `/api/pay/:reference`
     * @param array<string, string|int> $params
     * @param array<string, string|int|bool|null> $query null is left out
     * @param array<string, mixed> $body
     * @param string|null $idempotencyKey null: a new one
     */
    public function __construct(
        public readonly string $method,
        public readonly string $path,
        public readonly array $params = [],
        public readonly array $query = [],
        #[\SensitiveParameter] public readonly array $body = [],
        ?string $idempotencyKey = null,
        public readonly ?float $timeout = null,
        public readonly ?int $retries = null,
    ) {
        if ($idempotencyKey === '') {
            throw new \InvalidArgumentException('idempotencyKey is empty: leave it out, or give one that is kept');
        }
        $this->idempotencyKey = Transport::takesKey($method, $path)
            ? $idempotencyKey ?? Retry::newIdempotencyKey()
            : null;
    }
}
