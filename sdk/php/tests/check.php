<?php

declare(strict_types=1);

final class Check
{
    public static int $passed = 0;
    public static int $failed = 0;
}

/** One test, told when it fails. */
function test(string $name, callable $body): void
{
    try {
        $body();
        Check::$passed += 1;
    } catch (Throwable $error) {
        Check::$failed += 1;
        echo "FAILED $name\n", preg_replace('/^/m', '  ', $error::class . ": {$error->getMessage()}\n{$error->getTraceAsString()}"), "\n";
    }
}

function same(mixed $expected, mixed $actual, string $what = ''): void
{
    if ($expected !== $actual) {
        $show = static fn (mixed $value): string => var_export($value, true);
        throw new AssertionError("$what\nexpected {$show($expected)}\nbut it is {$show($actual)}");
    }
}

function matches(string $pattern, string $text): void
{
    same(1, preg_match($pattern, $text), "$text fits $pattern");
}

/**
 * @template T of Throwable
 * @param class-string<T> $class
 * @return T
 */
function thrown(string $class, callable $body): Throwable
{
    try {
        $body();
    } catch (Throwable $error) {
        if ($error instanceof $class) {
            return $error;
        }
        throw $error;
    }
    throw new AssertionError("$class was not thrown");
}

/** @return array<string, mixed> */
function vectors(string $name): array
{
    return json_decode((string) file_get_contents(__DIR__ . "/../../vectors/$name.json"), true, 512, JSON_THROW_ON_ERROR);
}

/** A folder that is gone at the end. */
function newFolder(): string
{
    $folder = sys_get_temp_dir() . '/mfuko-php-' . bin2hex(random_bytes(8));
    mkdir($folder);
    register_shutdown_function(static function () use ($folder): void {
        array_map('unlink', glob("$folder/*") ?: []);
        rmdir($folder);
    });
    return $folder;
}
