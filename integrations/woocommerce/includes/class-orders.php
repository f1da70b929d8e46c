<?php

declare(strict_types=1);

namespace MfukoForWooCommerce;

use Mfuko\Amounts;
use Mfuko\MerchantClient;

/**
 * What a payment means for its order. Whatever the order in which the news come, and however often: an order is paid once,
 * with the right amount, and never unpaid again; a refund is written down once. One order is worked on by one process at a
 * time, under a lock of the database.
 */
final class Orders
{
    private const LOCK_SECONDS = 8;

    /**
     * @template T
     * @param callable(\WC_Order): T $work with the order as it is now
     * @return T
     * @throws BusyOrder when somebody else is at it for too long
     */
    public static function locked(int $id, callable $work): mixed
    {
        global $wpdb;
        // Names of locks are shared by all sites on one database server.
        $name = 'mfuko_' . substr(md5($wpdb->prefix . $wpdb->dbname . $id), 0, 24);
        $isOurs = $wpdb->get_var($wpdb->prepare('SELECT GET_LOCK(%s, %d)', $name, self::LOCK_SECONDS));
        if ((string) $isOurs !== '1') {
            throw new BusyOrder("Somebody else is working on order $id");
        }
        try {
            // What this process has read before may be old.
            if (wp_cache_supports('flush_runtime')) {
                wp_cache_flush_runtime();
            }
            $order = wc_get_order($id);
            if (!$order instanceof \WC_Order) {
                throw new \RuntimeException("Order $id is gone");
            }
            return $work($order);
        } finally {
            $wpdb->get_var($wpdb->prepare('SELECT RELEASE_LOCK(%s)', $name));
        }
    }

    /**
     * @param int|string $amount as the service wrote it
     * @return string what was done, for the answer and the log
     */
    public static function complete(\WC_Order $order, string $reference, int|string $amount, string $currency): string
    {
        $paidBy = self::paidBy($order);
        if ($paidBy === $reference) {
            return 'paid already';
        }
        if ($paidBy !== null) {
            /* translators: 1: a reference of Mfuko, 2: another one */
            $text = __('Mfuko: paid a second time, by %1$s, after %2$s. One of them should be refunded in the dashboard of Mfuko.', 'mfuko-for-woocommerce');
            $order->add_order_note(sprintf($text, $reference, $paidBy));
            return 'paid twice';
        }
        if (!self::isWhatItCosts($order, $amount, $currency)) {
            /* translators: 1: currency and amount, 2: a reference of Mfuko */
            $text = __('Mfuko: %1$s was paid (%2$s), which is not what the order costs. Please look before you deliver.', 'mfuko-for-woocommerce');
            $order->update_status('on-hold', sprintf($text, "$currency $amount", $reference));
            return 'another amount';
        }
        /* translators: 1: currency and amount, 2: a reference of Mfuko */
        $text = __('Mfuko: %1$s was paid (%2$s).', 'mfuko-for-woocommerce');
        $order->add_order_note(sprintf($text, "$currency $amount", $reference));
        if (!$order->payment_complete($reference)) {
            throw new \RuntimeException("WooCommerce could not mark order {$order->get_id()} as paid");
        }
        if ($order->get_date_paid() === null || $order->get_transaction_id() !== $reference) {
            return self::holdPaid($order, $reference);
        }
        return 'paid';
    }

    /** WooCommerce marks no order as paid that is in the bin, or in a status of the shop's own; and says nothing of it. */
    private static function holdPaid(\WC_Order $order, string $reference): string
    {
        $order->set_transaction_id($reference);
        $order->set_date_paid(time());
        /* translators: %s: status of an order */
        $text = __('Mfuko: the order was paid while it was "%s", which WooCommerce does not take for an order that waits for money. Please look, then deliver or refund.', 'mfuko-for-woocommerce');
        $order->update_status('on-hold', sprintf($text, $order->get_status()));
        return 'paid, on hold';
    }

    /** Only the latest payment of an unpaid order says that it failed: an older one has been tried again since. */
    public static function fail(\WC_Order $order, string $reference, string $reason): string
    {
        $isOpen = $order->has_status(['pending', 'checkout-draft']);
        if (!$isOpen || (new LedgerOfOrder($order))->latest() !== $reference) {
            return 'old news';
        }
        /* translators: 1: a reference of Mfuko, 2: why */
        $text = __('Mfuko: the payment %1$s failed. %2$s', 'mfuko-for-woocommerce');
        $order->update_status('failed', sprintf($text, $reference, $reason));
        return 'failed';
    }

