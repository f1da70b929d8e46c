<?php

declare(strict_types=1);

namespace Mfuko;

use Mfuko\Http\CurlSender;
use Mfuko\Http\HttpRequest;
use Mfuko\Http\HttpResponse;
use Mfuko\Http\Sender;
use Mfuko\Http\SendError;
use Mfuko\Http\SocketSender;

/**
 * One request: sent, tried again where that is safe, and its answer read. The key that makes a repeated request happen once
 * is made before the first try. Redirects are not followed: a credential goes to the host that was named.
 *
 * @internal
 */
final class Transport
{
    public const USER_AGENT = 'mfuko-php/1.0.0';
    public const TIMEOUT = 30.0;
    public const RETRIES = 2;

    /** The routes that take an Idempotency-Key. A test compares them with the description of the service. */
    public const KEYED_ROUTES = [
        'POST /api/deposit/initiate',
        'POST /api/withdraw',
        'POST /api/campaigns',
        'POST /api/campaigns/:id/contribute',
        'POST /api/campaigns/:id/withdraw',
        'POST /api/send',
        'POST /api/requests',
        'POST /api/requests/:id/pay',
        'POST /api/groups',
        'POST /api/groups/:id/leave',
        'POST /api/groups/:id/contribute',
        'POST /api/groups/:id/cycle/close',
        'POST /api/groups/:id/dissolve',
        'POST /api/groups/:id/payouts',
        'POST /api/groups/:id/payouts/:payout_id/approve',
        'POST /api/merchant/register',
        'POST /api/merchant/rotate-key',
        'POST /api/merchant/payout',
        'POST /api/merchant/payments/:reference/refund',
        'POST /api/v1/initiate-payment',
        'POST /api/pay',
    ];

    /** The routes that answer with text: a table, a page to print. All others answer with an object in JSON. */
    public const TEXT_ROUTES = ['GET /api/transactions.csv', 'GET /api/transactions/:reference/receipt'];

    private const CONNECT_TIMEOUT = 10.0;
    private const BYTES_MOST = 32 * 1024 * 1024;

    private readonly string $base;
    private readonly Sender $sender;
    /** @var \Closure(float): void */
    private readonly \Closure $pause;

    /**
     * @param \Closure(string): array<string, string> $credentials what shows who is calling, for a path; asked at each try
     * @param (\Closure(float): void)|null $pause seconds; for tests
     */
    public function __construct(
        string $baseUrl,
        private readonly \Closure $credentials,
        private readonly float $timeout = self::TIMEOUT,
        private readonly int $retries = self::RETRIES,
        ?Sender $sender = null,
        ?\Closure $pause = null,
    ) {
        $this->base = self::checkedBase($baseUrl);
        $this->sender = $sender ?? (extension_loaded('curl') ? new CurlSender() : new SocketSender());
        $this->pause = $pause ?? static fn (float $seconds) => usleep((int) round($seconds * 1e6));
    }

    /**
     * The whole answer: text on the routes that answer with it.
     *
     * @return array<string, mixed>|string
     */
    public function send(Sent $sent): array|string
    {
        $path = self::pathOf($sent->path, $sent->params);
        $key = $sent->idempotencyKey;
        $isText = self::isOneOf(self::TEXT_ROUTES, $sent->method, $sent->path);
        $url = $this->base . $path . self::queryOf($sent->query);
        $body = in_array($sent->method, ['POST', 'PUT', 'PATCH'], true) ? Json::encode($sent->body) : null;
        $tries = 1 + max(0, $sent->retries ?? $this->retries);
        for ($tried = 1;; $tried++) {
            $request = new HttpRequest(
                $sent->method,
                $url,
                $this->headers($path, $key, $body !== null),
                $body,
                timeout: $sent->timeout ?? $this->timeout,
                connectTimeout: min(self::CONNECT_TIMEOUT, $sent->timeout ?? $this->timeout),
                bytesMost: self::BYTES_MOST,
            );
            try {
                $response = $this->tryOnce($request, $key);
                return $isText ? self::text($response, $key) : self::content($response, $key);
            } catch (MfukoError $error) {
                $wait = Retry::wait($tried, $error->retryAfterSeconds, self::chance());
                // An answer that came and can't be read is one: its status counts.
                $mayRepeat = Retry::may($sent->method, $key !== null, $error->status);
                if ($tried >= $tries || $wait === null || !$mayRepeat) {
                    throw $error;
                }
                ($this->pause)($wait);
            }
        }
    }

    private function tryOnce(HttpRequest $request, ?string $key): HttpResponse
    {
        try {
            return $this->sender->send($request);
        } catch (SendError $error) {
            [$code, $message] = match (true) {
                $error->isTooLarge => ['unreadable_answer', 'The answer is larger than any of the service'],
                $error->isTimeout => ['timed_out', 'The service did not answer in time'],
                default => ['connection_failed', 'The service could not be reached'],
            };
            throw new MfukoError($code, $message, status: $error->status, idempotencyKey: $key, previous: $error);
        }
    }

