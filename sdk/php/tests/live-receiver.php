<?php

declare(strict_types=1);

// The receiver of the live walk, in PHP's own web server: `/plain` by Incoming::fromGlobals(), `/psr` by the middleware. What
// was worked on is a line of JSON in the file that the test reads. The clock is the test's.

use Mfuko\FileSeen;
use Mfuko\Incoming;
use Mfuko\Notification;
use Mfuko\NotificationMiddleware;
use Mfuko\Receiver;

require __DIR__ . '/../autoload.php';
require __DIR__ . '/psr.php';

$receiver = new Receiver(
    (string) getenv('MFUKO_CLIENT_SECRET'),
    new FileSeen(getenv('RECEIVER_FOLDER') . '/seen'),
    now: fn (): int => (int) getenv('RECEIVER_NOW'),
);
$work = function (Notification $notification): void {
    $told = [$notification->kind, $notification->event, $notification->sequence, $notification->data['amount'] ?? null];
    file_put_contents(getenv('RECEIVER_FOLDER') . '/worked', json_encode($told) . "\n", FILE_APPEND | LOCK_EX);
};
$path = (string) parse_url($_SERVER['REQUEST_URI'], PHP_URL_PATH);
if ($path === '/plain') {
    $receiver->receive(Incoming::fromGlobals(), $work)->send();
    return;
}
$headers = array_map(fn (string $value): array => [$value], getallheaders());
$request = new TestRequest($_SERVER['REQUEST_METHOD'], $path, $headers, (string) file_get_contents('php://input'));
$response = (new NotificationMiddleware($receiver, $work, new TestResponses(), '/psr'))->process($request, new TestNext());
http_response_code($response->status);
echo $response->getBody()->text;
