<?php

declare(strict_types=1);

namespace Mfuko\Http;

final class HttpResponse
{
    /** @param array<string, string> $headers names in small letters */
    public function __construct(
        public readonly int $status,
        public readonly array $headers,
        public readonly string $body,
    ) {
    }

    /**
     * @param list<string> $lines `Name: value`
     * @return array<string, string> names in small letters
     */
    public static function headersOf(array $lines): array
    {
        $headers = [];
        foreach ($lines as $line) {
            [$name, $value] = explode(':', $line, 2) + [1 => ''];
            $headers[strtolower(trim($name))] = trim($value);
        }
        return $headers;
    }
}