    private static function text(HttpResponse $response, ?string $key): string
    {
        return self::isSuccess($response) ? $response->body : throw self::failure($response, $key);
    }

    /**
     * A page of something on the way may say success too; what became of the request is then unknown.
     *
     * @return array<string, mixed>
     */
    private static function content(HttpResponse $response, ?string $key): array
    {
        $content = self::objectIn($response);
        return self::isSuccess($response) && $content !== null ? $content : throw self::failure($response, $key);
    }

    private static function isSuccess(HttpResponse $response): bool
    {
        return $response->status >= 200 && $response->status < 300;
    }

    private static function failure(HttpResponse $response, ?string $key): MfukoError
    {
        if ($response->status >= 300 && $response->status < 400) {
            $message = 'The service answered with a redirect, which is not followed: check baseUrl';
            return new MfukoError('connection_failed', $message, status: $response->status, idempotencyKey: $key);
        }
        return MfukoError::ofAnswer($response->status, $response->headers, self::objectIn($response), $key);
    }

    /** @return array<string, mixed>|null null: it is none */
    private static function objectIn(HttpResponse $response): ?array
    {
        if (preg_match('#^application/json\b#i', $response->headers['content-type'] ?? '') !== 1) {
            return null;
        }
        try {
            $content = Json::decode($response->body);
        } catch (\JsonException) {
            return null;
        }
        return is_array($content) && !array_is_list($content) ? $content : null;
    }

    /** @return array<string, string> */
    private function headers(string $path, ?string $key, bool $hasBody): array
    {
        return ['Accept' => 'application/json', 'User-Agent' => self::USER_AGENT]
            + ($hasBody ? ['Content-Type' => 'application/json'] : [])
            + ($key === null ? [] : ['Idempotency-Key' => $key])
            + ($this->credentials)($path);
    }

    private static function checkedBase(string $baseUrl): string
    {
        $parts = parse_url($baseUrl);
        if (!is_array($parts) || !isset($parts['scheme'], $parts['host'])) {
            throw new \InvalidArgumentException("baseUrl is not an address: $baseUrl");
        }
        $isPlain = !isset($parts['query']) && !isset($parts['fragment']) && !isset($parts['user']);
        if (!in_array($parts['scheme'], ['http', 'https'], true) || !$isPlain || preg_match('/\s/', $baseUrl) === 1) {
            throw new \InvalidArgumentException('baseUrl is the address of the service, like https://pay.example');
        }
        return rtrim($baseUrl, '/');
    }

    /** @param array<string, string|int> $params */
    private static function pathOf(string $pattern, array $params): string
    {
        if (preg_match('#^/[^?\#\s]*$#D', $pattern) !== 1) {
            throw new \InvalidArgumentException("$pattern is not a path: it begins with / and has no query");
        }
        $path = (string) preg_replace_callback('/:(\w+)/', static function (array $found) use ($params): string {
            $value = (string) ($params[$found[1]] ?? '');
            self::requireName($value, $found[1]);
            return rawurlencode($value);
        }, $pattern);
        foreach (explode('/', substr($path, 1)) as $segment) {
            self::requireName($segment, 'a part of the path');
        }
        return $path;
    }

    /** `.` and `..` would be another path. */
    private static function requireName(string $value, string $what): void
    {
        if (preg_match('/^\.{0,2}$/D', $value) === 1) {
            throw new \InvalidArgumentException("$what is missing or not a name");
        }
    }

    /** @param array<string, string|int|bool|null> $query */
    private static function queryOf(array $query): string
    {
        $texts = array_map(
            static fn (mixed $value): string => is_bool($value) ? ($value ? 'true' : 'false') : (string) $value,
            array_filter($query, static fn (mixed $value): bool => $value !== null),
        );
        return $texts === [] ? '' : '?' . http_build_query($texts, '', '&', PHP_QUERY_RFC3986);
    }

    public static function takesKey(string $method, string $path): bool
    {
        return self::isOneOf(self::KEYED_ROUTES, $method, $path);
    }

    /**
     * By its pattern, or by a path that fits one.
     *
     * @param list<string> $routes
     */
    private static function isOneOf(array $routes, string $method, string $path): bool
    {
        foreach ($routes as $route) {
            // preg_quote puts a backslash before the colon of a name.
            $fits = preg_replace('/\\\\:\w+/', '[^/]+', preg_quote($route, '#'));
            if (preg_match("#^$fits$#D", "$method $path") === 1) {
                return true;
            }
        }
        return false;
    }

    /** From 0 to 1. */
    private static function chance(): float
    {
        return random_int(0, 1_000_000) / 1_000_000;
    }
}
