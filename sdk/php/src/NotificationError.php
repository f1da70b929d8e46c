<?php

declare(strict_types=1);

namespace Mfuko;

/** Not to be believed. Answer 403, log the id. */
final class NotificationError extends \RuntimeException
{
    private const SENTENCES = [
        'signature_missing' => 'The notification is not signed: its signature headers are missing',
        'signature_wrong' => 'The signature does not fit. Check that it is the Client Secret of this mode, and that the'
            . ' body is the bytes as they came: php://input, not json_encode of what was decoded',
        'timestamp_invalid' => 'The time of the notification is not a number of seconds',
        'too_old' => 'The notification is too old: it may have been recorded and played again.'
            . ' Check the clock of this computer',
        'too_new' => 'The notification is from the future. Check the clock of this computer',
        'unreadable' => 'The notification is signed, but not what this version understands',
    ];

    /**
     * @param 'signature_missing'|'signature_wrong'|'timestamp_invalid'|'too_old'|'too_new'|'unreadable' $reason
     * @param string|null $webhookId as it was sent: nobody has vouched for it
     */
    public function __construct(public readonly string $reason, public readonly ?string $webhookId)
    {
        parent::__construct(self::SENTENCES[$reason]);
    }
}
