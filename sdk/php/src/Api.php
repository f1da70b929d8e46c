<?php

declare(strict_types=1);

namespace Mfuko;

/**
 * Requests, and what is inside their envelopes.
 *
 * @internal
 */
final class Api
{
    /** @param \Closure(Sent): mixed $send */
    public function __construct(
        private readonly \Closure $send,
        private readonly ?float $timeout = null,
        private readonly ?int $retries = null,
    ) {
    }

    /** The same, with other limits. */
    public function with(?float $timeout, ?int $retries): self
    {
        return new self($this->send, $timeout ?? $this->timeout, $retries ?? $this->retries);
    }

    /**
     * @param array<string, string|int> $params
     * @param array<string, string|int|bool|null> $query
     * @param array<string, mixed> $body
     */
    public function request(
        string $method,
        string $path,
        array $params = [],
        array $query = [],
        #[\SensitiveParameter] array $body = [],
        ?string $idempotencyKey = null,
    ): mixed {
        $sent = new Sent(
            $method,
            $path,
            $params,
            $query,
            $body,
            $idempotencyKey,
            $this->timeout,
            $this->retries,
        );
        return ($this->send)($sent);
    }

    /**
     * @param array<string, string|int> $params
     * @param array<string, string|int|bool|null> $query
     * @param array<string, mixed> $body
     * @return array<mixed>
     */
    public function data(
        string $method,
        string $path,
        array $params = [],
        array $query = [],
        #[\SensitiveParameter] array $body = [],
        ?string $idempotencyKey = null,
    ): array {
        $reply = $this->request($method, $path, $params, $query, $body, $idempotencyKey);
        return is_array($reply) && is_array($reply['data'] ?? null) ? $reply['data'] : self::strange($idempotencyKey);
    }

    /**
     * @param array<string, string|int|bool|null> $query
     */
    public function page(string $path, array $query = []): Page
    {
        $reply = $this->request('GET', $path, query: $query);
        if (!is_array($reply) || !is_array($reply['data'] ?? null)) {
            self::strange(null);
        }
        $next = fn (string $cursor): Page => $this->page($path, ['cursor' => $cursor] + $query);
        return new Page($reply['data'], $reply['meta']['next_cursor'] ?? null, $next);
    }

    private static function strange(?string $key): never
    {
        throw new MfukoError(
            'unreadable_answer',
            "The answer is not one of the service's own",
            status: 200,
            idempotencyKey: $key,
        );
    }
}
