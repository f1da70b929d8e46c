<?php

declare(strict_types=1);

// A login lasts: the token is exchanged in time or when it is refused, a lost answer does not end it, and a session that has
// ended is told once. The service itself is asked in php.test.ts; here it is a script.

use Mfuko\Http\HttpRequest;
use Mfuko\Http\HttpResponse;
use Mfuko\Http\Sender;
use Mfuko\Http\SendError;
use Mfuko\MfukoError;
use Mfuko\PlatformClient;

final class ScriptedSender implements Sender
{
    /** @var list<string> */
    public array $got = [];
    /** @var list<string|null> */
    public array $keys = [];

    /** @param list<array{int, array<string, mixed>}|SendError> $answers */
    public function __construct(public array $answers)
    {
    }

    public function send(HttpRequest $request): HttpResponse
    {
        $token = substr($request->headers['Authorization'] ?? '', strlen('Bearer '));
        $this->got[] = parse_url($request->url, PHP_URL_PATH) . ($token === '' ? '' : " $token");
        $this->keys[] = $request->headers['Idempotency-Key'] ?? null;
        $answer = array_shift($this->answers) ?? throw new LogicException('nobody expected this request');
        if ($answer instanceof SendError) {
            throw $answer;
        }
        return new HttpResponse($answer[0], ['content-type' => 'application/json'], json_encode($answer[1], JSON_THROW_ON_ERROR));
    }
}

$signedIn = fn (string $token, int $seconds = 3600) =>
    [200, ['success' => true, 'data' => ['token' => $token, 'expires_in' => $seconds, 'user' => ['handle' => 'amina']]]];
$refused = [401, ['success' => false, 'message' => 'm', 'code' => 'unauthenticated', 'request_id' => 'r']];
$me = [200, ['success' => true, 'data' => ['handle' => 'amina']]];
$open = function (ScriptedSender $sender, array &$told, float &$now, ?string $token = null): PlatformClient {
    return new PlatformClient(
        'https://pay.example',
        token: $token,
        onToken: function (?string $token) use (&$told): void {
            $told[] = $token;
        },
        onSignedOut: function () use (&$told): void {
            $told[] = 'signed out';
        },
        sender: $sender,
        now: function () use (&$now): float {
            return $now;
        },
    );
};

test('a token is exchanged a minute before it ends, and handed out', function () use ($open, $signedIn, $me): void {
    $sender = new ScriptedSender([$signedIn('a', 100), $me, $signedIn('b'), $me]);
    $told = [];
    $now = 0.0;
    $client = $open($sender, $told, $now);
    same(false, $client->isSignedIn());
    same('amina', $client->login(['handle' => 'amina', 'password' => 'x'])['handle']);
    $client->account->me();
    $now = 41.0;
    $client->account->me();
    same(['/api/auth/login', '/api/me a', '/api/auth/refresh', '/api/me b'], $sender->got);
    same(['a', 'b'], $told);
    same(false, str_contains(print_r($client, true), 'Bearer'));
});

test('a refused one is exchanged, and the request sent again', function () use ($open, $signedIn, $refused, $me): void {
    $sender = new ScriptedSender([$refused, $signedIn('b'), $me]);
    $told = [];
    $now = 0.0;
    same('amina', $open($sender, $told, $now, 'a')->account->me()['handle']);
    same(['/api/me a', '/api/auth/refresh', '/api/me b'], $sender->got);
});

$sending = ['recipient' => 'juma', 'amount' => 5000, 'currency' => 'UGX', 'pin' => '2580'];

test('lost, refused, exchanged: one key', function () use ($open, $signedIn, $refused, $me, $sending): void {
    $sender = new ScriptedSender([new SendError('lost'), $refused, $signedIn('b'), $me]);
    $told = [];
    $now = 0.0;
    $open($sender, $told, $now, 'a')->transfers->send($sending);
    same(['/api/send a', '/api/send a', '/api/auth/refresh', '/api/send b'], $sender->got);
    [$first] = $sender->keys;
    same([true, $first, null, $first], [is_string($first), ...array_slice($sender->keys, 1)]);
});

