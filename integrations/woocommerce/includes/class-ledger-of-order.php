<?php

declare(strict_types=1);

namespace MfukoForWooCommerce;

/**
 * What an order remembers of its payments, in its own meta data, by functions that work with HPOS and without:
 * the payments that were begun for it, which events were worked on, what was given back, and what was asked to be given
 * back and had no answer yet.
 */
final class LedgerOfOrder
{
    private const PAYMENTS = '_mfuko_payments';
    private const EVENTS = '_mfuko_events';
    private const REFUNDED = '_mfuko_refunded_minor';
    private const WISHES = '_mfuko_refund_wishes';
    private const FAILED_REFUNDS = '_mfuko_failed_refunds';
    private const MODE = '_mfuko_mode';
    private const EVENTS_MOST = 100;

    public function __construct(private readonly \WC_Order $order)
    {
    }

    /** @return list<string> references, the latest last */
    public function payments(): array
    {
        return $this->texts(self::PAYMENTS);
    }

    public function latest(): ?string
    {
        $payments = $this->payments();
        return $payments === [] ? null : end($payments);
    }

    public function mode(): string
    {
        return (string) $this->order->get_meta(self::MODE);
    }

    /** Of what was paid or begun in one mode, nothing is taken for the other. */
    public function begin(string $reference, string $mode): void
    {
        $before = $this->mode() === $mode ? $this->payments() : [];
        $this->order->update_meta_data(self::PAYMENTS, array_values(array_unique([...$before, $reference])));
        $this->order->update_meta_data(self::MODE, $mode);
        $this->order->save();
    }

    public function hasSeen(string $event): bool
    {
        return in_array($event, $this->events(), true);
    }

    public function see(string $event): void
    {
        $events = array_slice([...$this->events(), $event], -self::EVENTS_MOST);
        $this->order->update_meta_data(self::EVENTS, $events);
        $this->order->save();
    }

    /** What went back by Mfuko and stands in the order as a refund. */
    public function refundedMinor(): int
    {
        return (int) $this->order->get_meta(self::REFUNDED);
    }

    public function setRefundedMinor(int $minor): void
    {
        $this->order->update_meta_data(self::REFUNDED, (string) $minor);
        $this->order->save();
    }

    /**
     * A refund of this amount that was asked for, and whose answer has not come.
     *
     * @return array{key: string, body: array<string, string>, at: int}|null
     */
    public function wish(int $minor): ?array
    {
        return $this->wishes()[$minor] ?? null;
    }

    /** @param array{key: string, body: array<string, string>, at: int} $wish */
    public function keepWish(int $minor, array $wish): void
    {
        $this->order->update_meta_data(self::WISHES, [$minor => $wish] + $this->wishes());
        $this->order->save();
    }

    public function dropWish(int $minor): void
    {
        $this->order->update_meta_data(self::WISHES, array_diff_key($this->wishes(), [$minor => true]));
        $this->order->save();
    }

    /** @return list<string> ids of refunds that failed, of which there is a note */
    public function failedRefunds(): array
    {
        return $this->texts(self::FAILED_REFUNDS);
    }

    public function addFailedRefund(string $id): void
    {
        $this->order->update_meta_data(self::FAILED_REFUNDS, [...$this->failedRefunds(), $id]);
        $this->order->save();
    }

    /** @return array<int, array{key: string, body: array<string, string>, at: int}> by amount in minor units */
    private function wishes(): array
    {
        $found = $this->order->get_meta(self::WISHES);
        return is_array($found) ? $found : [];
    }

    /** @return list<string> */
    private function events(): array
    {
        return $this->texts(self::EVENTS);
    }

    /** @return list<string> */
    private function texts(string $name): array
    {
        $found = $this->order->get_meta($name);
        return is_array($found) ? array_values(array_filter($found, 'is_string')) : [];
    }
}
