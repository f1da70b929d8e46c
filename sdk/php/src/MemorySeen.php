<?php

declare(strict_types=1);

namespace Mfuko;

/**
 * In the memory of one process, until that ends. For servers that live longer than a request (RoadRunner, Swoole, ReactPHP)
 * and for tests: under PHP-FPM or Apache every request begins with nothing.
 */
final class MemorySeen implements Seen
{
    /** @var array<string, array{string, int}> state and time, the oldest first */
    private array $known = [];

    public function __construct(private readonly int $most = 10_000, private readonly int $keepSeconds = 604_800)
    {
    }

    public function begin(string $id): string
    {
        [$state, $at] = $this->known[$id] ?? [self::FIRST, 0];
        if ($state !== self::FIRST && time() - $at < $this->keepSeconds) {
            return $state;
        }
        $this->put($id, self::BUSY);
        if (count($this->known) > $this->most) {
            $this->dropOldest();
        }
        return self::FIRST;
    }

    public function done(string $id): void
    {
        $this->put($id, self::DONE);
    }

    public function forget(string $id): void
    {
        if (($this->known[$id][0] ?? '') === self::BUSY) {
            unset($this->known[$id]);
        }
    }

    private function put(string $id, string $state): void
    {
        unset($this->known[$id]);
        $this->known[$id] = [$state, time()];
    }

    /** What is being worked on stays. */
    private function dropOldest(): void
    {
        foreach ($this->known as $id => [$state]) {
            if ($state === self::DONE) {
                unset($this->known[$id]);
                return;
            }
        }
    }
}
