<?php

declare(strict_types=1);

namespace Mfuko\Http;

/** With ext-curl. */
final class CurlSender implements Sender
{
    public function send(HttpRequest $request): HttpResponse
    {
        $lines = [];
        $body = '';
        $isTooLarge = false;
        $curl = curl_init($request->url);
        if ($curl === false) {
            throw new SendError('The address could not be used');
        }
        curl_setopt_array($curl, self::settings($request) + [
            CURLOPT_HEADERFUNCTION => static function ($_, string $line) use (&$lines): int {
                // Of an interim answer (100, 103): the real one follows.
                if (str_starts_with($line, 'HTTP/')) {
                    $lines = [];
                } elseif (trim($line) !== '') {
                    $lines[] = $line;
                }
                return strlen($line);
            },
            CURLOPT_WRITEFUNCTION => static function ($_, string $part) use (&$body, &$isTooLarge, $request): int {
                $isTooLarge = strlen($body) + strlen($part) > $request->bytesMost;
                $body .= $isTooLarge ? '' : $part;
                return $isTooLarge ? 0 : strlen($part);
            },
        ]);
        $isRead = curl_exec($curl);
        $number = curl_errno($curl);
        $status = curl_getinfo($curl, CURLINFO_RESPONSE_CODE);
        $reason = curl_error($curl);
        if ($isTooLarge) {
            throw SendError::tooLarge($request->bytesMost, $status);
        }
        if ($isRead === false) {
            throw new SendError($reason, isTimeout: $number === CURLE_OPERATION_TIMEDOUT);
        }
        return new HttpResponse($status, HttpResponse::headersOf($lines), $body);
    }

    /** @return array<int, mixed> */
    private static function settings(HttpRequest $request): array
    {
        // Without waiting for a `100 Continue` first.
        $headers = ['Expect:'];
        foreach ($request->headers as $name => $value) {
            $headers[] = "$name: $value";
        }
        return [
            CURLOPT_CUSTOMREQUEST => $request->method,
            CURLOPT_HTTPHEADER => $headers,
            CURLOPT_FOLLOWLOCATION => false,
            CURLOPT_PROTOCOLS => CURLPROTO_HTTP | CURLPROTO_HTTPS,
            CURLOPT_TIMEOUT_MS => max(1, (int) round($request->timeout * 1_000)),
            CURLOPT_CONNECTTIMEOUT_MS => max(1, (int) round($request->connectTimeout * 1_000)),
            CURLOPT_NOSIGNAL => true,
        ] + ($request->body === null ? [] : [CURLOPT_POSTFIELDS => $request->body]);
    }
}
