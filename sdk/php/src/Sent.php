<?php

declare(strict_types=1);

namespace Mfuko;

/**
 * What is asked for.
 *
 * @internal
 */
final class Sent
{
    /**
     * @param string $path `/api/pay`, or a pattern with names that `params` has: `/api/pay/:reference`
     * @param array<string, string|int> $params
     * @param array<string, string|int|bool|null> $query null is left out
     * @param array<string, mixed> $body
     */
    public function __construct(
        public readonly string $method,
        public readonly string $path,
        public readonly array $params = [],
        public readonly array $query = [],
        #[\SensitiveParameter] public readonly array $body = [],
        public readonly ?string $idempotencyKey = null,
        public readonly ?float $timeout = null,
        public readonly ?int $retries = null,
    ) {
    }
}
