<?php

declare(strict_types=1);

namespace Mfuko;

/** What went wrong, as one exception. Decide by `code`; the message is for people and may change. */
final class MfukoError extends \RuntimeException
{
    /**
     * One of the service's codes (`validation_failed`, `insufficient_funds`, …), or `connection_failed`, `timed_out` and
     * `unreadable_answer`. Without a declared type, since the exception it inherits from has none.
     *
     * @var string
     */
    public $code = '';

    /**
     * @param int $status of the answer; 0 without one
     * @param string|null $requestId tell it to the service when something looks wrong
     * @param array<string, string> $errors field → what is wrong with it; empty unless fields are wrong
     * @param int|null $retryAfterSeconds when it makes sense to try again
     * @param int|null $attemptsLeft after a wrong PIN: how many more lock it
     * @param string|null $idempotencyKey what the request was sent with; the same key again, and it happens once
     */
    public function __construct(
        string $code,
        string $message,
        public readonly int $status = 0,
        public readonly ?string $requestId = null,
        public readonly array $errors = [],
        public readonly ?int $retryAfterSeconds = null,
        public readonly ?int $attemptsLeft = null,
        public readonly ?string $idempotencyKey = null,
        ?\Throwable $previous = null,
    ) {
        parent::__construct($message, 0, $previous);
        $this->code = $code;
    }

    /**
     * What an answer that is no success says. A page of a proxy on the way is no answer of the service.
     *
     * @param array<string, string> $headers names in small letters
     */
    public static function ofAnswer(int $status, array $headers, mixed $body, ?string $idempotencyKey = null): self
    {
        $retryAfter = $headers['retry-after'] ?? '';
        $seconds = preg_match('/^\d{1,9}$/D', $retryAfter) === 1 ? (int) $retryAfter : null;
        if (!self::isErrorBody($body)) {
            return new self(
                'unreadable_answer',
                "The answer (status $status) is not one of the service's own",
                status: $status,
                requestId: $headers['x-request-id'] ?? null,
                retryAfterSeconds: $seconds,
                idempotencyKey: $idempotencyKey,
            );
        }
        $errors = is_array($body['errors'] ?? null) ? array_filter($body['errors'], 'is_string') : [];
        $left = $body['attempts_left'] ?? null;
        return new self(
            $body['code'],
            $body['message'],
            status: $status,
            requestId: $body['request_id'],
            errors: $errors,
            retryAfterSeconds: $seconds,
            attemptsLeft: is_int($left) ? $left : null,
            idempotencyKey: $idempotencyKey,
        );
    }

    /**
     * The same, told to who sent a request with this key.
     *
     * @internal
     */
    public function withKey(?string $idempotencyKey): self
    {
        return new self(
            $this->code,
            $this->getMessage(),
            $this->status,
            $this->requestId,
            $this->errors,
            $this->retryAfterSeconds,
            $this->attemptsLeft,
            $idempotencyKey,
            previous: $this,
        );
    }

    /** @phpstan-assert-if-true array{code: string, message: string, request_id: string} $body */
    private static function isErrorBody(mixed $body): bool
    {
        return is_array($body)
            && ($body['success'] ?? null) === false
            && is_string($body['message'] ?? null)
            && is_string($body['code'] ?? null)
            && is_string($body['request_id'] ?? null);
    }
}
