<?php

declare(strict_types=1);

// For programs without Composer: `require 'autoload.php'` and every class of Mfuko is there when it is named.

spl_autoload_register(static function (string $class): void {
    if (!str_starts_with($class, 'Mfuko\\')) {
        return;
    }
    $path = __DIR__ . '/src/' . str_replace('\\', '/', substr($class, strlen('Mfuko\\'))) . '.php';
    if (is_file($path)) {
        require $path;
    }
});
