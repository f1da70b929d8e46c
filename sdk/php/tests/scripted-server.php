<?php

declare(strict_types=1);

// A service that does as it is told. A line on its input is a script: a JSON list of acts, one for each request that comes,
// the last for all that follow. It prints its port first, then each request as a line of JSON, before it answers.
// Acts: {status, headers, body}, {raw: base64}, {do: "hangUp"}, {do: "silence"}. With a file as argument: TLS.

$certificate = $argv[1] ?? null;
$context = stream_context_create(['ssl' => ['local_cert' => $certificate]]);
$flags = STREAM_SERVER_BIND | STREAM_SERVER_LISTEN;
$server = stream_socket_server('tcp://127.0.0.1:0', $number, $text, $flags, $context);
echo substr(strrchr((string) stream_socket_get_name($server, false), ':'), 1), "\n";

$script = [];
$kept = [];
while (true) {
    $readable = [STDIN, $server];
    $none = null;
    stream_select($readable, $none, $none, null);
    if (in_array(STDIN, $readable, true)) {
        $line = fgets(STDIN);
        if ($line === false) {
            exit(0);
        }
        $script = json_decode($line, true);
        $kept = [];
        echo "ready\n";
        continue;
    }
    $connection = stream_socket_accept($server);
    if ($certificate !== null && !@stream_socket_enable_crypto($connection, true, STREAM_CRYPTO_METHOD_TLS_SERVER)) {
        fclose($connection);
        continue;
    }
    $head = '';
    while (($line = fgets($connection)) !== false && trim($line) !== '') {
        $head .= $line;
    }
    if ($head === '') {
        // Only a handshake: who asked did not like our certificate.
        fclose($connection);
        continue;
    }
    $length = preg_match('/^content-length: (\d+)/im', $head, $found) === 1 ? (int) $found[1] : 0;
    $body = $length > 0 ? stream_get_contents($connection, $length) : '';
    echo json_encode(['head' => $head, 'body' => $body], JSON_THROW_ON_ERROR), "\n";
    $act = count($script) > 1 ? array_shift($script) : $script[0];
    if (isset($act['raw'])) {
        fwrite($connection, base64_decode($act['raw']));
    } elseif (isset($act['status'])) {
        $headers = $act['headers'] + ['Content-Length' => (string) strlen($act['body'])];
        $lines = array_map(fn ($name, $value) => "$name: $value\r\n", array_keys($headers), $headers);
        fwrite($connection, "HTTP/1.1 {$act['status']} Said\r\n" . implode('', $lines) . "\r\n{$act['body']}");
    }
    if (($act['do'] ?? $act['then'] ?? '') === 'silence') {
        $kept[] = $connection;
    } else {
        fclose($connection);
    }
}
