<?php

declare(strict_types=1);

// A receiver promises: nothing is worked on that is not signed, what comes twice is worked on once, and what failed is worked
// on again; by its functions, by PSR-15, and by plain PHP.

use Mfuko\FileSeen;
use Mfuko\Incoming;
use Mfuko\MemorySeen;
use Mfuko\Notification;
use Mfuko\NotificationError;
use Mfuko\NotificationMiddleware;
use Mfuko\Outcome;
use Mfuko\Receiver;
use Mfuko\Seen;

require_once __DIR__ . '/signing.php';
require_once __DIR__ . '/psr.php';

/** What the application did with notifications. */
final class Work
{
    /** @var list<Notification> */
    public array $worked = [];
    /** @var list<Throwable> */
    public array $errors = [];
    public bool $failsNext = false;

    public function __invoke(Notification $notification): void
    {
        if ($this->failsNext) {
            $this->failsNext = false;
            throw new RuntimeException('the database is away');
        }
        $this->worked[] = $notification;
    }
}

$makers = [
    'receive' => function (Work $work, Seen $seen): Closure {
        $receiver = new Receiver(SECRET, $seen);
        return function (array $sent) use ($receiver, $work): array {
            $outcome = $receiver->receive(new Incoming($sent['headers'], $sent['body']), $work);
            if ($outcome->error !== null) {
                $work->errors[] = $outcome->error;
            }
            return [$outcome->status, $outcome->json()];
        };
    },
    'globals' => function (Work $work, Seen $seen): Closure {
        $receiver = new Receiver(SECRET, $seen);
        return function (array $sent) use ($receiver, $work): array {
            $server = ['REQUEST_METHOD' => 'POST'];
            foreach ($sent['headers'] as $name => $value) {
                $server['HTTP_' . strtoupper(str_replace('-', '_', $name))] = $value;
            }
            $input = newFolder() . '/input';
            file_put_contents($input, $sent['body']);
            $outcome = $receiver->receive(Incoming::fromGlobals($server, $input), $work);
            if ($outcome->error !== null) {
                $work->errors[] = $outcome->error;
            }
            return [$outcome->status, $outcome->json()];
        };
    },
    'PSR-15' => function (Work $work, Seen $seen): Closure {
        $onError = function (Throwable $error) use ($work): void {
            $work->errors[] = $error;
        };
        $middleware = new NotificationMiddleware(new Receiver(SECRET, $seen), $work, new TestResponses(), '/ipn', $onError);
        return function (array $sent) use ($middleware): array {
            $request = new TestRequest('POST', '/ipn', array_map(fn ($value) => [$value], $sent['headers']), $sent['body']);
            // A parser has read it before.
            $request->getBody()->read(10);
            $response = $middleware->process($request, new TestNext());
            return [$response->status, $response->getBody()->text];
        };
    },
];

foreach ($makers as $name => $make) {
    test("$name: a good one is worked on, a second time not", function () use ($make): void {
        $work = new Work();
        $post = $make($work, new MemorySeen());
        $delivery = signed();
        same([200, '{"message":"Received"}'], $post($delivery));
        same([200, '{"message":"Received before"}'], $post($delivery));
        [$notification] = $work->worked;
        same(1, count($work->worked));
        same(
            ['gateway', $delivery['id'], 2, 3, 'payment.completed', 'completed'],
            [$notification->kind, $notification->id, $notification->attempt, $notification->sequence, $notification->event, $notification->status],
        );
        same('https://a.example/☕', $notification->data['ipn_url']);
        same('1250.50', $notification->data['amount']);
    });

    test("$name: two at the same time: one is worked on, the other comes again", function () use ($make): void {
        $work = new Work();
        $seen = new MemorySeen();
        $post = $make($work, $seen);
        $delivery = signed();
        $seen->begin($delivery['id']);
        same([409, '{"message":"Being worked on"}'], $post($delivery));
        same([], $work->worked);
    });

    test("$name: one that could not be worked on is refused, and then worked on", function () use ($make): void {
        $work = new Work();
        $post = $make($work, new MemorySeen());
        $delivery = signed();
        $work->failsNext = true;
        same(500, $post($delivery)[0]);
        same('the database is away', $work->errors[0]->getMessage());
        same(200, $post($delivery)[0]);
        same(1, count($work->worked));
    });

    test("$name: forged, old, empty and unsigned ones are refused", function () use ($make): void {
        $work = new Work();
        $post = $make($work, new MemorySeen());
        $good = signed();
        $again = json_encode(json_decode($good['body']));
        same(true, $again !== $good['body']);
        $wrong = [
            signed(secret: OTHER_SECRET),
            ['body' => str_replace('1250', '1350', $good['body'])] + $good,
            ['body' => $again] + $good,
            signed(age: 301),
            signed(age: -301),
            ['headers' => ['content-type' => 'application/json']] + $good,
            ['body' => ''] + $good,
        ];
        foreach ($wrong as $one) {
            same([403, '{"message":"The signature of the notification is not good"}'], $post($one));
        }
        same(
            ['signature_wrong', 'signature_wrong', 'signature_wrong', 'too_old', 'too_new', 'signature_missing', 'signature_wrong'],
            array_map(fn (NotificationError $error) => $error->reason, $work->errors),
        );
        same($good['id'], $work->errors[1]->webhookId);
        same([], $work->worked);
    });

    test("$name: one that is far too large is not read", function () use ($make): void {
        $post = $make(new Work(), new MemorySeen());
        same(413, $post(signed(body: json_encode(['a' => str_repeat('x', 300 * 1024)])))[0]);
    });
}

