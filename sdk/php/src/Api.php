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
    /** @param \Closure(Sent): (array<string, mixed>|string) $send */
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
     * The whole answer, of any route.
     *
     * @param array<string, string|int> $params
     * @param array<string, string|int|bool|null> $query
     * @param array<string, mixed> $body
     * @return array<string, mixed>|string text on routes that answer with it
     */
    public function request(
        string $method,
        string $path,
        array $params = [],
        array $query = [],
        #[\SensitiveParameter] array $body = [],
        ?string $idempotencyKey = null,
    ): array|string {
        return ($this->send)($this->sent($method, $path, $params, $query, $body, $idempotencyKey));
    }

    /**
     * The whole answer, of routes without an envelope and of those whose envelope says more.
     *
     * @param array<string, string|int> $params
     * @param array<string, string|int|bool|null> $query
     * @param array<string, mixed> $body
     * @return array<string, mixed>
     */
    public function whole(
        string $method,
        string $path,
        array $params = [],
        array $query = [],
        #[\SensitiveParameter] array $body = [],
        ?string $idempotencyKey = null,
    ): array {
        $reply = $this->request($method, $path, $params, $query, $body, $idempotencyKey);
        assert(is_array($reply), 'these are no routes that answer with text');
        return $reply;
    }

    /**
     * @param array<string, string|int> $params
     * @param array<string, string|int|bool|null> $query
     */
    public function text(string $method, string $path, array $params = [], array $query = []): string
    {
        $reply = $this->request($method, $path, $params, $query);
        assert(is_string($reply), 'these are routes that answer with text');
        return $reply;
    }

    /**
     * What is inside the envelope.
     *
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
        $sent = $this->sent($method, $path, $params, $query, $body, $idempotencyKey);
        $reply = ($this->send)($sent);
        return is_array($reply) && is_array($reply['data'] ?? null) ? $reply['data'] : self::strange($sent);
    }

    /**
     * For answers that say nothing more: their `data` is null.
     *
     * @param array<string, string|int> $params
     * @param array<string, mixed> $body
     */
    public function done(
        string $method,
        string $path,
        array $params = [],
        #[\SensitiveParameter] array $body = [],
        ?string $idempotencyKey = null,
    ): void {
        $sent = $this->sent($method, $path, $params, body: $body, idempotencyKey: $idempotencyKey);
        $reply = ($this->send)($sent);
        if (!is_array($reply) || ($reply['success'] ?? null) !== true) {
            self::strange($sent);
        }
    }

    /** @param array<string, string|int|bool|null> $query */
    public function page(string $path, array $query = []): Page
    {
        $sent = $this->sent('GET', $path, query: $query);
        $reply = ($this->send)($sent);
        if (!is_array($reply) || !is_array($reply['data'] ?? null)) {
            self::strange($sent);
        }
        $next = fn (string $cursor): Page => $this->page($path, ['cursor' => $cursor] + $query);
        return new Page($reply['data'], $reply['meta']['next_cursor'] ?? null, $next);
    }

    /**
     * @param array<string, string|int> $params
     * @param array<string, string|int|bool|null> $query
     * @param array<string, mixed> $body
     */
    private function sent(
        string $method,
        string $path,
        array $params = [],
        array $query = [],
        #[\SensitiveParameter] array $body = [],
        ?string $idempotencyKey = null,
    ): Sent {
        return new Sent($method, $path, $params, $query, $body, $idempotencyKey, $this->timeout, $this->retries);
    }

    private static function strange(Sent $sent): never
    {
        throw new MfukoError(
            'unreadable_answer',
            "The answer is not one of the service's own",
            status: 200,
            idempotencyKey: $sent->idempotencyKey,
        );
    }
}
