<?php

declare(strict_types=1);

// As much of WordPress and WooCommerce as the plug-in calls, with their behaviour where it matters: orders are kept when
// they are saved, each process has copies of its own, a refund of everything makes an order `refunded`.

define('ABSPATH', __DIR__ . '/');

/** The site: what would be in its database, and what was done with it. */
final class Site
{
    /** @var array<int, array<string, mixed>> */
    public static array $orders = [];
    /** @var array<string, mixed> */
    public static array $options = [];
    /** @var array<string, list<callable>> */
    public static array $hooks = [];
    /** @var list<string> */
    public static array $log = [];
    /** @var list<string> */
    public static array $adminErrors = [];
    /** @var list<array{amount: string, reason: string}> */
    public static array $refunds = [];
    /** @var array<string, true> held by somebody */
    public static array $locks = [];
    /** How often an order became paid. */
    public static int $paid = 0;
    /** @var (callable(string, array<string, mixed>): mixed)|null what a request to the service gets */
    public static $http = null;
    public static string $currency = 'KES';
    /** The database takes nothing. */
    public static bool $isReadOnly = false;
    /** @var array<string, string> text → in the language of the customer */
    public static array $translated = [];

    public static function reset(): void
    {
        [self::$orders, self::$options, self::$log, self::$adminErrors, self::$refunds, self::$locks] = [[], [], [], [], [], []];
        [self::$paid, self::$http, self::$currency, self::$translated, self::$isReadOnly] = [0, null, 'KES', [], false];
    }
}

class WC_Order
{
    private const DEFAULTS = [
        'status' => 'pending',
        'total' => '1250.50',
        'currency' => 'KES',
        'transaction_id' => '',
        'date_paid' => null,
        'payment_method' => 'mfuko',
        'meta' => [],
        'notes' => [],
    ];
    /** @var array<string, mixed> */
    private array $values;
    /** @var array<string, mixed> */
    private array $changes = [];

    public function __construct(private int $id)
    {
        $this->values = Site::$orders[$id] + self::DEFAULTS;
    }

    /** @param array<string, mixed> $values */
    public static function make(int $id, array $values = []): self
    {
        Site::$orders[$id] = $values + self::DEFAULTS;
        return new self($id);
    }

    public function save(): int
    {
        // Only what was changed, as the real one does.
        Site::$orders[$this->id] = array_replace(Site::$orders[$this->id], $this->changes);
        $this->changes = [];
        return $this->id;
    }

    private function set(string $name, mixed $value): void
    {
        $this->values[$name] = $this->changes[$name] = $value;
    }

    public function get_id(): int
    {
        return $this->id;
    }

    public function get_remaining_refund_amount(): string
    {
        return number_format((float) $this->get_total() - array_sum(array_column(Site::$refunds, 'amount')), 2, '.', '');
    }

    public function get_order_number(): string
    {
        return (string) $this->id;
    }

    public function get_order_key(): string
    {
        return "wc_order_$this->id";
    }

    public function get_total(string $context = 'view'): string
    {
        return $this->values['total'];
    }

    public function get_currency(): string
    {
        return $this->values['currency'];
    }

    public function get_transaction_id(): string
    {
        return $this->values['transaction_id'];
    }

    public function set_transaction_id(string $id): void
    {
        $this->set('transaction_id', $id);
    }

    public function set_date_paid(int $time): void
    {
        $this->set('date_paid', gmdate('Y-m-d', $time));
    }

    public function get_date_paid(): ?string
    {
        return $this->values['date_paid'];
    }

    public function get_payment_method(): string
    {
        return $this->values['payment_method'];
    }

    public function get_status(): string
    {
        return $this->values['status'];
    }

    public function get_checkout_payment_url(): string
    {
        return "https://duka.example/pay/$this->id";
    }

    public function get_meta(string $name): mixed
    {
        return $this->values['meta'][$name] ?? '';
    }

    public function update_meta_data(string $name, mixed $value): void
    {
        $this->set('meta', [$name => $value] + $this->values['meta']);
    }

    /** @param string|list<string> $status */
    public function has_status(string|array $status): bool
    {
        return in_array($this->values['status'], (array) $status, true);
    }

    public function is_paid(): bool
    {
        return $this->has_status(['processing', 'completed']);
    }

    public function add_order_note(string $note): void
    {
        Site::$orders[$this->id]['notes'][] = $note;
    }

    public function update_status(string $status, string $note = ''): bool
    {
        $this->set('status', $status);
        $this->add_order_note($note);
        $this->save();
        return true;
    }

    public function payment_complete(string $transactionId = ''): bool
    {
        if ($this->has_status(['on-hold', 'pending', 'failed', 'cancelled'])) {
            Site::$paid += 1;
            $this->set('transaction_id', $transactionId);
            $this->set('date_paid', '2026-03-14');
            $this->set('status', 'processing');
            $this->save();
        }
        return true;
    }
}

class WC_Payment_Gateway
{
    public string $id = '';
    public string $method_title = '';
    public string $method_description = '';
    public bool $has_fields = true;
    public array $supports = [];
    public array $form_fields = [];
    public array $settings = [];
    public string $title = '';
    public string $description = '';

