<?php

declare(strict_types=1);

namespace Mfuko\Http;

/** One try. */
final class HttpRequest
{
    /**
     * @param array<string, string> $headers
     * @param float $timeout seconds until the whole answer has been read
     * @param float $connectTimeout seconds until there is a connection
     * @param int $bytesMost an answer with more is not read
     */
    public function __construct(
        public readonly string $method,
        public readonly string $url,
        #[\SensitiveParameter] public readonly array $headers,
        #[\SensitiveParameter] public readonly ?string $body,
        public readonly float $timeout,
        public readonly float $connectTimeout,
        public readonly int $bytesMost,
    ) {
        foreach ($headers as $name => $value) {
            // Nobody's value may begin a header of its own. One without a value would not be sent by curl.
            if ($value === '' || preg_match('/[\r\n\0]/', $name . $value) === 1) {
                throw new \InvalidArgumentException("The header $name is empty or has a line break in it");
            }
        }
    }
}
