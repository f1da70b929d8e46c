<?php

declare(strict_types=1);

namespace Mfuko\Calls;

use Mfuko\Api;
use Mfuko\Page;

/** What was sent to a business. */
final class Notifications
{
    public function __construct(private readonly Api $api)
    {
    }

    /** @param array<string, string|int|bool|null> $query */
    public function list(array $query = []): Page
    {
        return $this->api->page('/api/merchant/notifications', $query);
    }

    /**
     * With every attempt.
     *
     * @return array<string, mixed>
     */
    public function get(string $id): array
    {
        return $this->api->data('GET', '/api/merchant/notifications/:id', ['id' => $id]);
    }
}
