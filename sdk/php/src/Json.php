<?php

declare(strict_types=1);

namespace Mfuko;

/**
 * JSON whose amounts survive. PHP reads 12345678901234.56 as a float, and writes floats as php.ini says; here a number with
 * decimal places is read as its text, and a float is written with its shortest text, or refused.
 *
 * @internal
 */
final class Json
{
    private const DEPTH_MOST = 64;
    /** A float holds so many decimal digits for certain. */
    private const DIGITS_MOST = 15;

    /**
     * Objects as arrays, whole numbers as int, other numbers as the text that was written.
     *
     * @throws \JsonException
     */
    public static function decode(string $text): mixed
    {
        // Judged as it came: quotes around a number could make good JSON of bad.
        json_decode($text, true, self::DEPTH_MOST, JSON_THROW_ON_ERROR);
        $strings = '"[^"\\\\]*+(?:\\\\.[^"\\\\]*+)*+"(*SKIP)(*FAIL)';
        $decimals = '-?\d++(?:\.\d++(?:[eE][+-]?\d++)?|[eE][+-]?\d++)';
        $quoted = preg_replace("/$strings|$decimals/s", '"$0"', $text)
            ?? throw new \JsonException('The text is too long for this PHP: ' . preg_last_error_msg());
        return json_decode($quoted, true, self::DEPTH_MOST, JSON_THROW_ON_ERROR | JSON_BIGINT_AS_STRING);
    }

    /** @param array<mixed> $body */
    public static function encode(array $body): string
    {
        array_walk_recursive($body, static function (mixed $value): void {
            if (is_float($value)) {
                self::requireExact($value);
            }
        });
        $flags = JSON_THROW_ON_ERROR | JSON_UNESCAPED_SLASHES | JSON_UNESCAPED_UNICODE;
        return self::withShortestFloats(static fn (): string => $body === [] ? '{}' : json_encode($body, $flags));
    }

    /** The shortest text that is read as the same float: `12.5`, `0.30000000000000004`. */
    public static function floatText(float $number): string
    {
        if (!is_finite($number)) {
            return (string) $number;
        }
        return self::withShortestFloats(static fn (): string => json_encode($number, JSON_THROW_ON_ERROR));
    }

    private static function requireExact(float $number): void
    {
        $text = self::floatText($number);
        $digits = trim((string) preg_replace('/[eE].*$|\D/', '', $text), '0');
        if (!is_finite($number) || strlen($digits) > self::DIGITS_MOST) {
            throw new \InvalidArgumentException("$text is a float that lost its digits: give the amount as decimal text");
        }
    }

    /** Some servers still have `serialize_precision = 17`, which makes 0.10000000000000001 of 0.1. */
    private static function withShortestFloats(\Closure $write): string
    {
        // Some hosts forbid it.
        $before = function_exists('ini_set') ? ini_set('serialize_precision', '-1') : false;
        try {
            return $write();
        } finally {
            if ($before !== false) {
                ini_set('serialize_precision', $before);
            }
        }
    }
}
