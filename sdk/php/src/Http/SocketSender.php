<?php

declare(strict_types=1);

namespace Mfuko\Http;

/**
 * With what every PHP has: one connection a request. Not by PHP's own `http://` streams, since those can't bound the time of
 * a whole answer, and don't tell silence from refusal.
 */
final class SocketSender implements Sender
{
    private const HEAD_MOST = 65_536;
    private const CHUNK_LINE_MOST = 1_024;

    public function send(HttpRequest $request): HttpResponse
    {
        $deadline = microtime(true) + $request->timeout;
        $socket = self::connect($request, $deadline);
        try {
            stream_set_blocking($socket, false);
            self::write($socket, self::messageOf($request), $deadline);
            return self::read($socket, $request->bytesMost, $deadline);
        } finally {
            fclose($socket);
        }
    }

    /** @return resource */
    private static function connect(HttpRequest $request, float $deadline)
    {
        $parts = parse_url($request->url);
        $isSecure = ($parts['scheme'] ?? '') === 'https';
        if ($isSecure && !extension_loaded('openssl')) {
            throw new SendError('https needs ext-curl or ext-openssl');
        }
        $host = $parts['host'] ?? '';
        $address = ($isSecure ? 'tls' : 'tcp') . "://$host:" . ($parts['port'] ?? ($isSecure ? 443 : 80));
        $context = stream_context_create(['ssl' => ['peer_name' => trim($host, '[]'), 'SNI_enabled' => true]]);
        $limit = max(0.001, min($request->connectTimeout, $deadline - microtime(true)));
        $before = microtime(true);
        [$socket, $reason] = self::quietly(
            static fn () => stream_socket_client($address, $_, $_, $limit, STREAM_CLIENT_CONNECT, $context),
        );
        if ($socket === false) {
            throw new SendError($reason, isTimeout: microtime(true) - $before >= $limit);
        }
        return $socket;
    }

    private static function messageOf(HttpRequest $request): string
    {
        $parts = parse_url($request->url);
        $host = ($parts['host'] ?? '') . (isset($parts['port']) ? ":{$parts['port']}" : '');
        $target = ($parts['path'] ?? '/') . (isset($parts['query']) ? "?{$parts['query']}" : '');
        $headers = ['Host' => $host, 'Connection' => 'close'] + $request->headers;
        if ($request->body !== null) {
            $headers['Content-Length'] = (string) strlen($request->body);
        }
        $lines = ["$request->method $target HTTP/1.1"];
        foreach ($headers as $name => $value) {
            $lines[] = "$name: $value";
        }
        return implode("\r\n", $lines) . "\r\n\r\n" . $request->body;
    }

