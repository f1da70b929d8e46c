<?php

declare(strict_types=1);

namespace MfukoForWooCommerce;

use Mfuko\Amounts;
use Mfuko\MerchantClient;
use Mfuko\MfukoError;

/**
 * Refunds from the page of an order. A wish is kept in the order, with its key, before the service is asked, and until a
 * definite answer has come: however many answers get lost, and whatever is told in between, a second click is the same
 * refund, and the one after an answer is another.
 */
final class Refunds
{
    /** The service knows a key for seven days. */
    private const KEY_SECONDS = 6 * 86400;

    /**
     * @return string what was done, as it stands in the order
     * @throws MfukoError|\RuntimeException when WooCommerce is to write down no refund
     */
    public static function give(\WC_Order $order, Settings $settings, string|float|int $amount, string $reason): string
    {
        $ledger = new LedgerOfOrder($order);
        $reference = $order->get_transaction_id();
        if (!in_array($reference, $ledger->payments(), true)) {
            throw new \RuntimeException(__('This order was not paid by Mfuko.', 'mfuko-for-woocommerce'));
        }
        $client = $settings->client($ledger->mode());
        $currency = $order->get_currency();
        $minor = Amounts::toMinor($amount, $currency);
        $open = self::openWish($ledger, $minor);
        $wish = $open ?? self::newWish(Amounts::fromMinor($minor, $currency), $reason);
        $ledger->keepWish($minor, $wish);
        $answer = self::ask($client, $reference, $wish, static fn () => $ledger->dropWish($minor));
        // An answer that is given again says what was then.
        $payment = $open === null ? $answer : $client->payments->get($reference);
        Orders::noteFailedRefunds($order, $payment);
        $before = $ledger->refundedMinor();
        if ($open !== null && Orders::refundedMinorOf($payment) < $before + $minor) {
            $ledger->dropWish($minor);
            throw new \RuntimeException(__('Mfuko had made this refund when you asked for it before: see the refunds and the notes of the order. Nothing was sent again. To give the same amount once more, refund again.', 'mfuko-for-woocommerce'));
        }
        $ledger->setRefundedMinor($before + $minor);
        $ledger->dropWish($minor);
        // The one that was made last when it was answered.
        $given = array_column($payment['refunds'], 'status', 'id')[end($answer['refunds'])['id']];
        return self::noted($order, $given, "$currency {$wish['body']['amount']}");
    }

    /** @return array{key: string, body: array<string, string>, at: int}|null */
    private static function openWish(LedgerOfOrder $ledger, int $minor): ?array
    {
        $wish = $ledger->wish($minor);
        if ($wish === null || $wish['at'] > time() - self::KEY_SECONDS) {
            return $wish;
        }
        $ledger->dropWish($minor);
        throw new \RuntimeException(__('A refund of this amount was asked for days ago, and its answer got lost. Nothing was sent now: look at the payment in the dashboard of Mfuko first. If it was not refunded there, refund again.', 'mfuko-for-woocommerce'));
    }

    /** @return array{key: string, body: array<string, string>, at: int} */
    private static function newWish(string $amount, string $reason): array
    {
        return [
            'key' => 'wc-refund-' . bin2hex(random_bytes(20)),
            'body' => ['amount' => $amount] + array_filter(['reason' => $reason]),
            'at' => time(),
        ];
    }

    /**
     * @param array{key: string, body: array<string, string>, at: int} $wish
     * @param callable(): void $onRefusal
     * @return array<string, mixed> the payment
     */
    private static function ask(MerchantClient $client, string $reference, array $wish, callable $onRefusal): array
    {
        try {
            return $client->payments->refund($reference, $wish['body'], idempotencyKey: $wish['key']);
        } catch (MfukoError $error) {
            // These say that nothing was done with this key; all others, only that this try did nothing.
            if (in_array($error->code, ['validation_failed', 'insufficient_funds', 'invalid_state'], true)) {
                $onRefusal();
            }
            throw $error;
        }
    }

    private static function noted(\WC_Order $order, string $status, string $amount): string
    {
        $text = $status === 'pending'
            /* translators: 1: currency and amount, 2: a reference of Mfuko */
            ? __('Mfuko: a refund of %1$s is on its way (%2$s). By mobile money it takes a while; the dashboard of Mfuko says how far it is, and the owner of the business gets a mail if it fails.', 'mfuko-for-woocommerce')
            /* translators: 1: currency and amount, 2: a reference of Mfuko */
            : __('Mfuko: %1$s was refunded (%2$s).', 'mfuko-for-woocommerce');
        $note = sprintf($text, $amount, $order->get_transaction_id());
        $order->add_order_note($note);
        return $note;
    }
}
