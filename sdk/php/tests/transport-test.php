<?php

declare(strict_types=1);

// A request promises: the key that makes it happen once is made before the first try and is the same in all of them; what
// may have happened is not asked for again without one; a credential goes to the host that was named and nowhere else; and
// whatever happens is a MfukoError that says so. With sockets, and with ext-curl where it is loaded.

use Mfuko\Http\CurlSender;
use Mfuko\Http\HttpRequest;
use Mfuko\Http\SendError;
use Mfuko\Http\SocketSender;
use Mfuko\MerchantClient;
use Mfuko\MfukoError;
use Mfuko\Page;
use Mfuko\Retry;
use Mfuko\Sent;
use Mfuko\Transport;

require_once __DIR__ . '/ScriptedService.php';

$service = new ScriptedService();
$json = fn (int $status, array $body, array $headers = []) => [
    'status' => $status,
    'headers' => ['Content-Type' => 'application/json; charset=utf-8'] + $headers,
    'body' => json_encode($body, JSON_THROW_ON_ERROR),
];
$raw = fn (string $text, ?string $then = null) => ['raw' => base64_encode($text), 'then' => $then];
$fine = $json(200, ['success' => true, 'message' => 'Payment created', 'data' => ['reference' => 'PY-1']]);
$refusal = fn (string $code) => ['success' => false, 'message' => 'No', 'code' => $code, 'request_id' => 'req_1'];
$away = $json(503, $refusal('unavailable'));
$hangUp = ['do' => 'hangUp'];
$silence = ['do' => 'silence'];
$order = ['amount' => 5000, 'currency' => 'UGX'];
$failure = fn (callable $call): MfukoError => thrown(MfukoError::class, $call);
$keys = fn (): array => array_map(fn ($one) => $one['headers']['idempotency-key'] ?? null, $service->got());

