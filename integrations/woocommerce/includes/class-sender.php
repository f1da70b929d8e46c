<?php

declare(strict_types=1);

namespace MfukoForWooCommerce;

use Mfuko\Http\HttpRequest;
use Mfuko\Http\HttpResponse;
use Mfuko\Http\Sender as SenderInterface;
use Mfuko\Http\SendError;

/** By WordPress' own HTTP functions, so that proxies and certificates of the site are used. */
final class Sender implements SenderInterface
{
    public function send(HttpRequest $request): HttpResponse
    {
        $answer = wp_remote_request($request->url, [
            'method' => $request->method,
            'headers' => $request->headers,
            'body' => $request->body,
            'user-agent' => $request->headers['User-Agent'] ?? '',
            'timeout' => $request->timeout,
            // The key is for the host that was entered.
            'redirection' => 0,
            // It is cut off there: one more shows that there was more.
            'limit_response_size' => $request->bytesMost + 1,
        ]);
        if (is_wp_error($answer)) {
            $reason = $answer->get_error_message();
            throw new SendError($reason, isTimeout: preg_match('/timed? ?out/i', $reason) === 1);
        }
        $body = wp_remote_retrieve_body($answer);
        if (strlen($body) > $request->bytesMost) {
            throw new SendError('The answer is too large', isTooLarge: true);
        }
        $headers = [];
        foreach (['content-type', 'retry-after', 'x-request-id'] as $name) {
            $value = wp_remote_retrieve_header($answer, $name);
            if (is_string($value) && $value !== '') {
                $headers[$name] = $value;
            }
        }
        return new HttpResponse((int) wp_remote_retrieve_response_code($answer), $headers, $body);
    }
}