test('PSR-15: what is for others is handed on', function (): void {
    $middleware = new NotificationMiddleware(new Receiver(SECRET, new MemorySeen()), new Work(), new TestResponses(), '/ipn');
    foreach ([['GET', '/ipn'], ['POST', '/other']] as [$method, $path]) {
        same(299, $middleware->process(new TestRequest($method, $path, [], ''), new TestNext())->status);
    }
    same(403, $middleware->handle(new TestRequest('POST', '/anything', [], ''))->status, 'as the handler of a route');
});

$callback = json_encode([
    'event' => 'payment.failed',
    'id' => 'msg_forged',
    'kind' => 'gateway',
    'data' => ['reference' => 'PY-1', 'amount' => 1.5, 'currency' => 'KES'],
    'error' => ['code' => 'expired', 'message' => 'm', 'retryable' => true],
]);

test('a callback, whose fields can not pretend to be ours', function () use ($callback): void {
    $delivery = signed(body: $callback);
    $read = (new Receiver(SECRET))->read(new Incoming($delivery['headers'], $delivery['body']));
    same(
        ['callback', $delivery['id'], 'payment.failed', 'expired', '1.5', null],
        [$read->kind, $read->id, $read->event, $read->error['code'], $read->data['amount'], $read->status],
    );
});

test('with the body signature alone, equal bodies are the same one, whatever id they claim', function () use ($callback): void {
    $work = new Work();
    $receiver = new Receiver(SECRET, new MemorySeen(), signature: 'body');
    $post = fn (array $sent) => $receiver->receive(new Incoming($sent['headers'], $sent['body']), $work)->message;
    same('Received', $post(signed(body: $callback, id: 'msg_a')));
    same('Received before', $post(signed(body: $callback, id: 'msg_b', age: 99_999)));
});

test('while a secret is replaced, both are good', function (): void {
    $receiver = new Receiver([SECRET, OTHER_SECRET]);
    foreach ([SECRET, OTHER_SECRET] as $secret) {
        $delivery = signed(secret: $secret);
        $receiver->read(new Incoming($delivery['headers'], $delivery['body']));
    }
});

test('a header that came twice counts as none', function (): void {
    ['headers' => $headers, 'body' => $body] = signed();
    $doubled = ['webhook-signature' => [$headers['webhook-signature'], 'v1,x']] + $headers;
    $read = fn () => (new Receiver(SECRET))->read(new Incoming($doubled, $body));
    same('signature_missing', thrown(NotificationError::class, $read)->reason);
});

test('wrong settings are told at once', function (): void {
    foreach (['', 'whsec_', 'whsec_c2hvcnQ=', 'svc_test_key', [], [SECRET, '']] as $wrong) {
        matches('/clientSecret/', thrown(InvalidArgumentException::class, fn () => new Receiver($wrong))->getMessage());
    }
    thrown(InvalidArgumentException::class, fn () => new Receiver(SECRET, signature: 'none'));
    $receive = fn () => (new Receiver(SECRET))->receive(new Incoming([], ''), fn () => null);
    matches('/PHP forgets/', thrown(LogicException::class, $receive)->getMessage());
    same(false, str_contains(print_r(new Receiver(SECRET), true), SECRET), 'a dump shows no secret');
});

test('what is logged is one line, whatever id was claimed', function (): void {
    $log = newFolder() . '/log';
    $before = ini_set('error_log', $log);
    ob_start();
    (new Outcome(403, 'No', new NotificationError('signature_wrong', "msg_1\nforged line")))->send();
    same('{"message":"No"}', ob_get_clean());
    ini_set('error_log', (string) $before);
    same(1, substr_count((string) file_get_contents($log), "\n"));
});