$senders = ['sockets' => new SocketSender()] + (extension_loaded('curl') ? ['curl' => new CurlSender()] : []);
foreach ($senders as $name => $sender) {
    $shop = new MerchantClient("http://$service->host", 'svc_test_key', 12345678, timeout: 2.0, sender: $sender);
    /** What a transport does, without the waits. */
    $waits = [];
    $patient = new Transport(
        "http://$service->host",
        fn () => ['X-SVC-Key' => 'svc_test_key'],
        sender: $sender,
        pause: function (float $seconds) use (&$waits): void {
            $waits[] = $seconds;
        },
    );
    $pay = new Sent('POST', '/api/pay', body: $order);

    test("$name: a payment is asked for with one key, however often", function () use ($service, $patient, $pay, $hangUp, $away, $fine): void {
        $service->does($hangUp, $away, $fine);
        same('PY-1', $patient->send($pay)['data']['reference']);
        $got = $service->got();
        $found = array_map(fn ($one) => $one['headers']['idempotency-key'], $got);
        matches('/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/', $found[0]);
        same([$found[0], $found[0], $found[0]], $found);
        same(['{"amount":5000,"currency":"UGX"}'], array_values(array_unique(array_column($got, 'body'))));
        same('mfuko-php/1.0.0', $got[0]['headers']['user-agent']);
    });

    test("$name: the caller's own key is used, and each call has another one without", function () use ($service, $shop, $order, $fine, $keys): void {
        $service->does($fine);
        $shop->pay($order, idempotencyKey: 'order-1001');
        $shop->pay($order);
        $shop->request('POST', '/api/merchant/payments/PY-1/refund');
        $found = $keys();
        same('order-1001', $found[0]);
        same(3, count(array_unique(array_filter($found))));
        thrown(InvalidArgumentException::class, fn () => $shop->pay($order, idempotencyKey: ''));
        same([], $service->got());
    });

    test("$name: after three tries it gives up, and says with which key to go on", function () use ($service, $patient, $pay, $hangUp, $failure, $keys, &$waits): void {
        $service->does($hangUp);
        $waits = [];
        $error = $failure(fn () => $patient->send($pay));
        $found = $keys();
        same(['connection_failed', 0, 3], [$error->code, $error->status, count($found)]);
        same($found[0], $error->idempotencyKey);
        same(true, $error->getPrevious() instanceof SendError);
        same(2, count($waits));
        same(true, $waits[0] >= 0.25 && $waits[0] <= 0.5 && $waits[1] >= 0.5 && $waits[1] <= 1.0);
    });

    test("$name: as often as it was told to", function () use ($service, $shop, $order, $away, $failure): void {
        $service->does($away);
        $error = $failure(fn () => $shop->with(retries: 0)->pay($order));
        same(['unavailable', 503, 'req_1', 1], [$error->code, $error->status, $error->requestId, count($service->got())]);
    });

    test("$name: what takes no key and changes something is tried once", function () use ($service, $patient, $hangUp, $failure, $keys): void {
        $service->does($hangUp);
        $failure(fn () => $patient->send(new Sent('POST', '/api/merchant/notifications/:id/replay', ['id' => 'msg_1'])));
        same([null], $keys());
    });

    test("$name: a look is repeated, without a key; a refusal is not", function () use ($service, $patient, $pay, $away, $fine, $json, $refusal, $failure, $keys): void {
        $service->does($away, $fine);
        $patient->send(new Sent('GET', '/api/pay/:reference', ['reference' => 'PY-1']));
        same([null, null], $keys());
        $service->does($json(422, $refusal('validation_failed') + ['errors' => ['amount' => 'Amount must be greater than 0']]));
        $error = $failure(fn () => $patient->send($pay));
        same(['validation_failed', ['amount' => 'Amount must be greater than 0'], 1], [$error->code, $error->errors, count($service->got())]);
    });

    test("$name: who is told to wait a second does so; who is told to wait an hour says so", function () use ($service, $patient, $pay, $fine, $json, $refusal, $failure, &$waits): void {
        $service->does($json(429, $refusal('rate_limited'), ['Retry-After' => '1']), $fine);
        $waits = [];
        $patient->send(new Sent('POST', '/api/merchant/notifications/:id/replay', ['id' => 'msg_1']));
        same([1.0], $waits);
        $service->does($json(429, $refusal('rate_limited'), ['Retry-After' => '3600']));
        $error = $failure(fn () => $patient->send($pay));
        same(['rate_limited', 3600, 1], [$error->code, $error->retryAfterSeconds, count($service->got())]);
    });

    test("$name: silence, and silence in the middle of an answer, have timed out", function () use ($service, $shop, $order, $raw, $silence, $failure): void {
        $hasty = $shop->with(timeout: 0.1, retries: 0);
        $head = "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 99\r\n\r\n";
        foreach ([$silence, $raw($head . '{"succ', 'silence'), $raw('HTTP/1.1 200 O', 'silence')] as $act) {
            $service->does($act);
            $error = $failure(fn () => $hasty->pay($order));
            same(['timed_out', 0], [$error->code, $error->status]);
        }
    });

    test("$name: a connection that breaks in the middle of an answer is no answer", function () use ($service, $shop, $raw, $failure): void {
        foreach (["Content-Length: 99\r\n\r\n{}", "Transfer-Encoding: chunked\r\n\r\n5\r\n{\"su"] as $rest) {
            $service->does($raw("HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n$rest"));
            same('connection_failed', $failure(fn () => $shop->with(retries: 0)->profile())->code);
        }
    });

    test("$name: answers in pieces, after an interim one, and up to the end of the connection", function () use ($service, $shop, $raw): void {
        $head = "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n";
        $bodies = [
            "HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n{$head}Content-Length: 18\r\n\r\n{\"data\":{\"a\":1.5}}",
            "{$head}Transfer-Encoding: chunked\r\n\r\n9;x=y\r\n{\"data\":{\r\n8\r\n\"a\":1.5}\r\n1\r\n}\r\n0\r\n\r\n",
            "{$head}\r\n{\"data\":{\"a\":1.5}}",
        ];
        foreach ($bodies as $body) {
            $service->does($raw($body));
            same(['a' => '1.5'], $shop->profile());
        }
    });

    test("$name: answers of somebody else on the way, and JSON that is none", function () use ($service, $shop, $order, $raw, $failure): void {
        $service->does(['status' => 500, 'headers' => ['Content-Type' => 'text/html'], 'body' => '<h1>Oops</h1>']);
        $error = $failure(fn () => $shop->pay($order));
        same(['unreadable_answer', 500], [$error->code, $error->status]);
    });

    test("$name: a success that is not the service's own is told with the key, and not repeated", function () use ($service, $shop, $order, $failure, $keys): void {
        $rows = ['text/html' => ['<h1>We are back soon</h1>', '']]
            + ['application/json' => ['{"succ', '[]', 'null', '"ok"', '{"data":1}', '{"success":true}', '']];
        $start = ['payment_amount' => 5000, 'currency_code' => 'UGX', 'ref_trx' => 'ORDER-1'];
        foreach ($rows as $type => $bodies) {
            foreach ($bodies as $body) {
                $service->does(['status' => 200, 'headers' => ['Content-Type' => $type], 'body' => $body]);
                $error = $failure(fn () => $shop->pay($order));
                same(['unreadable_answer', 200, $keys()], [$error->code, $error->status, [$error->idempotencyKey]], $body);
                if (!str_starts_with($body, '{"data') && !str_starts_with($body, '{"success')) {
                    $error = $failure(fn () => $shop->initiatePayment($start));
                    same(['unreadable_answer', $keys()], [$error->code, [$error->idempotencyKey]], $body);
                    same('unreadable_answer', $failure(fn () => $shop->events())->code, $body);
                }
                foreach ([fn () => $shop->profile(), fn () => $shop->payments->list()] as $look) {
                    same('unreadable_answer', $failure($look)->code, $body);
                }
            }
        }
    });

    test("$name: text where text is asked for, whatever it looks like", function () use ($service, $sender): void {
        $me = new Mfuko\PlatformClient("http://$service->host", token: 'a', sender: $sender);
        foreach (['text/csv' => "a,b\n", 'application/json' => '{"a":1}'] as $type => $text) {
            $service->does(['status' => 200, 'headers' => ['Content-Type' => $type], 'body' => $text]);
            same([$text, $text], [$me->transactions->csv(), $me->transactions->receipt('TX-1')]);
            same($text, $me->request('GET', '/api/transactions/TX-1/receipt'));
        }
    });

    test("$name: redirects are not followed: the key stays with the host that was named", function () use ($service, $shop, $order, $failure): void {
        $other = new ScriptedService();
        $other->does(['status' => 200, 'headers' => [], 'body' => '{}']);
        $service->does(['status' => 307, 'headers' => ['Location' => "http://$other->host/"], 'body' => '']);
        same('connection_failed', $failure(fn () => $shop->pay($order))->code);
        same([], $other->got());
        same(1, count($service->got()));
    });

    test("$name: an answer that is far too large is not read", function () use ($service, $sender, $raw): void {
        $ask = fn () => $sender->send(new HttpRequest('GET', "http://$service->host/", [], null, 2.0, 2.0, 100));
        $long = str_repeat('x', 101);
        foreach (["Content-Length: 101\r\n\r\n$long", "Transfer-Encoding: chunked\r\n\r\n65\r\n$long\r\n0\r\n\r\n", "\r\n$long"] as $rest) {
            $service->does($raw("HTTP/1.1 200 OK\r\n$rest"));
            $error = thrown(SendError::class, $ask);
            same([true, 200], [$error->isTooLarge, $error->status], 'so that it is not asked for again');
        }
        $service->does($raw("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n" . substr($long, 1)));
        same(100, strlen($ask()->body));
    });

    test("$name: nobody there is a failed connection", function () use ($failure, $sender): void {
        $place = stream_socket_server('tcp://127.0.0.1:0');
        $host = stream_socket_get_name($place, false);
        fclose($place);
        $shop = new MerchantClient("http://$host", 'svc_test_key', retries: 0, sender: $sender);
        same('connection_failed', $failure(fn () => $shop->profile())->code);
    });

    test("$name: pages of a list, one item after the other", function () use ($service, $shop, $json): void {
        $list = fn (array $items, ?string $next) =>
            $json(200, ['success' => true, 'message' => '', 'data' => $items, 'meta' => ['next_cursor' => $next]]);
        $service->does($list([['n' => 1], ['n' => 2]], 'b'), $list([], 'c'), $list([['n' => 3]], null));
        $page = $shop->payments->list(['limit' => 2, 'status' => null]);
        same([2, 'b'], [count($page), $page->nextCursor]);
        same([1, 2], array_column(iterator_to_array($page), 'n'));
        same([1, 2, 3], array_column(iterator_to_array($page->each(), false), 'n'));
        $queries = array_map(fn ($one) => explode('?', explode(' ', $one['line'])[1])[1], $service->got());
        same(['limit=2', 'cursor=b&limit=2', 'cursor=c&limit=2'], $queries);
    });

    test("$name: requests show who is calling, each interface in its own headers", function () use ($service, $shop, $json): void {
        $service->does($json(200, ['data' => []]));
        $shop->verifyPayment('ORDER 1/2?');
        $shop->payment('PY-1');
        [$gateway, $pay] = $service->got();
        same('GET /api/v1/verify-payment/ORDER%201%2F2%3F HTTP/1.1', $gateway['line']);
        $shown = fn (array $one) => array_intersect_key($one['headers'], ['svc-merchant-key' => 1, 'svc-api-key' => 1, 'x-svc-key' => 1]);
        same(['svc-merchant-key' => '12345678', 'svc-api-key' => 'svc_test_key'], $shown($gateway));
        same(['x-svc-key' => 'svc_test_key'], $shown($pay));
    });
}

