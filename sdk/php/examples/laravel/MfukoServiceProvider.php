<?php

declare(strict_types=1);

namespace App\Providers;

use Illuminate\Contracts\Foundation\Application;
use Illuminate\Support\ServiceProvider;
use Mfuko\MerchantClient;

/** Makes the client where it is asked for. In config/services.php: 'mfuko' => ['url' => env('MFUKO_URL'), …]. */
final class MfukoServiceProvider extends ServiceProvider
{
    public function register(): void
    {
        $this->app->singleton(MerchantClient::class, static fn (Application $app): MerchantClient => new MerchantClient(
            baseUrl: config('services.mfuko.url'),
            apiKey: config('services.mfuko.api_key'),
            merchantId: config('services.mfuko.merchant_id'),
        ));
    }
}
