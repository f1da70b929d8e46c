<?php

declare(strict_types=1);

// The service, as far as the plug-in asks it: payments are kept, requests with the same key happen once.

use Mfuko\Amounts;

final class Service
{
    /** @var array<string, array<string, mixed>> */
    public array $payments = [];
    /** @var list<array{route: string, key: ?string, body: array<string, mixed>, apiKey: string}> */
    public array $got = [];
    /** @var array<string, array{body: array<string, mixed>, answer: array{status: int, headers: array<string, string>, body: string}}> */
    private array $answered = [];
    /** What names of headers begin with there. */
    public string $prefix = 'SVC';
    /** So many answers get lost after the request was worked on. */
    public int $loses = 0;
    /** `pending` by mobile money. */
    public string $refundsBecome = 'completed';
    /** @var array{int, array<string, mixed>}|null instead of an answer */
    public ?array $refusal = null;

    /** @param array<string, mixed> $options */
    public function __invoke(string $url, array $options): mixed
    {
        $path = substr($url, strlen('https://pay.example'));
        $key = $options['headers']['Idempotency-Key'] ?? null;
        $body = $options['body'] === null ? [] : json_decode($options['body'], true, 512, JSON_THROW_ON_ERROR);
        same(0, $options['redirection'], 'redirects are not followed');
        $this->got[] = [
            'route' => "{$options['method']} $path",
            'key' => $key,
            'body' => $body,
            'apiKey' => $options['headers']["X-$this->prefix-Key"] ?? '',
        ];
        $before = $this->answered[$key ?? ''] ?? null;
        $answer = match (true) {
            $before === null => $this->answer($options['method'], $path, $body),
            $before['body'] === $body => $before['answer'],
            default => self::refused(422, ['code' => 'idempotency_conflict']),
        };
        if ($key !== null && $answer['status'] === 200) {
            $this->answered[$key] = ['body' => $body, 'answer' => $answer];
        }
        if ($this->loses > 0) {
            $this->loses -= 1;
            return new WP_Error('http_request_failed', 'cURL error 28: Operation timed out');
        }
        return $answer;
    }

    /** @return array{status: int, headers: array<string, string>, body: string} */
    private function answer(string $method, string $path, array $body): array
    {
        if ($this->refusal !== null) {
            [$status, $content] = $this->refusal;
            return self::refused($status, $content);
        }
        if ($path === '/api/merchant') {
            return self::json(200, ['data' => ['merchant_id' => 12345678]]);
        }
        if ("$method $path" === 'POST /api/pay') {
            $reference = 'PY-' . (count($this->payments) + 1);
            $this->payments[$reference] = $body + [
                'reference' => $reference,
                'status' => 'pending',
                'payment_url' => "https://pay.example/checkout?token=$reference",
                'refunds' => [],
            ];
            return self::json(200, ['data' => $this->payments[$reference]]);
        }
        preg_match('#^/api/(?:pay|merchant/payments)/(PY-\d+)(/refund)?$#', $path, $found);
        if (!isset($this->payments[$found[1]])) {
            return self::refused(404, ['code' => 'not_found']);
        }
        if (isset($found[2])) {
            $this->refundElsewhere($found[1], $body['amount']);
        }
        return self::json(200, ['data' => $this->payments[$found[1]]]);
    }

    /** In the dashboard, and not in the shop. */
    public function refundElsewhere(string $reference, string $amount): void
    {
        $refunds = &$this->payments[$reference]['refunds'];
        $id = 'rfd_' . (count($refunds) + 1);
        $refunds[] = ['id' => $id, 'amount' => $amount, 'status' => $this->refundsBecome, 'failure' => null];
    }

    /** The provider says so, later. */
    public function refundFails(string $reference): void
    {
        $refunds = &$this->payments[$reference]['refunds'];
        $last = array_key_last($refunds);
        $refunds[$last] = ['status' => 'failed', 'failure' => ['message' => 'The wallet is full.']] + $refunds[$last];
    }

    private static function refused(int $status, array $content): array
    {
        return self::json($status, ['success' => false, 'message' => 'No', 'request_id' => 'req_1'] + $content);
    }

    private static function json(int $status, array $content): array
    {
        // Amounts are numbers there.
        $text = preg_replace('/"amount":"([\d.]+)"/', '"amount":$1', json_encode($content, JSON_THROW_ON_ERROR));
        return ['status' => $status, 'headers' => ['content-type' => 'application/json'], 'body' => $text];
    }
}

/** @return array{Service, MfukoForWooCommerce\Gateway} a shop with its settings, and the service it asks */
function openShop(array $settings = []): array
{
    Site::reset();
    $service = new Service();
    Site::$http = $service;
    Site::$options['woocommerce_mfuko_settings'] = $settings + [
        'enabled' => 'yes',
        'base_url' => 'https://pay.example',
        'merchant_id' => '12345678',
        'test_mode' => 'yes',
        'test_api_key' => 'svc_test_key',
        'test_client_secret' => SECRET,
        'live_api_key' => 'svc_live_key',
        'live_client_secret' => OTHER_SECRET,
    ];
    return [$service, new MfukoForWooCommerce\Gateway()];
}
