<?php

declare(strict_types=1);

namespace Mfuko;

use Mfuko\Calls\Notifications;
use Mfuko\Calls\Payments;
use Mfuko\Http\Sender;

/**
 * For the servers of a shop: payments, refunds and what was told of them, with the API key. Never for a page: whoever has
 * the key can take payments and give refunds in the name of the shop.
 */
final class MerchantClient
{
    public readonly Payments $payments;
    public readonly Notifications $notifications;
    private readonly Api $api;

    /**
     * @param string $baseUrl where the service is: `https://pay.example`
     * @param string $apiKey `svc_test_…` or `svc_live_…`: it decides between sandbox and live
     * @param string|int|null $merchantId for `initiatePayment` and `verifyPayment`
     * @param string $headerPrefix what header names that carry the brand begin with
     * @param float $timeout seconds, of one try until its answer has been read
     * @param int $retries how often a request is tried again when that is safe
     * @param Sender|null $sender another than the built-in one
     */
    public function __construct(
        string $baseUrl,
        #[\SensitiveParameter] string $apiKey,
        string|int|null $merchantId = null,
        string $headerPrefix = 'SVC',
        float $timeout = Transport::TIMEOUT,
        int $retries = Transport::RETRIES,
        ?Sender $sender = null,
    ) {
        self::requireSafe($baseUrl, $apiKey);
        $credentials = static function (string $path) use ($apiKey, $merchantId, $headerPrefix): array {
            if (!str_starts_with($path, '/api/v1/')) {
                return ["X-$headerPrefix-Key" => $apiKey];
            }
            if ($merchantId === null || $merchantId === '') {
                throw new \InvalidArgumentException('merchantId is needed for the gateway');
            }
            return ["$headerPrefix-Merchant-Key" => (string) $merchantId, "$headerPrefix-API-Key" => $apiKey];
        };
        $transport = new Transport($baseUrl, $credentials, $timeout, $retries, $sender);
        $this->open(new Api($transport->send(...)));
    }

    /** The same client with other limits: `$shop->with(timeout: 5.0, retries: 0)->profile()`. */
    public function with(?float $timeout = null, ?int $retries = null): self
    {
        $other = (new \ReflectionClass(self::class))->newInstanceWithoutConstructor();
        $other->open($this->api->with($timeout, $retries));
        return $other;
    }

    /**
     * Any route that a key opens: `request('GET', '/api/merchant/endpoints')`. Names in the path (`/api/pay/:reference`) are
     * filled in from `params`.
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
        array $body = [],
        ?string $idempotencyKey = null,
    ): array|string {
        return $this->api->request($method, $path, $params, $query, $body, $idempotencyKey);
    }

    /**
     * A payment by the gateway. Send the customer to `payment_url`; the outcome is posted to `ipn_url`.
     *
     * @param array{payment_amount: int|float|string, currency_code: string, ref_trx: string, description?: string,
     *   success_redirect?: string, failure_url?: string, cancel_redirect?: string, ipn_url?: string} $body
     * @return array{payment_url: string, info: array<string, mixed>}
     */
    public function initiatePayment(array $body, ?string $idempotencyKey = null): array
    {
        return $this->api->whole('POST', '/api/v1/initiate-payment', body: $body, idempotencyKey: $idempotencyKey);
    }

    /**
     * What became of a payment, by our reference or by your `ref_trx`.
     *
     * @return array<string, mixed>
     */
    public function verifyPayment(string $ref): array
    {
        return $this->api->whole('GET', '/api/v1/verify-payment/:ref', ['ref' => $ref]);
    }

    /**
     * The other way to ask: every change of the status is posted to `callback_url`.
     *
     * @param array{amount: int|float|string, currency: string, description?: string, callback_url?: string,
     *   reference?: string, success_redirect?: string, cancel_redirect?: string} $body
     * @return array<string, mixed>
     */
    public function pay(array $body, ?string $idempotencyKey = null): array
    {
        return $this->api->data('POST', '/api/pay', body: $body, idempotencyKey: $idempotencyKey);
    }

    /** @return array<string, mixed> */
    public function payment(string $reference): array
    {
        return $this->api->data('GET', '/api/pay/:reference', ['reference' => $reference]);
    }

    /** @return array<string, mixed> */
    public function profile(): array
    {
        return $this->api->data('GET', '/api/merchant');
    }

    /**
     * Accepted, failed and refunded, by day or week, in the mode of the key.
     *
     * @param array<string, string|int|bool|null> $query
     * @return array<string, mixed>
     */
    public function volume(array $query): array
    {
        return $this->api->data('GET', '/api/merchant/volume', query: $query);
    }

    /**
     * What the business has earned, by currency, in the mode of the key.
     *
     * @return list<array<string, mixed>>
     */
    public function balances(): array
    {
        return $this->api->data('GET', '/api/merchant/balances');
    }

    /**
     * Test mode: what would be sent to you, if you had an address. The whole answer, since `meta` says where to go on.
     *
     * @param array{after?: string|int, limit?: int} $query
     * @return array{data: list<array<string, mixed>>, meta: array<string, mixed>}
     */
    public function events(array $query = []): array
    {
        return $this->api->whole('GET', '/api/merchant/events', query: $query);
    }

    private function open(Api $api): void
    {
        $this->api = $api;
        $this->payments = new Payments($api);
        $this->notifications = new Notifications($api);
    }

    /** A key that takes real money must not cross a network in the open. */
    private static function requireSafe(string $baseUrl, #[\SensitiveParameter] string $apiKey): void
    {
        if ($apiKey === '') {
            throw new \InvalidArgumentException('apiKey is missing');
        }
        $parts = parse_url($baseUrl) ?: [];
        $isHere = in_array(strtolower($parts['host'] ?? ''), ['localhost', '127.0.0.1', '[::1]'], true);
        if (str_contains($apiKey, '_live_') && strtolower($parts['scheme'] ?? '') === 'http' && !$isHere) {
            throw new \InvalidArgumentException('A live API key is sent over https only');
        }
    }

    /** Not the key. */
    public function __debugInfo(): array
    {
        return [];
    }
}