test('a list has as many pages as it has; one that leads in circles is told, and not walked for ever', function () use ($failure): void {
    $long = function (string $cursor) use (&$long): Page {
        return new Page([[]], $cursor === '10001' ? null : (string) ((int) $cursor + 1), $long);
    };
    same(10_002, iterator_count($long('0')->each()));
    $circle = function (string $cursor) use (&$circle): Page {
        return new Page([[]], $cursor === 'b' ? 'c' : 'b', $circle);
    };
    $seen = 0;
    $error = $failure(function () use ($circle, &$seen): void {
        foreach ($circle('')->each() as $_) {
            $seen++;
        }
    });
    same(['unreadable_answer', 3], [$error->code, $seen]);
});

test('the waits grow, and are never the same for all', function (): void {
    $waits = array_map(fn (int $tries) => [Retry::wait($tries, null, 0.0), Retry::wait($tries, null, 1.0)], [1, 2, 3]);
    same([[0.25, 0.5], [0.5, 1.0], [1.0, 2.0]], $waits);
    same(Retry::PATIENCE, Retry::wait(99, null, 1.0));
    same(10.0, Retry::wait(1, 10, 0.0));
    same(null, Retry::wait(1, 11, 0.0));
});

/** @return string a file with a key and a certificate for localhost that nobody vouches for */
$newCertificate = function (): string {
    $file = newFolder() . '/certificate.pem';
    $config = "$file.cnf";
    $own = "[own]\nsubjectAltName=DNS:localhost\nbasicConstraints=CA:TRUE\n";
    file_put_contents($config, "[req]\ndistinguished_name=dn\n[dn]\n$own");
    $options = ['config' => $config, 'x509_extensions' => 'own', 'digest_alg' => 'sha256', 'private_key_bits' => 2048];
    $key = openssl_pkey_new(['private_key_type' => OPENSSL_KEYTYPE_EC, 'curve_name' => 'prime256v1'] + $options);
    $request = openssl_csr_new(['commonName' => 'localhost'], $key, $options);
    openssl_x509_export(openssl_csr_sign($request, null, $key, 1, $options, random_int(1, 99_999)), $certificate);
    openssl_pkey_export($key, $private, null, $options);
    file_put_contents($file, $certificate . $private);
    file_put_contents("$file.none", '');
    return $file;
};

