<?php

declare(strict_types=1);

namespace Mfuko;

/** What to answer to a notification. */
final class Outcome
{
    /** @param \Throwable|null $error why it was refused, or what the handler threw: to be logged */
    public function __construct(
        public readonly int $status,
        public readonly string $message,
        public readonly ?\Throwable $error = null,
    ) {
    }

    /** The body of the answer. */
    public function json(): string
    {
        return json_encode(['message' => $this->message], JSON_THROW_ON_ERROR | JSON_UNESCAPED_SLASHES);
    }

    /** Answers the request that PHP is answering, and writes an error to PHP's log. */
    public function send(): void
    {
        if ($this->error !== null) {
            error_log('mfuko: ' . self::described($this->error));
        }
        if (!headers_sent()) {
            http_response_code($this->status);
            header('Content-Type: application/json');
        }
        echo $this->json();
    }

    private static function described(\Throwable $error): string
    {
        if ($error instanceof NotificationError) {
            // Nobody has vouched for the id: it must not begin a line of its own.
            $id = preg_replace('/[^\w.-]/', '?', substr($error->webhookId ?? 'without an id', 0, 80));
            return "{$error->getMessage()} ($error->reason, $id)";
        }
        return (string) $error;
    }
}
