<?php

declare(strict_types=1);

namespace Mfuko;

/**
 * Amounts without arithmetic on floats: decimal text in, whole minor units out, and back. An amount in an answer is an int
 * or decimal text with the digits that the service wrote. Show it, turn it into minor units; add and compare those only.
 */
final class Amounts
{
    /** How many decimal places each has. */
    public const CURRENCIES = ['UGX' => 0, 'KES' => 2, 'TZS' => 2, 'RWF' => 0, 'NGN' => 2, 'ZAR' => 2, 'USD' => 2];

    /** The most that one amount may be, in minor units. */
    private const MINOR_MOST = 9_007_199_254_740_991;
    /** A float with more than 15 digits may be another number than was meant: such an amount is given as text. */
    private const FLOAT_MOST = 999_999_999_999_999;
    private const TEXT_MOST = 64;
    private const EXPONENT_MOST = 30;
    private const NUMBER = '/^(-?)(0|[1-9]\d*)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/D';
    /** Of thousands, and before the decimal places. The narrow space of French can't be broken. */
    private const SEPARATORS = ['en' => [',', '.'], 'sw' => [',', '.'], 'fr' => ["\u{202F}", ',']];

    /**
     * `toMinor('12.50', 'USD')` is 1250. A float is read by its shortest decimal text, so 12.5 is fine and 0.1 + 0.2 is too
     * fine for any currency. The 0 of an answer is 0.
     *
     * @throws \RangeException for what no amount can be: below zero, too fine, too large, no number
     */
    public static function toMinor(int|float|string $amount, string $currency): int
    {
        return self::minorOf($amount, $currency)
            ?? throw new \RangeException(self::textOf($amount) . " is no amount in $currency");
    }

    /** Whether it can be paid: what `toMinor` takes, but zero. */
    public static function isAmount(int|float|string $amount, string $currency): bool
    {
        return (self::minorOf($amount, $currency) ?? 0) > 0;
    }

    /** `fromMinor(1250, 'USD')` is '12.5': decimal text without trailing zeros, as requests take it. */
    public static function fromMinor(int $minor, string $currency): string
    {
        $digits = self::digitsOf($currency);
        $sign = $minor < 0 ? '-' : '';
        $text = str_pad(ltrim((string) $minor, '-'), $digits + 1, '0', STR_PAD_LEFT);
        if ($digits === 0) {
            return $sign . $text;
        }
        $fraction = rtrim(substr($text, -$digits), '0');
        return $sign . substr($text, 0, -$digits) . ($fraction === '' ? '' : ".$fraction");
    }

    /**
     * For people: `UGX 10,000`, `KES 1,250.50`. The currency comes first, in every language. Zero and less than zero can be
     * shown too.
     *
     * @param 'en'|'sw'|'fr' $locale
     */
    public static function format(int|float|string $amount, string $currency, string $locale = 'en'): string
    {
        $digits = self::digitsOf($currency);
        [$thousands, $point] = self::SEPARATORS[$locale]
            ?? throw new \RangeException("$locale is not a language of the service");
        $text = self::textOf($amount);
        $found = self::read($text);
        $minor = $found === null ? null : self::shifted($found['mantissa'], $found['scale'] + $digits);
        if ($found === null || $minor === null) {
            throw new \RangeException("$text can't be shown in $currency");
        }
        $padded = str_pad($minor, $digits + 1, '0', STR_PAD_LEFT);
        $whole = $digits === 0 ? $padded : substr($padded, 0, -$digits);
        $groups = implode($thousands, array_map('strrev', array_reverse(str_split(strrev($whole), 3))));
        return "$currency {$found['sign']}$groups" . ($digits === 0 ? '' : $point . substr($padded, -$digits));
    }

    private static function minorOf(int|float|string $amount, string $currency): ?int
    {
        $digits = self::digitsOf($currency);
        $found = self::read(self::textOf($amount));
        if ($found === null || $found['sign'] === '-') {
            return null;
        }
        $minor = self::shifted($found['mantissa'], $found['scale'] + $digits);
        if ($minor === null || strlen($minor) > 16) {
            return null;
        }
        return (int) $minor > (is_float($amount) ? self::FLOAT_MOST : self::MINOR_MOST) ? null : (int) $minor;
    }

    /** @return array{sign: string, mantissa: string, scale: int}|null the number is mantissa × 10^scale */
    private static function read(string $text): ?array
    {
        if (strlen($text) > self::TEXT_MOST || preg_match(self::NUMBER, $text, $parts) !== 1) {
            return null;
        }
        $fraction = $parts[3] ?? '';
        $exponent = (int) ($parts[4] ?? '0');
        if (abs($exponent) > self::EXPONENT_MOST) {
            return null;
        }
        $mantissa = ltrim($parts[2] . $fraction, '0');
        return [
            'sign' => $parts[1],
            'mantissa' => $mantissa === '' ? '0' : $mantissa,
            'scale' => $exponent - strlen($fraction),
        ];
    }

    /** Mantissa × 10^shift, when that is whole. */
    private static function shifted(string $mantissa, int $shift): ?string
    {
        if ($mantissa === '0' || $shift >= 0) {
            return $mantissa === '0' ? '0' : $mantissa . str_repeat('0', $shift);
        }
        $isWhole = strlen($mantissa) > -$shift && trim(substr($mantissa, $shift), '0') === '';
        return $isWhole ? substr($mantissa, 0, $shift) : null;
    }

    private static function textOf(int|float|string $amount): string
    {
        return is_float($amount) ? Json::floatText($amount) : (string) $amount;
    }

    private static function digitsOf(string $currency): int
    {
        return self::CURRENCIES[$currency]
            ?? throw new \RangeException("$currency is not a currency of the service");
    }
}
