<?php

declare(strict_types=1);

// The tests of this library, with nothing but PHP: `php tests/run.php`, or with words of file names. Each file calls test();
// the last line is `N passed, N failed`, and the exit code is 1 when something failed.

error_reporting(E_ALL);
set_error_handler(static function (int $level, string $message, string $file, int $line): bool {
    if ((error_reporting() & $level) === 0) {
        return false;
    }
    throw new ErrorException($message, 0, $level, $file, $line);
});
require __DIR__ . '/../autoload.php';
require __DIR__ . '/check.php';

$words = array_slice($argv, 1);
foreach (glob(__DIR__ . '/*-test.php') ?: [] as $file) {
    $isWanted = $words === [] || array_filter($words, static fn (string $word) => str_contains($file, $word)) !== [];
    if ($isWanted) {
        (static fn () => require $file)();
    }
}
[$passed, $failed] = [Check::$passed, Check::$failed];
echo "$passed passed, $failed failed\n";
exit($failed > 0 || $passed === 0 ? 1 : 0);
