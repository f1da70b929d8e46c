<?php

declare(strict_types=1);

namespace MfukoForWooCommerce;

use Mfuko\Amounts;
use Mfuko\MerchantClient;
use Mfuko\MfukoError;

/** The way to pay: settings, the redirect to the checkout of Mfuko, and refunds from the page of an order. */
final class Gateway extends \WC_Payment_Gateway
{
    public function __construct()
    {
        $this->id = Settings::ID;
        $this->method_title = __('Mfuko', 'mfuko-for-woocommerce');
        $this->method_description = __('Customers pay with their Mfuko wallet or with mobile money, in the hosted checkout of Mfuko.', 'mfuko-for-woocommerce');
        $this->has_fields = false;
        $this->supports = ['products', 'refunds'];
        $this->init_form_fields();
        $this->init_settings();
        $this->title = $this->get_option('title');
        $this->description = $this->get_option('description');
        add_action("woocommerce_update_options_payment_gateways_$this->id", [$this, 'save_settings']);
        add_action("woocommerce_thankyou_$this->id", [$this, 'look_at_payment']);
    }

    public function init_form_fields(): void
    {
        $this->form_fields = require __DIR__ . '/form-fields.php';
    }

    /** Saved in any case; what can't work is told at once, and not by the first customer. */
    public function save_settings(): void
    {
        $this->process_admin_options();
        if ($this->get_option('enabled') !== 'yes') {
            return;
        }
        $settings = $this->entered();
        try {
            $settings->receiver($settings->mode());
            $profile = $settings->client($settings->mode())->with(timeout: 5.0, retries: 0)->profile();
            if ((string) $profile['merchant_id'] !== $settings->merchantId()) {
                throw new \InvalidArgumentException(__('The API key belongs to another Merchant ID.', 'mfuko-for-woocommerce'));
            }
        } catch (MfukoError | \InvalidArgumentException $error) {
            $why = $error instanceof MfukoError ? self::explained($error) : $error->getMessage();
            \WC_Admin_Settings::add_error("Mfuko: $why");
        }
    }

    /** Only where it can work: complete, and in a currency of Mfuko. */
    public function is_available(): bool
    {
        return parent::is_available()
            && $this->entered()->isComplete()
            && Settings::takes(get_woocommerce_currency());
    }

    /**
     * @param int $order_id
     * @return array{result: string, redirect: string}
     * @throws \Exception with a sentence for the customer, which WooCommerce shows in both of its checkouts
     */
    public function process_payment($order_id): array
    {
        try {
            $url = Orders::locked((int) $order_id, $this->payment_url_for(...));
        } catch (\Throwable $error) {
            self::log($error, "No payment was begun for order $order_id");
            throw new \Exception(esc_html__('The payment could not be started. Nothing was charged; please try again.', 'mfuko-for-woocommerce'));
        }
        return ['result' => 'success', 'redirect' => $url];
    }

    /**
     * Money goes back. WooCommerce has written the refund down before it asks, and takes it out again after an error.
     *
     * @param int $order_id
     * @param string|float|null $amount
     * @param string $reason
     */
    public function process_refund($order_id, $amount = null, $reason = ''): bool|\WP_Error
    {
        try {
            $note = Orders::locked(
                (int) $order_id,
                fn (\WC_Order $order): string => Refunds::give(
                    $order,
                    $this->entered(),
                    $amount ?? '',
                    self::line((string) $reason, 140),
                ),
            );
        } catch (MfukoError $error) {
            self::log($error, "No refund for order $order_id");
            return new \WP_Error('mfuko_refund', self::explained($error));
        } catch (\Throwable $error) {
            self::log($error, "No refund for order $order_id");
            return new \WP_Error('mfuko_refund', $error->getMessage());
        }
        wc_get_logger()->info("Refund for order $order_id: $note", ['source' => Settings::ID]);
        return true;
    }