/** In a process of its own, since who is trusted is a setting of php.ini. */
$askOverTls = function (string $baseUrl, string $class, string $trusted): string {
    $autoload = var_export(dirname(__DIR__) . '/autoload.php', true);
    $code = "require $autoload;"
        . "\$shop = new Mfuko\\MerchantClient('$baseUrl', 'svc_live_x', retries: 0, sender: new $class());"
        . 'try { echo json_encode($shop->profile()); } catch (Mfuko\MfukoError $error) { echo $error->code; }';
    $command = [PHP_BINARY, '-d', "openssl.cafile=$trusted", '-d', "curl.cainfo=$trusted", '-r', $code];
    return (string) shell_exec(implode(' ', array_map('escapeshellarg', $command)));
};

test('https: who shows no certificate that somebody vouches for gets nothing', function () use ($json, $newCertificate, $askOverTls): void {
    if (!extension_loaded('openssl')) {
        return;
    }
    $file = $newCertificate();
    $service = new ScriptedService($file);
    $service->does($json(200, ['data' => ['a' => 1]]));
    $port = explode(':', $service->host)[1];
    foreach ([SocketSender::class, ...(extension_loaded('curl') ? [CurlSender::class] : [])] as $class) {
        same('connection_failed', $askOverTls("https://localhost:$port", $class, "$file.none"), 'not vouched for');
        same('connection_failed', $askOverTls("https://127.0.0.1:$port", $class, $file), 'of another host');
        same([], $service->got());
        same('{"a":1}', $askOverTls("https://localhost:$port", $class, $file));
        same(1, count($service->got()));
    }
});

