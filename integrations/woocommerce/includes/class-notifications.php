<?php

declare(strict_types=1);

namespace MfukoForWooCommerce;

use Mfuko\Incoming;
use Mfuko\Notification;
use Mfuko\NotificationError;
use Mfuko\Outcome;

/**
 * The receiver: `/?wc-api=mfuko&order=…`. The address says which order; whether that is so, the signature and the payments
 * of the order say. The signature is over the bytes as they came, so nothing but php://input is good enough.
 */
final class Notifications
{
    public function __construct(private readonly Settings $settings)
    {
    }

    /** Where the service sends what becomes of an order. */
    public static function urlFor(\WC_Order $order): string
    {
        return add_query_arg('order', (string) $order->get_id(), WC()->api_request_url(Settings::ID));
    }

    /** Answers the request that is being answered. */
    public function answer(): void
    {
        $order = isset($_GET['order']) && is_scalar($_GET['order']) ? absint($_GET['order']) : 0;
        $outcome = $this->receive(Incoming::fromGlobals(), $order);
        status_header($outcome->status);
        header('Content-Type: application/json');
        echo $outcome->json();
        exit;
    }

    public function receive(Incoming $incoming, int $orderId): Outcome
    {
        $order = $orderId > 0 ? wc_get_order($orderId) : false;
        if (!$order instanceof \WC_Order) {
            return self::logged(new Outcome(404, 'No order waits for this'), $orderId);
        }
        $mode = (new LedgerOfOrder($order))->mode() ?: $this->settings->mode();
        try {
            $notification = $this->settings->receiver($mode)->read($incoming);
            if ($notification->event === 'payment.pending') {
                // It can be faster than we are with writing down that the payment was begun, and there is nothing to do.
                return self::logged(new Outcome(200, 'Noted'), $orderId);
            }
            $message = Orders::locked(
                $orderId,
                fn (\WC_Order $order): string => $this->work($order, $notification, $mode),
            );
            return self::logged(new Outcome($message === 'unknown' ? 404 : 200, ucfirst($message)), $orderId);
        } catch (NotificationError $error) {
            return self::logged(new Outcome(403, 'The signature of the notification is not good', $error), $orderId);
        } catch (\Throwable $error) {
            return self::logged(new Outcome(500, 'Not worked on; send it again', $error), $orderId);
        }
    }

    private function work(\WC_Order $order, Notification $notification, string $mode): string
    {
        $ledger = new LedgerOfOrder($order);
        $data = $notification->data;
        $reference = is_string($data['reference'] ?? null) ? $data['reference'] : '';
        $isOurs = (string) ($data['merchant_id'] ?? '') === $this->settings->merchantId();
        if (!$isOurs || !in_array($reference, $ledger->payments(), true)) {
            // The answer to its beginning got lost, so nobody could pay it, and it expired: there is nothing to do.
            return $isOurs && $notification->event === 'payment.failed' ? 'noted' : 'unknown';
        }
        if ($ledger->hasSeen($notification->id)) {
            return 'received before';
        }
        $done = match ($notification->event) {
            'payment.completed' => Orders::complete($order, $reference, $data['amount'], $data['currency']),
            'payment.failed' => Orders::fail($order, $reference, (string) ($notification->error['message'] ?? '')),
            'payment.refunded' => Orders::refund($order, $reference, $this->settings->client($mode)),
            default => 'noted',
        };
        $ledger->see($notification->id);
        return $done;
    }

    /** Without what a stranger has sent. */
    private static function logged(Outcome $outcome, int $orderId): Outcome
    {
        $text = "Notification for order $orderId: $outcome->status $outcome->message";
        $why = match (true) {
            $outcome->error instanceof NotificationError => " ({$outcome->error->reason})",
            $outcome->error !== null => ' (' . $outcome->error->getMessage() . ')',
            default => '',
        };
        $level = $outcome->status === 200 ? 'info' : 'warning';
        wc_get_logger()->log($level, $text . $why, ['source' => Settings::ID]);
        return $outcome;
    }
}