    /** @param resource $socket */
    private static function write($socket, #[\SensitiveParameter] string $text, float $deadline): void
    {
        for ($at = 0; $at < strlen($text);) {
            self::await([], [$socket], $deadline);
            [$written] = self::quietly(static fn () => fwrite($socket, substr($text, $at, 65_536)));
            if ($written === false || ($written === 0 && feof($socket))) {
                throw new SendError('The connection broke while the request was sent');
            }
            $at += $written;
        }
    }

    /** @param resource $socket */
    private static function read($socket, int $bytesMost, float $deadline): HttpResponse
    {
        $text = '';
        $more = static function () use ($socket, &$text, $deadline): bool {
            [$part] = self::quietly(static fn () => fread($socket, 65_536));
            if ($part === '' || $part === false) {
                if (feof($socket) || $part === false) {
                    return false;
                }
                // Asked after the try to read: a TLS stream may hold bytes that the socket doesn't show.
                self::await([$socket], [], $deadline);
            }
            $text .= (string) $part;
            return true;
        };
        [$status, $headers] = self::head($text, $more, $deadline);
        try {
            $body = match (true) {
                $status === 204, $status === 304 => '',
                str_contains(strtolower($headers['transfer-encoding'] ?? ''), 'chunked')
                    => self::chunked($text, $more, $bytesMost, $deadline),
                default => self::plain($text, $more, $headers['content-length'] ?? null, $bytesMost, $deadline),
            };
        } catch (SendError $error) {
            throw $error->isTooLarge ? SendError::tooLarge($bytesMost, $status) : $error;
        }
        return new HttpResponse($status, $headers, $body);
    }

    /** @return array{int, array<string, string>} */
    private static function head(string &$text, \Closure $more, float $deadline): array
    {
        do {
            $end = self::until($text, $more, "\r\n\r\n", self::HEAD_MOST, $deadline);
            $lines = explode("\r\n", substr($text, 0, $end));
            $text = substr($text, $end + 4);
            if (preg_match('#^HTTP/1\.[01] ([1-5]\d\d)(?: |$)#', (string) array_shift($lines), $found) !== 1) {
                throw new SendError('The answer is not HTTP');
            }
            $status = (int) $found[1];
            // An interim answer: the real one follows. How many, the deadline bounds.
        } while ($status < 200);
        return [$status, HttpResponse::headersOf($lines)];
    }

    private static function plain(
        string &$text,
        \Closure $more,
        ?string $length,
        int $bytesMost,
        float $deadline,
    ): string {
        if ($length !== null && preg_match('/^\d{1,15}$/D', $length) !== 1) {
            throw new SendError('The answer is not HTTP');
        }
        $wanted = $length === null ? PHP_INT_MAX : (int) $length;
        self::requireSmall($length === null ? 0 : $wanted, $bytesMost);
        while (strlen($text) < $wanted) {
            self::requireTime($deadline);
            if (!$more()) {
                if ($length === null) {
                    break;
                }
                throw new SendError('The connection broke in the middle of the answer');
            }
            self::requireSmall(min(strlen($text), $wanted), $bytesMost);
        }
        self::requireSmall(min(strlen($text), $wanted), $bytesMost);
        return substr($text, 0, $wanted);
    }

    private static function chunked(string &$text, \Closure $more, int $bytesMost, float $deadline): string
    {
        $body = '';
        while (true) {
            $end = self::until($text, $more, "\r\n", self::CHUNK_LINE_MOST, $deadline);
            if (preg_match('/^([0-9a-fA-F]{1,8})\s*(?:;.*)?$/D', substr($text, 0, $end), $found) !== 1) {
                throw new SendError('The answer is not HTTP');
            }
            $size = (int) hexdec($found[1]);
            if ($size === 0) {
                return $body;
            }
            self::requireSmall(strlen($body) + $size, $bytesMost);
            $text = substr($text, $end + 2);
            while (strlen($text) < $size + 2) {
                self::readMore($more, $deadline);
            }
            $body .= substr($text, 0, $size);
            $text = substr($text, $size + 2);
        }
    }

    /** Where the mark is. */
    private static function until(string &$text, \Closure $more, string $mark, int $most, float $deadline): int
    {
        while (($end = strpos($text, $mark)) === false) {
            if (strlen($text) > $most) {
                throw new SendError('The answer is not HTTP');
            }
            self::readMore($more, $deadline);
        }
        return $end;
    }

    private static function readMore(\Closure $more, float $deadline): void
    {
        self::requireTime($deadline);
        if (!$more()) {
            throw new SendError('The connection broke before the answer was complete');
        }
    }

    private static function requireSmall(int $bytes, int $bytesMost): void
    {
        if ($bytes > $bytesMost) {
            throw SendError::tooLarge($bytesMost);
        }
    }

    private static function requireTime(float $deadline): void
    {
        if (microtime(true) >= $deadline) {
            throw new SendError('There was no whole answer in time', isTimeout: true);
        }
    }

    /**
     * @param list<resource> $readable
     * @param list<resource> $writable
     */
    private static function await(array $readable, array $writable, float $deadline): void
    {
        self::requireTime($deadline);
        $left = max(0.0, $deadline - microtime(true));
        $none = null;
        // False when a signal came in between: then the caller tries, and comes again.
        self::quietly(static function () use (&$readable, &$writable, $none, $left): void {
            stream_select($readable, $writable, $none, (int) $left, (int) (fmod($left, 1) * 1e6));
        });
    }

    /**
     * With the warning as a value: PHP says nothing else of why.
     *
     * @return array{mixed, string}
     */
    private static function quietly(\Closure $do): array
    {
        $reason = 'The connection failed';
        set_error_handler(static function (int $_, string $message) use (&$reason): bool {
            $reason = $message;
            return true;
        });
        try {
            return [$do(), $reason];
        } finally {
            restore_error_handler();
        }
    }
}
