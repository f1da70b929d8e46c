<?php

declare(strict_types=1);

namespace Mfuko;

/**
 * Which notifications were worked on already. The service sends each at least once, so the same one can come twice, and both
 * at the same time.
 */
interface Seen
{
    /** It is yours to work on. */
    public const FIRST = 'first';
    /** It was worked on before. */
    public const DONE = 'done';
    /** Somebody is at it right now. */
    public const BUSY = 'busy';

    /**
     * Must be atomic: in a database an insert that does nothing on conflict. Whoever dies at work must not keep it for ever.
     *
     * @return self::FIRST|self::DONE|self::BUSY
     */
    public function begin(string $id): string;

    public function done(string $id): void;

    /** Working on it failed: it will come again, and is then new. */
    public function forget(string $id): void;
}
