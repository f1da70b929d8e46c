<?php

declare(strict_types=1);

namespace Mfuko;

/**
 * Receives notifications: the signature first, over the bytes as they came; then the time, then whether it came before.
 * Nothing of an unsigned body is looked at.
 */
final class Receiver
{
    /** @var list<string> */
    private readonly array $secrets;
    /** @var \Closure(): int */
    private readonly \Closure $now;

    /**
     * @param string|list<string> $clientSecret of the mode of your key: `whsec_…`. Several while one is being replaced.
     * @param Seen|null $seen which notifications were worked on: `FileSeen`, `PdoSeen` or your own; `receive` needs one
     * @param int $toleranceSeconds how far the time of an attempt may be off, either way
     * @param 'standard'|'body' $signature `standard`: the `webhook-…` headers, which cover id and time too. `body`:
     *   `SVC-Signature` alone, for when a proxy drops the others; then nothing tells how old a request is, and equal bodies
     *   count as the same.
     * @param (\Closure(): int)|null $now Unix seconds; for tests
     */
    public function __construct(
        #[\SensitiveParameter] string|array $clientSecret,
        private readonly ?Seen $seen = null,
        private readonly int $toleranceSeconds = 300,
        private readonly string $signature = 'standard',
        private readonly string $headerPrefix = 'SVC',
        ?\Closure $now = null,
    ) {
        $this->secrets = array_values((array) $clientSecret);
        if ($this->secrets === [] || array_filter($this->secrets, [Signatures::class, 'isSecret']) !== $this->secrets) {
            throw new \InvalidArgumentException('clientSecret is missing or not one: it begins with whsec_');
        }
        if (!in_array($signature, ['standard', 'body'], true)) {
            throw new \InvalidArgumentException('signature is standard or body');
        }
        $this->now = $now ?? static fn (): int => time();
    }

    /**
     * Verifies and reads it. Does not ask whether it came before.
     *
     * @throws NotificationError
     */
    public function read(Incoming $incoming): Notification
    {
        $this->verify($incoming);
        return $this->parsed($incoming);
    }

    /**
     * All of it: verifies, asks whether it came before, lets it be worked on once, and says what to answer.
     *
     * @param callable(Notification): mixed $handler when it throws, the answer is 500 and the notification comes again
     */
    public function receive(Incoming $incoming, callable $handler): Outcome
    {
        $seen = $this->seen ?? throw new \LogicException(
            'PHP forgets between requests: give the receiver a memory, like new FileSeen($folder) or new PdoSeen($pdo)',
        );
        if (strlen($incoming->body) > Incoming::BYTES_MOST) {
            return new Outcome(413, 'This is no notification');
        }
        try {
            $notification = $this->read($incoming);
        } catch (NotificationError $error) {
            return new Outcome(403, 'The signature of the notification is not good', $error);
        }
        // The id is under the signature only together with the time.
        $id = $this->signature === 'body' ? hash('sha256', $incoming->body) : $notification->id;
        return self::workOnce($seen, $id, static fn () => $handler($notification));
    }

    private static function workOnce(Seen $seen, string $id, \Closure $work): Outcome
    {
        $state = $seen->begin($id);
        if ($state === Seen::DONE) {
            return new Outcome(200, 'Received before');
        }
        // It comes again, and by then it is known what became of it.
        if ($state === Seen::BUSY) {
            return new Outcome(409, 'Being worked on');
        }
        try {
            $work();
        } catch (\Throwable $error) {
            $seen->forget($id);
            return new Outcome(500, 'Not worked on; send it again', $error);
        }
        $seen->done($id);
        return new Outcome(200, 'Received');
    }

    private function verify(Incoming $incoming): void
    {
        $refuse = fn (string $reason) => new NotificationError($reason, $this->idOf($incoming));
        if ($this->signature === 'body') {
            $signatures = $this->own($incoming, 'Signature-All') ?? $this->own($incoming, 'Signature');
            $signatures ?? throw $refuse('signature_missing');
            $this->anySecret(fn (string $secret) => Signatures::isBody($secret, $signatures, $incoming->body))
                || throw $refuse('signature_wrong');
            return;
        }
        $id = $incoming->header('webhook-id') ?? throw $refuse('signature_missing');
        $timestamp = $incoming->header('webhook-timestamp') ?? throw $refuse('signature_missing');
        $signature = $incoming->header('webhook-signature') ?? throw $refuse('signature_missing');
        preg_match('/^\d{1,11}$/D', $timestamp) === 1 || throw $refuse('timestamp_invalid');
        $fits = fn (string $secret) =>
            Signatures::isWebhook($secret, $id, $timestamp, $signature, $incoming->body);
        $this->anySecret($fits) || throw $refuse('signature_wrong');
        $age = ($this->now)() - (int) $timestamp;
        $age <= $this->toleranceSeconds || throw $refuse('too_old');
        -$age <= $this->toleranceSeconds || throw $refuse('too_new');
    }

    private function parsed(Incoming $incoming): Notification
    {
        try {
            $content = Json::decode($incoming->body);
        } catch (\JsonException) {
            $content = null;
        }
        $event = $content['event'] ?? null;
        $status = $content['status'] ?? null;
        $isGateway = !is_string($event) && in_array($status, ['completed', 'failed'], true);
        if (!is_array($content) || !is_array($content['data'] ?? null) || (!is_string($event) && !$isGateway)) {
            throw new NotificationError('unreadable', $this->idOf($incoming));
        }
        $error = $content['error'] ?? null;
        return new Notification(
            kind: $isGateway ? 'gateway' : 'callback',
            event: $isGateway ? "payment.$status" : $event,
            id: $this->idOf($incoming) ?? '',
            attempt: (int) ($this->own($incoming, 'Webhook-Attempt') ?? 1),
            sequence: (int) ($this->own($incoming, 'Event-Sequence') ?? 0),
            data: $content['data'],
            status: $isGateway ? $status : null,
            message: is_string($content['message'] ?? null) ? $content['message'] : null,
            timestamp: is_int($content['timestamp'] ?? null) ? $content['timestamp'] : null,
            error: is_array($error) ? $error : null,
        );
    }

    /** @param \Closure(string): bool $fits */
    private function anySecret(\Closure $fits): bool
    {
        foreach ($this->secrets as $secret) {
            if ($fits($secret)) {
                return true;
            }
        }
        return false;
    }

    private function idOf(Incoming $incoming): ?string
    {
        return $incoming->header('webhook-id') ?? $this->own($incoming, 'Webhook-ID');
    }

    /** Of the service's own headers. */
    private function own(Incoming $incoming, string $name): ?string
    {
        return $incoming->header("$this->headerPrefix-$name");
    }

    /** Not the secrets. */
    public function __debugInfo(): array
    {
        return ['signature' => $this->signature, 'toleranceSeconds' => $this->toleranceSeconds];
    }
}
