<?php

declare(strict_types=1);

namespace MfukoForWooCommerce;

use Mfuko\Amounts;
use Mfuko\MerchantClient;
use Mfuko\Receiver;

/** What the shopkeeper has entered. Test and live have keys and secrets of their own, and an order belongs to one of them. */
final class Settings
{
    public const ID = 'mfuko';

    /** @param array<string, mixed> $values */
    public function __construct(private readonly array $values)
    {
    }

    public static function stored(): self
    {
        $values = get_option('woocommerce_' . self::ID . '_settings', []);
        return new self(is_array($values) ? $values : []);
    }

    /** @return 'test'|'live' */
    public function mode(): string
    {
        return $this->text('test_mode', 'yes') === 'yes' ? 'test' : 'live';
    }

    public function merchantId(): string
    {
        return $this->text('merchant_id');
    }

    public function isComplete(): bool
    {
        $mode = $this->mode();
        $needed = ['base_url', 'merchant_id', "{$mode}_api_key", "{$mode}_client_secret"];
        return !in_array('', array_map($this->text(...), $needed), true);
    }

    public static function takes(string $currency): bool
    {
        return isset(Amounts::CURRENCIES[$currency]);
    }

    /** @throws \InvalidArgumentException when what was entered can't be right */
    public function client(string $mode): MerchantClient
    {
        return new MerchantClient(
            baseUrl: $this->text('base_url'),
            apiKey: $this->text("{$mode}_api_key"),
            merchantId: $this->merchantId(),
            headerPrefix: $this->headerPrefix(),
            // The customer waits for this, and PHP has 30 seconds on many hosts.
            timeout: 10.0,
            sender: new Sender(),
        );
    }

    /**
     * It only verifies: the order remembers what came before.
     *
     * @throws \InvalidArgumentException when what was entered can't be right
     */
    public function receiver(string $mode): Receiver
    {
        $secrets = preg_split('/\s+/', $this->text("{$mode}_client_secret"), -1, PREG_SPLIT_NO_EMPTY);
        return new Receiver($secrets ?: '', headerPrefix: $this->headerPrefix());
    }

    /** @throws \InvalidArgumentException when it can't be part of the name of a header */
    private function headerPrefix(): string
    {
        $prefix = $this->text('header_prefix') ?: 'SVC';
        if (preg_match('/^[A-Za-z0-9]{1,20}$/D', $prefix) !== 1) {
            throw new \InvalidArgumentException(__('The header prefix has letters and digits only.', 'mfuko-for-woocommerce'));
        }
        return $prefix;
    }

    private function text(string $name, string $default = ''): string
    {
        $value = $this->values[$name] ?? $default;
        return is_string($value) ? trim($value) : $default;
    }
}