    public function init_settings(): void
    {
        $defaults = array_map(fn (array $field) => $field['default'] ?? '', $this->form_fields);
        $this->settings = get_option("woocommerce_{$this->id}_settings", []) + $defaults;
    }

    public function get_option(string $name): mixed
    {
        return $this->settings[$name] ?? '';
    }

    public function is_available(): bool
    {
        return $this->get_option('enabled') === 'yes';
    }

    public function process_admin_options(): bool
    {
        $this->init_settings();
        return true;
    }

    public function get_return_url(?WC_Order $order = null): string
    {
        return "https://duka.example/thanks/{$order?->get_id()}";
    }
}

class WC_Admin_Settings
{
    public static function add_error(string $text): void
    {
        Site::$adminErrors[] = $text;
    }
}

class WP_Error
{
    public function __construct(private string $code, private string $message)
    {
    }

    public function get_error_message(): string
    {
        return $this->message;
    }
}

/** The lock of the database is held by one. */
$wpdb = new class () {
    public string $prefix = 'wp_';
    public string $dbname = 'duka';

    public function prepare(string $sql, mixed ...$values): array
    {
        return [$sql, $values];
    }

    public function get_var(array $prepared): string
    {
        [$sql, [$name]] = $prepared;
        if (str_contains($sql, 'RELEASE_LOCK')) {
            unset(Site::$locks[$name]);
            return '1';
        }
        if (isset(Site::$locks[$name]) || isset(Site::$locks['all'])) {
            return '0';
        }
        Site::$locks[$name] = true;
        return '1';
    }
};

function add_action(string $name, callable $do): void
{
    Site::$hooks[$name][] = $do;
}

function add_filter(string $name, callable $do): void
{
    Site::$hooks[$name][] = $do;
}

function happens(string $name, mixed ...$arguments): mixed
{
    $last = null;
    foreach (Site::$hooks[$name] ?? [] as $do) {
        $last = $do(...$arguments);
    }
    return $last;
}

function get_option(string $name, mixed $default = false): mixed
{
    return Site::$options[$name] ?? $default;
}

function wc_get_order(int $id): WC_Order|false
{
    return isset(Site::$orders[$id]) ? new WC_Order($id) : false;
}

function wc_create_refund(array $given): WP_Error|stdClass
{
    $order = new WC_Order($given['order_id']);
    $before = array_sum(array_column(Site::$refunds, 'amount'));
    if ((float) $given['amount'] <= 0 || (float) $given['amount'] > (float) $order->get_remaining_refund_amount()) {
        return new WP_Error('error', 'Invalid refund amount.');
    }
    if (Site::$isReadOnly) {
        return new WP_Error('error', 'Could not write.');
    }
    Site::$refunds[] = ['amount' => $given['amount'], 'reason' => $given['reason']];
    if ($before + (float) $given['amount'] === (float) $order->get_total()) {
        $order->update_status('refunded');
    }
    return new stdClass();
}

function WC(): object
{
    return new class () {
        public function api_request_url(string $name): string
        {
            return (getenv('SHOP_URL') ?: 'https://duka.example') . "/?wc-api=$name";
        }
    };
}

function wc_get_logger(): object
{
    return new class () {
        public function log(string $level, string $text, array $context): void
        {
            Site::$log[] = "$level $text";
        }

        public function info(string $text, array $context): void
        {
            $this->log('info', $text, $context);
        }

        public function error(string $text, array $context): void
        {
            $this->log('error', $text, $context);
        }
    };
}

function wp_remote_request(string $url, array $options): mixed
{
    return (Site::$http ?? throw new LogicException("Nobody expected a request to $url"))($url, $options);
}

function wp_remote_retrieve_body(array $answer): string
{
    return $answer['body'];
}

function wp_remote_retrieve_header(array $answer, string $name): string
{
    return $answer['headers'][$name] ?? '';
}

function wp_remote_retrieve_response_code(array $answer): int
{
    return $answer['status'];
}

function is_wp_error(mixed $value): bool
{
    return $value instanceof WP_Error;
}

function add_query_arg(string $name, string $value, string $url): string
{
    return "$url&$name=$value";
}

function get_woocommerce_currency(): string
{
    return Site::$currency;
}

function get_bloginfo(string $name): string
{
    return 'Duka &amp; Sons';
}

function wp_specialchars_decode(string $text, int $flags): string
{
    return htmlspecialchars_decode($text, $flags);
}

function home_url(): string
{
    return 'https://duka.example';
}

function wp_cache_supports(string $what): bool
{
    return true;
}

function wp_cache_flush_runtime(): bool
{
    return true;
}

function status_header(int $status): void
{
    http_response_code($status);
}

function absint(mixed $value): int
{
    return abs((int) $value);
}

function __(string $text, string $domain): string
{
    return Site::$translated[$text] ?? $text;
}

function esc_html__(string $text, string $domain): string
{
    return $text;
}

if (!function_exists('mb_substr')) {
    // WordPress brings it where PHP doesn't.
    function mb_substr(string $text, int $start, ?int $length = null): string
    {
        return implode('', array_slice(preg_split('//u', $text, -1, PREG_SPLIT_NO_EMPTY) ?: [], $start, $length));
    }
}