    /**
     * The customer is back, perhaps before the notification. A look is cheaper than a customer who doesn't know.
     *
     * @param int $order_id
     */
    public function look_at_payment($order_id): void
    {
        $order = wc_get_order($order_id);
        if (!$order instanceof \WC_Order || $order->is_paid() || $order->get_payment_method() !== $this->id) {
            return;
        }
        try {
            Orders::locked((int) $order_id, function (\WC_Order $order): void {
                $ledger = new LedgerOfOrder($order);
                $reference = $ledger->latest();
                if ($reference === null) {
                    return;
                }
                $client = $this->entered()->client($ledger->mode())->with(timeout: 4.0, retries: 0);
                $payment = $client->payment($reference);
                if ($payment['status'] === 'completed') {
                    Orders::complete($order, $reference, $payment['amount'], $payment['currency']);
                }
            });
        } catch (\Throwable $error) {
            // The notification will tell.
            self::log($error, "Order $order_id could not be looked at");
        }
    }

    /** The payment that is open for this order, or a new one. */
    private function payment_url_for(\WC_Order $order): string
    {
        $settings = $this->entered();
        $mode = $settings->mode();
        $client = $settings->client($mode);
        $ledger = new LedgerOfOrder($order);
        $currency = $order->get_currency();
        $minor = Amounts::toMinor((string) $order->get_total('edit'), $currency);
        $payments = $ledger->mode() === $mode ? $ledger->payments() : [];
        $last = $payments === [] ? null : self::known($client, end($payments));
        if ($last !== null) {
            if ($last['status'] === 'completed') {
                Orders::complete($order, $last['reference'], $last['amount'], $last['currency']);
                return $this->get_return_url($order);
            }
            $isSame = $last['currency'] === $currency && Amounts::toMinor($last['amount'], $currency) === $minor;
            if ($last['status'] === 'pending' && $isSame) {
                return $last['payment_url'];
            }
        }
        $wish = [
            'amount' => Amounts::fromMinor($minor, $currency),
            'currency' => $currency,
            /* translators: 1: number of an order, 2: name of the shop */
            'description' => self::line(sprintf(__('Order %1$s at %2$s', 'mfuko-for-woocommerce'), $order->get_order_number(), self::shopName()), 200),
            'callback_url' => Notifications::urlFor($order),
            'success_redirect' => $this->get_return_url($order),
            'cancel_redirect' => $order->get_checkout_payment_url(),
        ];
        $begun = $client->pay($wish, idempotencyKey: self::key($order, count($payments), $wish));
        $ledger->begin($begun['reference'], $mode);
        return $begun['payment_url'];
    }

    /**
     * None, when it was begun in another account or at another service than the settings name by now.
     *
     * @return array<string, mixed>|null
     */
    private static function known(MerchantClient $client, string $reference): ?array
    {
        try {
            return $client->payment($reference);
        } catch (MfukoError $error) {
            return $error->code === 'not_found' ? null : throw $error;
        }
    }

    /**
     * The same for the same wish, another one for the next; and not the one of another shop of the same merchant. The wish
     * as a whole: a customer who changes the language after an answer got lost would else be refused for a week.
     *
     * @param array<string, string> $wish
     */
    private static function key(\WC_Order $order, int $before, array $wish): string
    {
        $parts = [home_url(), $order->get_id(), $order->get_order_key(), 'pay', $before, ...$wish];
        return 'wc-pay-' . substr(hash('sha256', implode('|', $parts)), 0, 40);
    }

    /** WordPress keeps it with entities in it. */
    private static function shopName(): string
    {
        return wp_specialchars_decode(get_bloginfo('name'), ENT_QUOTES);
    }

    /** One line, as the service takes it. */
    private static function line(string $text, int $most): string
    {
        return trim(mb_substr((string) preg_replace('/[\p{C}\s]+/u', ' ', $text), 0, $most));
    }

    private static function explained(MfukoError $error): string
    {
        $fields = implode(' ', $error->errors);
        $text = $fields === '' ? $error->getMessage() : $fields;
        return $error->requestId === null ? $text : "$text ($error->requestId)";
    }

    private static function log(\Throwable $error, string $what): void
    {
        $why = $error instanceof MfukoError ? "$error->code: " . self::explained($error) : $error->getMessage();
        wc_get_logger()->error("$what: $why", ['source' => Settings::ID]);
    }

    private function entered(): Settings
    {
        return new Settings($this->settings);
    }
}
