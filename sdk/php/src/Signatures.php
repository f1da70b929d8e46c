<?php

declare(strict_types=1);

namespace Mfuko;

/**
 * The two signatures of a notification, compared in constant time. `SVC-Signature` covers the body and nothing else; the
 * Standard Webhooks one also covers the id and the time of the attempt, so that an old request can't be played again.
 *
 * @internal
 */
final class Signatures
{
    private const PREFIX = 'whsec_';
    private const SIGNATURES_MOST = 10;
    private const SECRET_BYTES_LEAST = 24;

    /** Key: what the base64 of the secret stands for. `$signature` is `v1,<base64> v1,<base64>`: any one that fits will do. */
    public static function isWebhook(
        #[\SensitiveParameter] string $secret,
        string $id,
        string $timestamp,
        string $signature,
        string $body,
    ): bool {
        $key = self::fromBase64(substr($secret, strlen(self::PREFIX))) ?? '';
        $expected = hash_hmac('sha256', "$id.$timestamp.$body", $key, true);
        foreach (self::parts($signature, ' ') as $part) {
            [$version, $text] = explode(',', $part) + [1 => ''];
            $given = $version === 'v1' ? self::fromBase64($text) : null;
            if ($given !== null && hash_equals($expected, $given)) {
                return true;
            }
        }
        return false;
    }

    /** Key: the secret as it is written, prefix and all. `$signatures`: lower-case hex, several with commas between. */
    public static function isBody(#[\SensitiveParameter] string $secret, string $signatures, string $body): bool
    {
        $expected = hash_hmac('sha256', $body, $secret);
        foreach (self::parts($signatures, ',') as $given) {
            if (hash_equals($expected, $given)) {
                return true;
            }
        }
        return false;
    }

    /** A Client Secret: `whsec_` and base64 of at least 24 bytes. */
    public static function isSecret(#[\SensitiveParameter] string $text): bool
    {
        return str_starts_with($text, self::PREFIX)
            && strlen(self::fromBase64(substr($text, strlen(self::PREFIX))) ?? '') >= self::SECRET_BYTES_LEAST;
    }

    /** @return list<string> */
    private static function parts(string $text, string $separator): array
    {
        return array_slice(explode($separator, $text, self::SIGNATURES_MOST + 1), 0, self::SIGNATURES_MOST);
    }

    private static function fromBase64(#[\SensitiveParameter] string $text): ?string
    {
        if (strlen($text) % 4 !== 0 || preg_match('#^[A-Za-z0-9+/]+={0,2}$#D', $text) !== 1) {
            return null;
        }
        $bytes = base64_decode($text, true);
        return $bytes === false ? null : $bytes;
    }
}
