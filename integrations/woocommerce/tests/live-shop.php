<?php

declare(strict_types=1);

// A shop in PHP's own web server, for the walk through the running service: doubles of WordPress and WooCommerce, real HTTP on
// both sides. What would be in the database is in a file. `/begin` and `/refund?amount=` are what a customer and a shopkeeper
// do, `/order` shows the order, and everything else is for the plug-in.

use Mfuko\Http\HttpRequest;
use Mfuko\Http\SendError;
use Mfuko\Http\SocketSender;

require __DIR__ . '/doubles.php';
require getenv('PLUGIN_FOLDER') . '/mfuko-for-woocommerce.php';
happens('plugins_loaded');

$file = (string) getenv('SHOP_STATE');
[Site::$orders, Site::$refunds, Site::$paid] = is_file($file)
    ? unserialize((string) file_get_contents($file))
    : [[], [], 0];
register_shutdown_function(static function () use ($file): void {
    file_put_contents($file, serialize([Site::$orders, Site::$refunds, Site::$paid]));
});
Site::$options['woocommerce_mfuko_settings'] = [
    'enabled' => 'yes',
    'base_url' => getenv('MFUKO_URL'),
    'merchant_id' => getenv('MFUKO_MERCHANT_ID'),
    'test_api_key' => getenv('MFUKO_API_KEY'),
    'test_client_secret' => getenv('MFUKO_CLIENT_SECRET'),
];
Site::$http = static function (string $url, array $options): mixed {
    $request = new HttpRequest(
        $options['method'],
        $url,
        $options['headers'],
        $options['body'],
        (float) $options['timeout'],
        (float) $options['timeout'],
        $options['limit_response_size'],
    );
    try {
        return (array) (new SocketSender())->send($request);
    } catch (SendError $error) {
        return new WP_Error('http_request_failed', $error->getMessage());
    }
};
putenv('SHOP_URL=http://' . $_SERVER['HTTP_HOST']);

if (isset($_GET['wc-api'])) {
    happens('woocommerce_api_' . $_GET['wc-api']);
    return;
}
$gateway = new MfukoForWooCommerce\Gateway();
$path = parse_url($_SERVER['REQUEST_URI'], PHP_URL_PATH);
if ($path === '/begin') {
    WC_Order::make(7, ['total' => '1250.50']);
    $gateway->save_settings();
    echo json_encode($gateway->process_payment(7) + ['errors' => Site::$adminErrors]);
} elseif ($path === '/refund') {
    $done = $gateway->process_refund(7, $_GET['amount'], 'One bag was torn');
    echo json_encode($done === true ? 'refunded' : $done->get_error_message());
} else {
    $order = wc_get_order(7);
    echo json_encode([
        'status' => $order->get_status(),
        'reference' => $order->get_transaction_id(),
        'paid' => Site::$paid,
        'refunds' => array_column(Site::$refunds, 'amount'),
        'notes' => Site::$orders[7]['notes'],
    ]);
}
