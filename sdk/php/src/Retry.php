<?php

declare(strict_types=1);

namespace Mfuko;

/**
 * When a request is tried again, as functions of values. What must stay true: nothing that may have happened is asked for a
 * second time without the key that makes it happen once. sdk/vectors/retries.json has the same as a table.
 *
 * @internal
 */
final class Retry
{
    /** Answers of proxies and of a service that is away: what became of the request is unknown. 0: no answer. */
    private const UNKNOWN = [0, 502, 503, 504];
    private const FIRST_WAIT = 0.5;
    /** Seconds. Who is told to wait for longer is told so at once. */
    public const PATIENCE = 10.0;

    /** @param bool $hasKey it was sent with an idempotency key, on a route that takes one */
    public static function may(string $method, bool $hasKey, int $status): bool
    {
        // Who is told to wait was not let in: nothing has happened.
        if ($status === 429) {
            return true;
        }
        return self::isUnknown($status) && ($method === 'GET' || $hasKey);
    }

    public static function isUnknown(int $status): bool
    {
        return in_array($status, self::UNKNOWN, true);
    }

    /**
     * Seconds; null: not worth it.
     *
     * @param int $tries so far
     * @param float $random from 0 to 1, so that many who failed together don't return so
     */
    public static function wait(int $tries, ?int $retryAfterSeconds, float $random): ?float
    {
        $planned = self::FIRST_WAIT * 2 ** ($tries - 1) * (0.5 + $random / 2);
        if ($retryAfterSeconds === null) {
            return min($planned, self::PATIENCE);
        }
        return $retryAfterSeconds > self::PATIENCE ? null : max((float) $retryAfterSeconds, $planned);
    }

    /** A version 4 UUID. */
    public static function newIdempotencyKey(): string
    {
        $bytes = random_bytes(16);
        $bytes[6] = chr((ord($bytes[6]) & 0x0f) | 0x40);
        $bytes[8] = chr((ord($bytes[8]) & 0x3f) | 0x80);
        return vsprintf('%s%s-%s-%s-%s-%s%s%s', str_split(bin2hex($bytes), 4));
    }
}
