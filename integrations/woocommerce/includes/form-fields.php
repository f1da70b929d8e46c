<?php

declare(strict_types=1);

// The settings of the gateway, as WooCommerce takes them.

defined('ABSPATH') || exit;

$secret = __('Begins with whsec_. While it is being replaced: both, with a space between.', 'mfuko-for-woocommerce');

return [
    'enabled' => [
        'title' => __('Enable', 'mfuko-for-woocommerce'),
        'label' => __('Take payments with Mfuko', 'mfuko-for-woocommerce'),
        'type' => 'checkbox',
        'default' => 'no',
    ],
    'title' => [
        'title' => __('Title', 'mfuko-for-woocommerce'),
        'description' => __('What the customer sees.', 'mfuko-for-woocommerce'),
        'type' => 'text',
        'default' => __('Mfuko: wallet or mobile money', 'mfuko-for-woocommerce'),
        'desc_tip' => true,
    ],
    'description' => [
        'title' => __('Description', 'mfuko-for-woocommerce'),
        'type' => 'textarea',
        'default' => __('You will be taken to Mfuko to pay, and back.', 'mfuko-for-woocommerce'),
    ],
    'base_url' => [
        'title' => __('Address of the service', 'mfuko-for-woocommerce'),
        'description' => __('For example https://pay.example', 'mfuko-for-woocommerce'),
        'type' => 'url',
        'default' => '',
    ],
    'header_prefix' => [
        'title' => __('Header prefix', 'mfuko-for-woocommerce'),
        'description' => __('What header names of the service begin with. SVC, unless its operator has chosen another.', 'mfuko-for-woocommerce'),
        'type' => 'text',
        'default' => 'SVC',
        'desc_tip' => true,
    ],
    'merchant_id' => [
        'title' => __('Merchant ID', 'mfuko-for-woocommerce'),
        'description' => __('From the Merchant section of your dashboard, like the keys below.', 'mfuko-for-woocommerce'),
        'type' => 'text',
        'default' => '',
    ],
    'test_mode' => [
        'title' => __('Test mode', 'mfuko-for-woocommerce'),
        'label' => __('No real money moves', 'mfuko-for-woocommerce'),
        'type' => 'checkbox',
        'default' => 'yes',
    ],
    'test_api_key' => [
        'title' => __('API key, test', 'mfuko-for-woocommerce'),
        'type' => 'password',
        'default' => '',
    ],
    'test_client_secret' => [
        'title' => __('Client Secret, test', 'mfuko-for-woocommerce'),
        'description' => $secret,
        'type' => 'password',
        'default' => '',
    ],
    'live_api_key' => [
        'title' => __('API key, live', 'mfuko-for-woocommerce'),
        'type' => 'password',
        'default' => '',
    ],
    'live_client_secret' => [
        'title' => __('Client Secret, live', 'mfuko-for-woocommerce'),
        'description' => $secret,
        'type' => 'password',
        'default' => '',
    ],
];
