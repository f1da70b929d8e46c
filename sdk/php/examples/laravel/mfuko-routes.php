<?php

declare(strict_types=1);

// In routes/api.php, which has no CSRF check in front: the service has no token of a form to show.

use App\Http\Controllers\MfukoController;
use Illuminate\Support\Facades\Route;

Route::post('/mfuko/notify', [MfukoController::class, 'notify'])->name('mfuko.notify');

// And in routes/web.php, for the customer:
Route::middleware('web')->post('/orders/{order}/pay', [MfukoController::class, 'pay'])->name('orders.pay');
