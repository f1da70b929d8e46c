<?php

/**
 * Plugin Name: Mfuko for WooCommerce
 * Description: Customers pay with their Mfuko wallet or with mobile money, in the hosted checkout of Mfuko.
 * Version: 1.0.0
 * Requires at least: 6.4
 * Requires PHP: 8.1
 * Requires Plugins: woocommerce
 * WC requires at least: 8.2
 * WC tested up to: 11.0
 * Author: The Mfuko project
 * License: Apache-2.0
 * License URI: https://www.apache.org/licenses/LICENSE-2.0
 * Text Domain: mfuko-for-woocommerce
 */

declare(strict_types=1);

namespace MfukoForWooCommerce;

defined('ABSPATH') || exit;

// As it was built, with the library inside; or in a clone of the project, with the library beside.
$library = is_file(__DIR__ . '/lib/mfuko/autoload.php') ? __DIR__ . '/lib/mfuko' : __DIR__ . '/../../sdk/php';
require_once $library . '/autoload.php';
require_once __DIR__ . '/includes/class-settings.php';
require_once __DIR__ . '/includes/class-sender.php';
require_once __DIR__ . '/includes/class-ledger-of-order.php';
require_once __DIR__ . '/includes/class-orders.php';
require_once __DIR__ . '/includes/class-refunds.php';
require_once __DIR__ . '/includes/class-notifications.php';

add_action('before_woocommerce_init', static function (): void {
    $features = \Automattic\WooCommerce\Utilities\FeaturesUtil::class;
    if (class_exists($features)) {
        // Orders in tables of their own (HPOS), and the checkout made of blocks.
        $features::declare_compatibility('custom_order_tables', __FILE__, true);
        $features::declare_compatibility('cart_checkout_blocks', __FILE__, true);
    }
});

add_action('plugins_loaded', static function (): void {
    if (!class_exists(\WC_Payment_Gateway::class)) {
        return;
    }
    require_once __DIR__ . '/includes/class-gateway.php';
    add_filter('woocommerce_payment_gateways', static function (array $gateways): array {
        $gateways[] = Gateway::class;
        return $gateways;
    });
    // Here and not in the gateway: WooCommerce makes that one only when it is asked for.
    add_action('woocommerce_api_' . Settings::ID, static function (): void {
        (new Notifications(Settings::stored()))->answer();
    });
});

add_action('woocommerce_blocks_loaded', static function (): void {
    if (!class_exists(\Automattic\WooCommerce\Blocks\Payments\Integrations\AbstractPaymentMethodType::class)) {
        return;
    }
    require_once __DIR__ . '/includes/class-block.php';
    add_action('woocommerce_blocks_payment_method_type_registration', static function (object $registry): void {
        $registry->register(new Block(__FILE__));
    });
});
