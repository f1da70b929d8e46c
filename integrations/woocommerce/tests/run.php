<?php

declare(strict_types=1);

// The tests of the plug-in, with doubles of WordPress and WooCommerce: `php tests/run.php`. With a folder as argument, the
// plug-in as it was built is tested.

error_reporting(E_ALL);
set_error_handler(static function (int $level, string $message, string $file, int $line): bool {
    if ((error_reporting() & $level) === 0) {
        return false;
    }
    throw new ErrorException($message, 0, $level, $file, $line);
});
$library = __DIR__ . '/../../../sdk/php';
require "$library/tests/check.php";
require "$library/tests/signing.php";
require __DIR__ . '/doubles.php';
require ($argv[1] ?? dirname(__DIR__)) . '/mfuko-for-woocommerce.php';
happens('before_woocommerce_init');
happens('plugins_loaded');
happens('woocommerce_blocks_loaded');
require __DIR__ . '/service.php';
require __DIR__ . '/gateway-test.php';
require __DIR__ . '/notifications-test.php';
[$passed, $failed] = [Check::$passed, Check::$failed];
echo "$passed passed, $failed failed\n";
exit($failed > 0 || $passed === 0 ? 1 : 0);
