<?php

declare(strict_types=1);

namespace Mfuko;

/**
 * A login that lasts: the token is exchanged before it expires, or when it is refused.
 *
 * @internal
 */
final class Session
{
    /** Seconds. A token that is good for less than this is exchanged first: the clocks of computers differ. */
    private const EARLY = 60;
    /** Seconds. For ten an exchanged token gets the same successor again; later it ends the session. Two tries fit in. */
    private const LOST = 4.5;

    private float $expiresAt = INF;
    /** Without credentials. @var \Closure(Sent): (array<string, mixed>|string) */
    private readonly \Closure $sendOpen;
    /** With the token. @var \Closure(Sent): (array<string, mixed>|string) */
    private readonly \Closure $sendSigned;
    /** @var \Closure(): float */
    private readonly \Closure $now;

    /** @param \Closure(\Closure): \Closure $open makes the sending function for credentials */
    public function __construct(
        \Closure $open,
        #[\SensitiveParameter] private ?string $token,
        private readonly ?\Closure $onToken,
        private readonly ?\Closure $onSignedOut,
        ?\Closure $now,
    ) {
        $this->sendOpen = $open(static fn (): array => []);
        $this->sendSigned = $open(
            fn (): array => $this->token === null ? [] : ['Authorization' => "Bearer $this->token"],
        );
        $this->now = $now ?? static fn (): float => microtime(true);
    }

    /** A refused token is exchanged and the request sent again: who was not let in has done nothing. */
    public function send(Sent $sent): array|string
    {
        if ($this->token !== null && $this->expiresAt - ($this->now)() < self::EARLY) {
            $this->refreshFor($sent);
        }
        $token = $this->token;
        try {
            return ($this->sendSigned)($sent);
        } catch (MfukoError $error) {
            if ($error->code !== 'unauthenticated' || $token === null) {
                throw $error;
            }
            if ($this->refreshFor($sent) === null) {
                throw $error;
            }
            return ($this->sendSigned)($sent);
        }
    }

    /**
     * When the exchange fails a try before it may have happened: who asked needs the key to go on.
     *
     * @return array<string, mixed>|null
     */
    private function refreshFor(Sent $sent): ?array
    {
        try {
            return $this->refresh();
        } catch (MfukoError $error) {
            throw $error->withKey($sent->idempotencyKey);
        }
    }

    /**
     * @param array<string, mixed> $body
     * @return array<string, mixed>
     */
    public function signIn(string $path, #[\SensitiveParameter] array $body): array
    {
        return $this->keep(($this->sendOpen)(new Sent('POST', $path, body: $body)));
    }

    /**
     * Whoever finds the session ended tells so here, and the token is gone then: so it is told once.
     *
     * @return array<string, mixed>|null null: the session has ended
     */
    public function refresh(): ?array
    {
        if ($this->token === null) {
            return null;
        }
        try {
            return $this->keep($this->refreshTwice($this->token));
        } catch (MfukoError $error) {
            if ($error->code !== 'unauthenticated') {
                throw $error;
            }
            $this->hold(null, 0);
            if ($this->onSignedOut !== null) {
                ($this->onSignedOut)();
            }
            return null;
        }
    }

    public function logout(): void
    {
        try {
            $this->send(new Sent('POST', '/api/auth/logout'));
        } catch (MfukoError $error) {
            // It had ended already.
            if ($error->code !== 'unauthenticated') {
                throw $error;
            }
        }
        if ($this->token !== null) {
            $this->hold(null, 0);
        }
    }

    public function isSignedIn(): bool
    {
        return $this->token !== null;
    }

    private function refreshTwice(#[\SensitiveParameter] string $token): mixed
    {
        $sent = new Sent('POST', '/api/auth/refresh', body: ['token' => $token], timeout: self::LOST);
        try {
            return ($this->sendOpen)($sent);
        } catch (MfukoError $error) {
            // Also behind the page of a proxy: the token may have been exchanged all the same.
            if (!Retry::isUnknown($error->status)) {
                throw $error;
            }
            return ($this->sendOpen)($sent);
        }
    }

    /** @return array<string, mixed> */
    private function keep(#[\SensitiveParameter] mixed $reply): array
    {
        $data = is_array($reply) ? $reply['data'] ?? null : null;
        if (!is_array($data) || !is_string($data['token'] ?? null) || !is_array($data['user'] ?? null)) {
            throw new MfukoError('unreadable_answer', "The answer is not one of the service's own", status: 200);
        }
        $this->hold($data['token'], (int) ($data['expires_in'] ?? 0));
        return $data['user'];
    }

    private function hold(#[\SensitiveParameter] ?string $token, int $seconds): void
    {
        $this->token = $token;
        $this->expiresAt = ($this->now)() + $seconds;
        if ($this->onToken !== null) {
            ($this->onToken)($token);
        }
    }
}
