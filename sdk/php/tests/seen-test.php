<?php

declare(strict_types=1);

// What was worked on is known to every process; what one is at, no other begins; and who dies at work keeps nothing.

use Mfuko\FileSeen;
use Mfuko\MemorySeen;
use Mfuko\PdoSeen;
use Mfuko\Seen;

/** Two processes, as far as the memory goes. */
$makers = [
    'memory' => function (): array {
        $one = new MemorySeen();
        return [$one, $one];
    },
    'files' => function (): array {
        $folder = newFolder();
        return [new FileSeen($folder), new FileSeen($folder)];
    },
];
if (extension_loaded('pdo_sqlite')) {
    $makers['sqlite'] = function (): array {
        $open = fn (string $file) => new PdoSeen(new PDO("sqlite:$file"));
        $file = newFolder() . '/shop.db';
        $open($file)->createTable();
        $open($file)->createTable();
        return [$open($file), $open($file)];
    };
}
if (extension_loaded('pdo_pgsql') && getenv('TEST_PHP_DATABASE') !== false) {
    $makers['postgresql'] = function (): array {
        $open = fn () => new PdoSeen(new PDO(getenv('TEST_PHP_DATABASE')), 'seen_' . getmypid());
        $open()->createTable();
        return [$open(), $open()];
    };
}
foreach ($makers as $name => $make) {
    test("$name: first, busy, done, and forgotten", function () use ($make): void {
        [$one, $other] = $make();
        foreach (['msg_1', '../../etc/passwd', "msg_'; drop table mfuko_seen; --"] as $id) {
            same(Seen::FIRST, $one->begin($id));
            same([Seen::BUSY, Seen::BUSY], [$other->begin($id), $one->begin($id)]);
            $one->forget($id);
            same(Seen::FIRST, $other->begin($id));
            $other->done($id);
            same([Seen::DONE, Seen::DONE], [$one->begin($id), $other->begin($id)]);
            $one->forget($id);
            same(Seen::DONE, $one->begin($id), 'what is done stays done');
        }
    });
}

test('files: a process that died at work keeps nothing', function (): void {
    $folder = newFolder();
    $code = 'require $argv[1]; $seen = new Mfuko\FileSeen($argv[2]); echo $seen->begin("msg_1"); no_such_function();';
    $arguments = [PHP_BINARY, '-d', 'display_errors=0', '-d', 'log_errors=0', '-r', $code, dirname(__DIR__) . '/autoload.php', $folder];
    same('first', shell_exec(implode(' ', array_map('escapeshellarg', $arguments))));
    same(Seen::FIRST, (new FileSeen($folder))->begin('msg_1'));
});

test('files: old ones are new again, and swept away', function (): void {
    $folder = newFolder();
    $seen = new FileSeen($folder, keepSeconds: 100);
    $seen->begin('msg_1');
    $seen->done('msg_1');
    [$file] = glob("$folder/*.seen");
    touch($file, time() - 101);
    clearstatcache();
    (new ReflectionMethod($seen, 'sweep'))->invoke($seen);
    same([], glob("$folder/*.seen"));
    same(Seen::FIRST, $seen->begin('msg_1'));
    same('first', (new FileSeen("$folder", 0))->begin('msg_2'));
});

test('files: a folder that can not be used is told', function (): void {
    $file = newFolder() . '/file';
    touch($file);
    matches('/may write to/', thrown(RuntimeException::class, fn () => new FileSeen("$file/folder"))->getMessage());
});

test('a table: who has begun and is never heard of again loses it', function (): void {
    if (!extension_loaded('pdo_sqlite')) {
        return;
    }
    $now = 1_000;
    $seen = new PdoSeen(new PDO('sqlite::memory:'), leaseSeconds: 60, now: function () use (&$now): int {
        return $now;
    });
    $seen->createTable();
    same(Seen::FIRST, $seen->begin('msg_1'));
    $now += 60;
    same(Seen::BUSY, $seen->begin('msg_1'));
    $now += 1;
    same([Seen::FIRST, Seen::BUSY], [$seen->begin('msg_1'), $seen->begin('msg_1')]);
    thrown(InvalidArgumentException::class, fn () => new PdoSeen(new PDO('sqlite::memory:'), 'a; drop'));
});

test('a table that is not there is told, never taken for a second delivery', function (): void {
    if (!extension_loaded('pdo_sqlite')) {
        return;
    }
    foreach ([PDO::ERRMODE_SILENT, PDO::ERRMODE_EXCEPTION] as $mode) {
        $seen = new PdoSeen(new PDO('sqlite::memory:', null, null, [PDO::ATTR_ERRMODE => $mode]));
        thrown(RuntimeException::class, fn () => $seen->begin('msg_1'));
    }
});

test('memory: bounded by number and by time', function (): void {
    $few = new MemorySeen(most: 2);
    foreach (['a', 'b', 'c'] as $id) {
        same(Seen::FIRST, $few->begin($id));
        $few->done($id);
    }
    same([Seen::DONE, Seen::DONE, Seen::FIRST], [$few->begin('c'), $few->begin('b'), $few->begin('a')]);
    $short = new MemorySeen(keepSeconds: 0);
    $short->begin('a');
    $short->done('a');
    same(Seen::FIRST, $short->begin('a'));
});
