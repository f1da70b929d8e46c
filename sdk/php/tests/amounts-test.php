<?php

declare(strict_types=1);

// Amounts stay what they were: read from JSON, written into it, shown to people.

use Mfuko\Amounts;
use Mfuko\Json;

test('what is no currency', function (): void {
    foreach (['EUR', 'usd', ''] as $code) {
        thrown(RangeException::class, fn () => Amounts::toMinor('1', $code));
    }
});

test('floats that are exact are taken, others refused', function (): void {
    same(1250, Amounts::toMinor(12.5, 'USD'));
    same(5000, Amounts::toMinor(5000.0, 'UGX'));
    thrown(RangeException::class, fn () => Amounts::toMinor(0.1 + 0.2, 'USD'));
    foreach ([INF, NAN, -1.0, 1e300] as $wrong) {
        thrown(RangeException::class, fn () => Amounts::toMinor($wrong, 'USD'));
    }
});

test('for people', function (): void {
    same('UGX 10,000', Amounts::format(10_000, 'UGX'));
    same('UGX 0', Amounts::format(0, 'UGX'));
    same('KES 1,250.50', Amounts::format('1250.5', 'KES'));
    same('KES 0.05', Amounts::format('0.05', 'KES'));
    same('KES -1,250.50', Amounts::format('-1250.5', 'KES'));
    same('USD 90,071,992,547,409.91', Amounts::format(Amounts::fromMinor(9_007_199_254_740_991, 'USD'), 'USD'));
    same("KES 1\u{202F}250,50", Amounts::format(1250.5, 'KES', 'fr'));
    same('-0.05', Amounts::fromMinor(-5, 'USD'));
    foreach (['1.234', 'many', '1e99'] as $wrong) {
        thrown(RangeException::class, fn () => Amounts::format($wrong, 'USD'));
    }
});

test('numbers of JSON keep their digits', function (): void {
    $text = '{"a":0.1,"b":12345678901234.56,"c":56000,"d":"1.50 \" 2.5","e":[1e3,-2.50],"f":90071992547409911234,"g":{"1.5":null}}';
    same([
        'a' => '0.1',
        'b' => '12345678901234.56',
        'c' => 56000,
        'd' => '1.50 " 2.5',
        'e' => ['1e3', '-2.50'],
        'f' => '90071992547409911234',
        'g' => ['1.5' => null],
    ], Json::decode($text));
    foreach (['01.5', '1.5x', '{"a":1.}', '"\\"', '', "\"\xff\""] as $wrong) {
        thrown(JsonException::class, fn () => Json::decode($wrong));
    }
    same(str_repeat('\\"', 1) . 'x', trim((string) json_encode(Json::decode('"\\"x"')), '"'));
    same(3_000_000, strlen(Json::decode('"' . str_repeat('a.1', 1_000_000) . '"')), 'long text is no trouble');
});

test('floats are written as they are meant, whatever php.ini says', function (): void {
    ini_set('serialize_precision', '17');
    try {
        same('{"amount":0.1,"url":"https://a.example/é"}', Json::encode(['amount' => 0.1, 'url' => 'https://a.example/é']));
        same('{"amount":"12345678901234.56"}', Json::encode(['amount' => '12345678901234.56']));
        same('{}', Json::encode([]));
        same('17', ini_get('serialize_precision'));
        foreach ([0.1 + 0.2, INF, 1 / 3] as $wrong) {
            thrown(InvalidArgumentException::class, fn () => Json::encode(['a' => ['amount' => $wrong]]));
        }
    } finally {
        ini_set('serialize_precision', '-1');
    }
});
