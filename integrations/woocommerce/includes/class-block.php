<?php

declare(strict_types=1);

namespace MfukoForWooCommerce;

use Automattic\WooCommerce\Blocks\Payments\Integrations\AbstractPaymentMethodType;

/** The same way to pay in the checkout that is made of blocks. */
final class Block extends AbstractPaymentMethodType
{
    protected $name = Settings::ID;

    public function __construct(private readonly string $pluginFile)
    {
    }

    public function initialize(): void
    {
        $this->settings = get_option('woocommerce_' . Settings::ID . '_settings', []);
    }

    public function is_active(): bool
    {
        $gateway = WC()->payment_gateways()->payment_gateways()[Settings::ID] ?? null;
        return $gateway !== null && $gateway->is_available();
    }

    /** @return list<string> */
    public function get_payment_method_script_handles(): array
    {
        wp_register_script(
            'mfuko-block',
            plugins_url('assets/block.js', $this->pluginFile),
            ['wc-blocks-registry', 'wc-settings', 'wp-element', 'wp-html-entities'],
            '1.0.0',
            true,
        );
        return ['mfuko-block'];
    }

    /** @return array{title: string, description: string, supports: list<string>} */
    public function get_payment_method_data(): array
    {
        return [
            'title' => (string) $this->get_setting('title'),
            'description' => (string) $this->get_setting('description'),
            'supports' => ['products', 'refunds'],
        ];
    }
}