    /**
     * A refund, perhaps one that was given in the dashboard of Mfuko. The service is asked how much has gone back in all: so
     * it does not matter which news came first, or whether the shop has begun the refund itself.
     */
    public static function refund(\WC_Order $order, string $reference, MerchantClient $client): string
    {
        $payment = $client->payments->get($reference);
        self::noteFailedRefunds($order, $payment);
        ['amount' => $amount, 'currency' => $currency] = $payment;
        $paidBy = self::paidBy($order);
        if ($paidBy === null && self::isWhatItCosts($order, $amount, $currency)) {
            // The news that it was paid are still on their way.
            self::complete($order, $reference, $amount, $currency);
        } elseif ($paidBy !== $reference) {
            /* translators: %s: a reference of Mfuko */
            $text = __('Mfuko: of the payment %s, which did not pay for this order, money has gone back.', 'mfuko-for-woocommerce');
            $order->add_order_note(sprintf($text, $reference));
            return 'refunded beside the order';
        }
        $ledger = new LedgerOfOrder($order);
        $whole = self::refundedMinorOf($payment);
        $new = $whole - $ledger->refundedMinor();
        if ($new <= 0) {
            return 'refunded already';
        }
        $ledger->setRefundedMinor($whole);
        $made = wc_create_refund([
            'order_id' => $order->get_id(),
            'amount' => Amounts::fromMinor($new, $currency),
            /* translators: %s: a reference of Mfuko */
            'reason' => sprintf(__('Refunded in Mfuko (%s)', 'mfuko-for-woocommerce'), $reference),
            'refund_payment' => false,
        ]);
        if (!is_wp_error($made)) {
            return 'refunded';
        }
        if (self::hasLeft($order, $new)) {
            $ledger->setRefundedMinor($whole - $new);
            throw new \RuntimeException($made->get_error_message());
        }
        // Refunded by hand before, for instance: WooCommerce will not take it the next time either.
        /* translators: 1: currency and amount, 2: a reference of Mfuko */
        $text = __('Mfuko: %1$s went back to the customer (%2$s), which is more than the order had left to refund. It is not among its refunds; please look.', 'mfuko-for-woocommerce');
        $order->add_order_note(sprintf($text, "$currency " . Amounts::fromMinor($new, $currency), $reference));
        return 'refunded beyond the order';
    }

    private static function hasLeft(\WC_Order $order, int $minor): bool
    {
        $left = (string) $order->get_remaining_refund_amount();
        return Amounts::isAmount($left, $order->get_currency())
            && Amounts::toMinor($left, $order->get_currency()) >= $minor;
    }

    /**
     * What has gone back or is on its way: by mobile money it takes a while.
     *
     * @param array<string, mixed> $payment
     */
    public static function refundedMinorOf(array $payment): int
    {
        $counted = array_filter($payment['refunds'], static fn (array $refund): bool => $refund['status'] !== 'failed');
        $minors = array_map(
            static fn (array $refund): int => Amounts::toMinor($refund['amount'], $payment['currency']),
            $counted,
        );
        return array_sum($minors);
    }

    /**
     * By mobile money a refund can be refused long after it was asked for. No notification tells of that, so it is seen
     * whenever the payment is looked at. The order goes on counting it: given once more in Mfuko, it is not counted again.
     *
     * @param array<string, mixed> $payment
     */
    public static function noteFailedRefunds(\WC_Order $order, array $payment): void
    {
        $ledger = new LedgerOfOrder($order);
        foreach ($payment['refunds'] as $refund) {
            if ($refund['status'] !== 'failed' || in_array($refund['id'], $ledger->failedRefunds(), true)) {
                continue;
            }
            /* translators: 1: currency and amount, 2: a reference of Mfuko, 3: why */
            $text = __('Mfuko: the refund of %1$s (%2$s) failed, and the customer did not get it. %3$s If the order counts it as refunded, give it again in the dashboard of Mfuko: it is not counted twice.', 'mfuko-for-woocommerce');
            $why = (string) ($refund['failure']['message'] ?? '');
            $order->add_order_note(sprintf($text, "{$payment['currency']} {$refund['amount']}", $payment['reference'], $why));
            $ledger->addFailedRefund($refund['id']);
        }
    }

    /** The payment that paid for it; `?` when it was paid in another way. */
    private static function paidBy(\WC_Order $order): ?string
    {
        // By the date and not by the status: a shop can have statuses of its own for what is paid.
        if ($order->get_date_paid() === null && !$order->is_paid()) {
            return null;
        }
        return $order->get_transaction_id() === '' ? '?' : $order->get_transaction_id();
    }

    private static function isWhatItCosts(\WC_Order $order, int|string $amount, string $currency): bool
    {
        $total = (string) $order->get_total('edit');
        return $currency === $order->get_currency()
            && Amounts::isAmount($total, $currency)
            && Amounts::isAmount($amount, $currency)
            && Amounts::toMinor($amount, $currency) === Amounts::toMinor($total, $currency);
    }
}

/** It comes again. */
final class BusyOrder extends \RuntimeException
{
}
