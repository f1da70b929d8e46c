<?php

declare(strict_types=1);

namespace Mfuko\Http;

/** There was no answer: what became of the request is unknown. */
final class SendError extends \RuntimeException
{
    public function __construct(
        string $message,
        public readonly bool $isTimeout = false,
        public readonly bool $isTooLarge = false,
    ) {
        parent::__construct($message);
    }
}
