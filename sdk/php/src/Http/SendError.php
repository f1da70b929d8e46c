<?php

declare(strict_types=1);

namespace Mfuko\Http;

/** There was no answer, or none that could be read: what became of the request is unknown. */
final class SendError extends \RuntimeException
{
    public function __construct(
        string $message,
        public readonly bool $isTimeout = false,
        public readonly bool $isTooLarge = false,
        public readonly int $status = 0,
    ) {
        parent::__construct($message);
    }

    public static function tooLarge(int $bytesMost, int $status = 0): self
    {
        return new self("The answer has more than $bytesMost bytes", isTooLarge: true, status: $status);
    }
}
