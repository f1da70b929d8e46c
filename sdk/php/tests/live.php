<?php

declare(strict_types=1);

// The library against the service itself, started by php.test.ts. Paying is for a customer, in the pages of the checkout:
// this program prints `pay <url>` and waits for a line that says it is done. The facts are printed at the end as JSON.

use Mfuko\MerchantClient;
use Mfuko\MfukoError;
use Mfuko\PlatformClient;

require __DIR__ . '/../autoload.php';

$customerPays = function (string $url): void {
    echo "pay $url\n";
    fgets(STDIN);
};
$failure = function (callable $call): array {
    try {
        $call();
        return ['nothing failed'];
    } catch (MfukoError $error) {
        return [$error->code, $error->status, array_keys($error->errors), $error->attemptsLeft, $error->idempotencyKey];
    }
};
$facts = [];

$baseUrl = (string) getenv('MFUKO_URL');
$shop = new MerchantClient($baseUrl, (string) getenv('MFUKO_API_KEY'), (string) getenv('MFUKO_MERCHANT_ID'));
$started = $shop->initiatePayment([
    'payment_amount' => '1250.50',
    'currency_code' => 'KES',
    'ref_trx' => 'PHP-1',
    'ipn_url' => getenv('RECEIVER_URL') . '/psr',
]);
$facts['initiated'] = [$started['info']['ref_trx'], $started['info']['amount'], $shop->verifyPayment('PHP-1')['status']];
$customerPays($started['payment_url']);
$verified = $shop->verifyPayment('PHP-1');
$facts['verified'] = [$verified['status'], $verified['amount'], $verified['mode']];

$order = ['amount' => 56000, 'currency' => 'UGX', 'callback_url' => getenv('RECEIVER_URL') . '/plain'];
$payment = $shop->pay($order, idempotencyKey: 'php-order-2');
$facts['the same again'] = $shop->pay($order, idempotencyKey: 'php-order-2')['reference'] === $payment['reference'];
$customerPays($payment['payment_url']);
$refund = $shop->payments->refund($payment['reference'], ['amount' => 6000, 'reason' => 'One bag was torn']);
$facts['refunded'] = [$refund['status'], $refund['refunded_amount'], count($shop->payments->get($payment['reference'])['refunds'])];
$facts['listed'] = count(iterator_to_array($shop->payments->list(['limit' => 1])->each(), false));
$facts['profile'] = (string) $shop->profile()['merchant_id'] === getenv('MFUKO_MERCHANT_ID');
$facts['volume'] = $shop->volume(['currency' => 'UGX'])['totals']['accepted']['count'];
$facts['earned'] = array_column($shop->balances(), 'currency');
// An event is shown when all that began before it have ended, and the service also writes by itself.
for ($tries = 0; $tries < 300 && count($shop->events()['data']) === 0; $tries++) {
    usleep(100_000);
}
$facts['told'] = count($shop->notifications->list()->items) > 0 && count($shop->events()['data']) > 0;
$facts['wrong fields'] = $failure(fn () => $shop->pay(['amount' => 0, 'currency' => 'UGX'], idempotencyKey: 'zero'));
$facts['conflict'] = $failure(fn () => $shop->pay(['amount' => 57000] + $order, idempotencyKey: 'php-order-2'));
$facts['not found'] = $failure(fn () => $shop->payment('PY-00000-00000-000'))[0];
$facts['stranger'] = $failure(fn () => (new MerchantClient($baseUrl, 'svc_test_nobody'))->profile())[0];

$tokens = [];
$me = new PlatformClient($baseUrl, onToken: function (?string $token) use (&$tokens): void {
    $tokens[] = $token;
});
$facts['signed in'] = $me->login(['handle' => getenv('MFUKO_HANDLE'), 'password' => getenv('MFUKO_PASSWORD')])['handle'];
$send = ['recipient' => getenv('MFUKO_RECIPIENT'), 'amount' => 10000, 'currency' => 'UGX'];
$preview = $me->transfers->preview($send);
$facts['preview'] = [$preview['fee'], $preview['recipient_gets']];
$send['pin'] = getenv('MFUKO_PIN');
$sent = $me->transfers->send($send, idempotencyKey: 'form-1');
$facts['sent once'] = $me->transfers->send($send, idempotencyKey: 'form-1') === $sent;
$facts['wallet'] = $me->wallets->list()[0]['balance'];
$facts['history'] = array_column($me->transactions->list(['type' => 'transfer'])->items, 'reference') === [$sent['reference']];
$facts['csv'] = str_contains($me->transactions->csv(), $sent['reference']);
$facts['recipient'] = $me->transfers->lookUp((string) getenv('MFUKO_RECIPIENT'))['handle'] === getenv('MFUKO_RECIPIENT');
$facts['wrong pin'] = array_slice($failure(fn () => $me->transfers->send(['pin' => '0000'] + $send, 'form-2')), 0, 4);
$roof = ['name' => 'A roof', 'currency' => 'UGX', 'kind' => 'goal', 'goal_amount' => 900000, 'visibility' => 'private'];
$group = $me->groups->create($roof, idempotencyKey: 'roof');
$facts['one group'] = $me->groups->create($roof, idempotencyKey: 'roof') === $group && count($me->groups->list()->items) === 1;
$well = ['title' => 'A well', 'story' => 'Our pupils walk far for water.', 'currency' => 'UGX', 'goal_amount' => 500000];
$campaign = $me->campaigns->create($well, idempotencyKey: 'well');
$facts['one campaign'] = $me->campaigns->create($well, idempotencyKey: 'well') === $campaign;
$facts['nothing to take'] = $failure(fn () => $me->campaigns->previewWithdrawal($campaign['id']))[0];
$out = ['amount' => 5000, 'currency' => 'UGX', 'method' => 'mtn', 'phone' => '+256772000001'];
$facts['no provider here'] = $failure(fn () => $me->funding->previewWithdrawal($out))[2];
$elsewhere = new PlatformClient($baseUrl);
$elsewhere->login(['handle' => getenv('MFUKO_HANDLE'), 'password' => getenv('MFUKO_PASSWORD')]);
foreach ($me->account->sessions()->each() as $session) {
    if (!$session['current']) {
        $me->account->endSession($session['id']);
    }
}
$facts['ended from here'] = $failure(fn () => $elsewhere->account->me())[0];
$facts['resumed'] = $me->resume()['handle'];
$next = new PlatformClient($baseUrl, token: end($tokens));
$facts['in the next request'] = $next->account->me()['handle'];
$next->logout();
$facts['after the log-out'] = $failure(fn () => $me->account->me())[0];
echo json_encode($facts, JSON_THROW_ON_ERROR), "\n";
