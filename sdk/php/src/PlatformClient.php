<?php

declare(strict_types=1);

namespace Mfuko;

use Mfuko\Calls\Account;
use Mfuko\Calls\Campaigns;
use Mfuko\Calls\Funding;
use Mfuko\Calls\Groups;
use Mfuko\Calls\Merchant;
use Mfuko\Calls\MoneyRequests;
use Mfuko\Calls\Transactions;
use Mfuko\Calls\Transfers;
use Mfuko\Calls\Wallets;
use Mfuko\Http\Sender;

/** What a person does with the platform, with the token of their login. */
final class PlatformClient
{
    public readonly Account $account;
    public readonly Wallets $wallets;
    public readonly Transactions $transactions;
    public readonly Transfers $transfers;
    public readonly MoneyRequests $requests;
    public readonly Funding $funding;
    public readonly Groups $groups;
    public readonly Campaigns $campaigns;
    public readonly Merchant $merchant;
    private readonly Session $session;
    private readonly Api $api;

    /**
     * @param string $baseUrl where the service is: `https://pay.example`
     * @param string|null $token of a login before, as `onToken` was given it
     * @param (\Closure(string|null): void)|null $onToken a new one, or none any more: to be kept for the next request of the
     *   same person, in their session for instance
     * @param (\Closure(): void)|null $onSignedOut the session has ended: by another device, by an operator, by time. Not
     *   after `logout`.
     * @param float $timeout seconds, of one try until its answer has been read
     * @param int $retries how often a request is tried again when that is safe
     * @param Sender|null $sender another than the built-in one
     * @param (\Closure(): float)|null $now Unix seconds; for tests
     */
    public function __construct(
        string $baseUrl,
        #[\SensitiveParameter] ?string $token = null,
        ?\Closure $onToken = null,
        ?\Closure $onSignedOut = null,
        float $timeout = Transport::TIMEOUT,
        int $retries = Transport::RETRIES,
        ?Sender $sender = null,
        ?\Closure $now = null,
    ) {
        $open = static fn (\Closure $credentials): \Closure =>
            (new Transport($baseUrl, $credentials, $timeout, $retries, $sender))->send(...);
        $session = new Session($open, $token, $onToken, $onSignedOut, $now);
        $this->open($session, new Api($session->send(...)));
    }

    /** The same login with other limits: `$me->with(timeout: 5.0)->wallets->list()`. */
    public function with(?float $timeout = null, ?int $retries = null): self
    {
        $other = (new \ReflectionClass(self::class))->newInstanceWithoutConstructor();
        $other->open($this->session, $this->api->with($timeout, $retries));
        return $other;
    }

    /**
     * @param array{password: string, handle?: string, email?: string, phone?: string} $body
     * @return array<string, mixed> the person
     */
    public function login(#[\SensitiveParameter] array $body): array
    {
        return $this->session->signIn('/api/auth/login', $body);
    }

    /**
     * @param array<string, mixed> $body `name`, `password`, and `email` or `phone`
     * @return array<string, mixed> the person
     */
    public function register(#[\SensitiveParameter] array $body): array
    {
        return $this->session->signIn('/api/auth/register', $body);
    }

    /**
     * Exchanges the token for a new one. Happens by itself when it is needed.
     *
     * @return array<string, mixed>|null the person; null when the session has ended
     */
    public function resume(): ?array
    {
        return $this->session->refresh();
    }

    public function logout(): void
    {
        $this->session->logout();
    }

    public function isSignedIn(): bool
    {
        return $this->session->isSignedIn();
    }

    /**
     * Any route: `request('GET', '/api/requests/:id', ['id' => $id])`.
     *
     * @param array<string, string|int> $params
     * @param array<string, string|int|bool|null> $query
     * @param array<string, mixed> $body
     * @return array<string, mixed>|string the whole answer; text on routes that answer with it
     */
    public function request(
        string $method,
        string $path,
        array $params = [],
        array $query = [],
        #[\SensitiveParameter] array $body = [],
        ?string $idempotencyKey = null,
    ): array|string {
        return $this->api->request($method, $path, $params, $query, $body, $idempotencyKey);
    }

    private function open(Session $session, Api $api): void
    {
        $this->session = $session;
        $this->api = $api;
        $this->account = new Account($api);
        $this->wallets = new Wallets($api);
        $this->transactions = new Transactions($api);
        $this->transfers = new Transfers($api);
        $this->requests = new MoneyRequests($api);
        $this->funding = new Funding($api);
        $this->groups = new Groups($api);
        $this->campaigns = new Campaigns($api);
        $this->merchant = new Merchant($api);
    }

    /** Not the token. */
    public function __debugInfo(): array
    {
        return ['isSignedIn' => $this->isSignedIn()];
    }
}