test('what can not be part of a path is no name', function () use ($service): void {
    $shop = new MerchantClient("http://$service->host", 'svc_test_key');
    foreach (['', '.', '..'] as $name) {
        thrown(InvalidArgumentException::class, fn () => $shop->payment($name));
    }
    foreach (['/api/../x', 'api/pay', '/api/pay?x=1', "/api/pay\r\nX: 1", '/api//pay'] as $path) {
        thrown(InvalidArgumentException::class, fn () => $shop->request('GET', $path));
    }
    same([], $service->got());
});

test('a value can not begin a header of its own, nor be nothing, which curl would not send', function (): void {
    foreach (["a\r\nY: b", "a\nY: b", ''] as $wrong) {
        $make = fn () => new HttpRequest('GET', 'http://localhost/', ['X' => $wrong], null, 1.0, 1.0, 100);
        thrown(InvalidArgumentException::class, $make);
    }
});

test('wrong settings are told at once', function (): void {
    $make = fn (string $baseUrl, string $apiKey) => fn () => new MerchantClient($baseUrl, $apiKey);
    $said = fn (callable $make) => thrown(InvalidArgumentException::class, $make)->getMessage();
    matches('/apiKey is missing/', $said($make('http://localhost', '')));
    matches('/not an address/', $said($make('pay.example', 'svc_test_x')));
    matches('/baseUrl is/', $said($make('https://user@pay.example', 'svc_test_x')));
    matches('/baseUrl is/', $said($make('ftp://pay.example', 'svc_test_x')));
    matches('/https only/', $said($make('http://pay.example', 'svc_live_x')));
    matches('/https only/', $said($make('HTTP://pay.example', 'svc_live_x')));
    $make('http://localhost:8080', 'svc_live_x')();
    $make('https://pay.example/', 'svc_live_x')();
    $nameless = $make('http://localhost:1', 'svc_test_x')();
    matches('/merchantId/', $said(fn () => $nameless->verifyPayment('x')));
    same(false, str_contains(print_r($nameless, true), 'svc_test_x'), 'a dump shows no key');
});