test('who can not exchange it says with which key to go on', function () use ($open, $refused, $sending): void {
    $lost = new SendError('lost');
    $sender = new ScriptedSender([$lost, $refused, $lost, $lost]);
    $told = [];
    $now = 0.0;
    $client = $open($sender, $told, $now, 'a');
    $error = thrown(MfukoError::class, fn () => $client->transfers->send($sending));
    same(['connection_failed', true], [$error->code, is_string($error->idempotencyKey)]);
    same($sender->keys[0], $error->idempotencyKey);
});

test('an answer to the exchange that got lost does not end the session', function () use ($open, $signedIn, $refused, $me): void {
    $sender = new ScriptedSender([$refused, new SendError('lost', isTimeout: true), $signedIn('b'), $me]);
    $told = [];
    $now = 0.0;
    same('amina', $open($sender, $told, $now, 'a')->account->me()['handle']);
});

test('nor one that a proxy answered instead', function () use ($open, $signedIn, $refused, $me): void {
    $sender = new ScriptedSender([$refused, [502, ['error' => 'Bad gateway']], $signedIn('b'), $me]);
    $told = [];
    $now = 0.0;
    same('amina', $open($sender, $told, $now, 'a')->account->me()['handle']);
    same(['b'], $told);
});

test('a session that has ended is told once', function () use ($open, $refused): void {
    $sender = new ScriptedSender([$refused, $refused, $refused]);
    $told = [];
    $now = 0.0;
    $client = $open($sender, $told, $now, 'a');
    same('unauthenticated', thrown(MfukoError::class, fn () => $client->account->me())->code);
    same('unauthenticated', thrown(MfukoError::class, fn () => $client->account->me())->code);
    same([null, 'signed out'], $told);
    same(['/api/me a', '/api/auth/refresh', '/api/me'], $sender->got);
    same(null, $client->resume());
});

test('an exchange in time that finds the session ended tells so, once', function () use ($open, $signedIn, $refused): void {
    $sender = new ScriptedSender([$signedIn('a', 86_400), $refused, $refused, $refused]);
    $told = [];
    $now = 0.0;
    $client = $open($sender, $told, $now);
    $client->login(['handle' => 'amina', 'password' => 'x']);
    $now = 25 * 3_600.0;
    same('unauthenticated', thrown(MfukoError::class, fn () => $client->account->me())->code);
    same('unauthenticated', thrown(MfukoError::class, fn () => $client->account->me())->code);
    same(['a', null, 'signed out'], $told);
    same(['/api/auth/login', '/api/auth/refresh', '/api/me', '/api/me'], $sender->got);
});

test('calls with nothing more to say succeed without data, and only when the service says so', function () use ($open): void {
    $calls = [
        fn (PlatformClient $me) => $me->account->setPin(['pin' => '2580', 'password' => 'x']),
        fn (PlatformClient $me) => $me->account->changePassword(['current_password' => 'x', 'password' => 'y']),
        fn (PlatformClient $me) => $me->account->confirmEmail('123456'),
        fn (PlatformClient $me) => $me->account->resendConfirmation(),
        fn (PlatformClient $me) => $me->account->forgotPassword(['email' => 'amina@mail.example']),
        fn (PlatformClient $me) => $me->account->resetPassword(['code' => '1', 'password' => 'y']),
        fn (PlatformClient $me) => $me->account->endSession('ses_1'),
        fn (PlatformClient $me) => $me->groups->leave('grp_1'),
    ];
    $now = 0.0;
    foreach ($calls as $call) {
        $told = [];
        $said = [[200, ['success' => true, 'message' => 'Done', 'data' => null]], [200, ['status' => 'ok']]];
        $client = $open(new ScriptedSender($said), $told, $now, 'a');
        same(null, $call($client));
        same('unreadable_answer', thrown(MfukoError::class, fn () => $call($client))->code);
    }
});

test('after the log-out nothing is left, also when it had ended already', function () use ($open, $me, $refused): void {
    foreach ([[$me], [$refused, $refused]] as $answers) {
        $told = [];
        $now = 0.0;
        $client = $open(new ScriptedSender($answers), $told, $now, 'a');
        $client->logout();
        same([false, null], [$client->isSignedIn(), $told[0]]);
    }
});
