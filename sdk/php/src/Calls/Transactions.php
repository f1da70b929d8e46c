<?php

declare(strict_types=1);

namespace Mfuko\Calls;

use Mfuko\Api;
use Mfuko\Page;

/** What moved in and out of your wallets. */
final class Transactions
{
    public function __construct(private readonly Api $api)
    {
    }

    /**
     * The newest first.
     *
     * @param array<string, string|int|bool|null> $query
     */
    public function list(array $query = []): Page
    {
        return $this->api->page('/api/transactions', $query);
    }

    /** @return array<mixed> */
    public function get(string $reference): array
    {
        return $this->api->data('GET', '/api/transactions/:reference', ['reference' => $reference]);
    }

    /**
     * The whole selection as CSV.
     *
     * @param array<string, string|int|bool|null> $query
     */
    public function csv(array $query = []): string
    {
        return $this->api->text('GET', '/api/transactions.csv', query: $query);
    }

    /** A page to print. */
    public function receipt(string $reference): string
    {
        return $this->api->text('GET', '/api/transactions/:reference/receipt', ['reference' => $reference]);
    }
}