test('keys are never the same', function (): void {
    same(1000, count(array_unique(array_map(fn () => Retry::newIdempotencyKey(), range(1, 1000)))));
});

test('the routes that take a key are those of the description, and every route that is called is there', function (): void {
    $document = json_decode((string) file_get_contents(__DIR__ . '/../../../docs/reference/openapi.json'), true);
    $known = [];
    $keyed = [];
    foreach ($document['paths'] as $path => $operations) {
        foreach ($operations as $method => $operation) {
            $route = strtoupper($method) . ' ' . preg_replace('/\{(\w+)\}/', ':$1', $path);
            $known[] = $route;
            $names = array_map(fn ($one) => strtolower($one['name'] ?? ''), $operation['parameters'] ?? []);
            if (in_array('idempotency-key', $names, true)) {
                $keyed[] = $route;
            }
        }
    }
    same([], array_values(array_diff($keyed, Transport::KEYED_ROUTES)));
    same([], array_values(array_diff(Transport::KEYED_ROUTES, $keyed)));
    $called = [];
    foreach ([...glob(__DIR__ . '/../src/*.php'), ...glob(__DIR__ . '/../src/Calls/*.php')] as $file) {
        $code = (string) file_get_contents($file);
        preg_match_all("#'(GET|POST|PUT|PATCH|DELETE)',\s*'(/api/[^']+)'#", $code, $calls, PREG_SET_ORDER);
        preg_match_all("#page\('(/api/[^']+)'#", $code, $pages);
        $called = [...$called, ...array_map(fn ($one) => "$one[1] $one[2]", $calls), ...array_map(fn ($one) => "GET $one", $pages[1])];
    }
    same(true, count($called) > 60, (string) count($called));
    same([], array_values(array_diff($called, $known)));
});

test('what is read from an answer is what the description has there: data, a whole answer, text or nothing', function (): void {
    $document = json_decode((string) file_get_contents(__DIR__ . '/../../../docs/reference/openapi.json'), true);
    $right = [];
    foreach ($document['paths'] as $path => $operations) {
        foreach ($operations as $method => $operation) {
            $content = current(array_filter($operation['responses'], fn ($status) => $status < 300, ARRAY_FILTER_USE_KEY))['content'];
            $fields = $content['application/json']['schema']['properties'] ?? null;
            $right[strtoupper($method) . ' ' . preg_replace('/\{(\w+)\}/', ':$1', $path)] = match (true) {
                $fields === null => 'text',
                !isset($fields['data']) => 'whole',
                default => $fields['data']['type'] === 'null' ? 'done' : 'data',
            };
        }
    }
    $count = 0;
    foreach ([...glob(__DIR__ . '/../src/*.php'), ...glob(__DIR__ . '/../src/Calls/*.php')] as $file) {
        $pattern = "#api->(\w+)\(\s*'(GET|POST|PUT|PATCH|DELETE)',\s*'(/api/[^']+)'#";
        preg_match_all($pattern, (string) file_get_contents($file), $calls, PREG_SET_ORDER);
        foreach ($calls as [, $how, $method, $path]) {
            // The events say in `meta` where to go on.
            $isRight = $right["$method $path"] === $how || [$how, $path] === ['whole', '/api/merchant/events'];
            same(true, $isRight, "$method $path is read as $how, but it is {$right["$method $path"]}");
            $count++;
        }
    }
    same(true, $count > 50, (string) $count);
    same(array_keys($right, 'text', true), Transport::TEXT_ROUTES);
});
