<?php

declare(strict_types=1);

namespace Mfuko;

/** A request that claims to be a notification: its headers, and its body as the bytes that came. */
final class Incoming
{
    /** More than any notification has. */
    public const BYTES_MOST = 256 * 1024;

    /** @var array<string, string> names in small letters */
    private readonly array $headers;

    /**
     * @param array<string, string|list<string>> $headers names in any case; of a framework that gives lists, those too
     * @param string $body the bytes as they came. Not what a parser made of them.
     */
    public function __construct(array $headers, public readonly string $body)
    {
        $plain = [];
        foreach ($headers as $name => $value) {
            $values = (array) $value;
            // A header that came twice is nobody's.
            if (count($values) === 1) {
                $plain[strtolower((string) $name)] = (string) reset($values);
            }
        }
        $this->headers = $plain;
    }

    /**
     * The request that PHP is answering: headers from `$_SERVER`, the body from `php://input`.
     *
     * @param array<string, mixed>|null $server for tests
     * @param string $input for tests
     */
    public static function fromGlobals(?array $server = null, string $input = 'php://input'): self
    {
        $headers = [];
        foreach ($server ?? $_SERVER as $name => $value) {
            if (str_starts_with((string) $name, 'HTTP_') && is_string($value)) {
                $headers[str_replace('_', '-', substr($name, strlen('HTTP_')))] = $value;
            }
        }
        // One byte more than is read, so that a receiver sees that there is more.
        $body = file_get_contents($input, length: self::BYTES_MOST + 1);
        return new self($headers, $body === false ? '' : $body);
    }

    public function header(string $name): ?string
    {
        return $this->headers[strtolower($name)] ?? null;
    }
}
