<?php

declare(strict_types=1);

namespace App\Http\Controllers;

use App\Models\Order;
use Illuminate\Http\JsonResponse;
use Illuminate\Http\RedirectResponse;
use Illuminate\Http\Request;
use Illuminate\Support\Facades\DB;
use Mfuko\Amounts;
use Mfuko\Incoming;
use Mfuko\MerchantClient;
use Mfuko\Notification;
use Mfuko\PdoSeen;
use Mfuko\Receiver;

/**
 * Takes payments in a Laravel shop. Routes, settings and the table are in this folder. An `Order` here has `number`,
 * `total_minor` (whole minor units), `currency` and `status`.
 */
final class MfukoController extends Controller
{
    /** The customer has chosen to pay: off to the checkout. */
    public function pay(Order $order, MerchantClient $mfuko): RedirectResponse
    {
        $started = $mfuko->initiatePayment([
            'payment_amount' => Amounts::fromMinor($order->total_minor, $order->currency),
            'currency_code' => $order->currency,
            'ref_trx' => $order->number,
            'description' => "Order $order->number",
            'ipn_url' => route('mfuko.notify'),
            'success_redirect' => route('orders.show', $order),
            'cancel_redirect' => route('orders.show', $order),
        ]);
        return redirect()->away($started['payment_url']);
    }

    /** A notification. The bytes as they came are getContent(): `$request->all()` is what a parser made of them. */
    public function notify(Request $request): JsonResponse
    {
        $receiver = new Receiver(
            clientSecret: config('services.mfuko.client_secret'),
            seen: new PdoSeen(DB::connection()->getPdo()),
        );
        $incoming = new Incoming($request->headers->all(), $request->getContent());
        $outcome = $receiver->receive($incoming, $this->settle(...));
        if ($outcome->error !== null) {
            report($outcome->error);
        }
        return response()->json(['message' => $outcome->message], $outcome->status);
    }

    private function settle(Notification $notification): void
    {
        if ($notification->kind !== 'gateway') {
            return;
        }
        ['ref_trx' => $number, 'amount' => $amount, 'currency_code' => $currency] = $notification->data;
        DB::transaction(function () use ($notification, $number, $amount, $currency): void {
            $order = Order::where('number', $number)->lockForUpdate()->firstOrFail();
            $hasFailed = $notification->status === 'failed';
            // A try that failed may be told after another one that brought money.
            if ($order->status === 'paid' || ($hasFailed && $order->status === 'to_check')) {
                return;
            }
            $isRight = $currency === $order->currency
                && Amounts::toMinor($amount, $currency) === $order->total_minor;
            $order->status = match (true) {
                $hasFailed => 'unpaid',
                $isRight => 'paid',
                // Money came, but not what the order costs: for a person to look at.
                default => 'to_check',
            };
            $order->save();
        });
    }
}
