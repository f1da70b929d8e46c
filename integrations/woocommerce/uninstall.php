<?php

declare(strict_types=1);

// The plug-in is deleted, and its keys with it. What orders remember of their payments stays with the orders.

defined('WP_UNINSTALL_PLUGIN') || exit;

delete_option('woocommerce_mfuko_settings');
