<?php

declare(strict_types=1);

// The controller for Laravel, with as much of Laravel as it needs: what came in is never undone by what is told later.

namespace Illuminate\Http {
    final class JsonResponse
    {
        public function __construct(public readonly int $status)
        {
        }
    }

    final class Request
    {
        public function __construct(public readonly object $headers, private readonly string $content)
        {
        }

        public function getContent(): string
        {
            return $this->content;
        }
    }
}

namespace Illuminate\Support\Facades {
    final class DB
    {
        public static \PDO $pdo;

        public static function connection(): self
        {
            return new self();
        }

        public function getPdo(): \PDO
        {
            return self::$pdo;
        }

        public static function transaction(\Closure $work): void
        {
            $work();
        }
    }
}

namespace App\Models {
    /** The one that there is. */
    final class Order
    {
        public int $total_minor = 5000;
        public string $currency = 'UGX';

        public function __construct(public string $status)
        {
        }

        public static self $only;

        public static function where(string $_, string $__): self
        {
            return self::$only;
        }

        public function lockForUpdate(): self
        {
            return $this;
        }

        public function firstOrFail(): self
        {
            return $this;
        }

        public function save(): void
        {
        }
    }
}

namespace App\Http\Controllers {
    abstract class Controller
    {
    }

    function config(string $_): string
    {
        return SECRET;
    }

    function report(\Throwable $error): void
    {
        throw $error;
    }

    function response(): object
    {
        return new class () {
            public function json(array $_, int $status): \Illuminate\Http\JsonResponse
            {
                return new \Illuminate\Http\JsonResponse($status);
            }
        };
    }
}

namespace {
    use App\Http\Controllers\MfukoController;
    use App\Models\Order;
    use Illuminate\Http\Request;
    use Illuminate\Support\Facades\DB;
    use Mfuko\PdoSeen;

    require_once __DIR__ . '/signing.php';
    require_once __DIR__ . '/../examples/laravel/MfukoController.php';

    test('Laravel: an order is as far as the money that came, whatever is told later', function (): void {
        if (!extension_loaded('pdo_sqlite')) {
            return;
        }
        DB::$pdo = new PDO('sqlite::memory:');
        (new PdoSeen(DB::$pdo))->createTable();
        $after = function (string $status, string $said, int $amount = 5000): string {
            Order::$only = new Order($status);
            $data = ['ref_trx' => 'ORDER-1', 'amount' => $amount, 'currency_code' => 'UGX'];
            $body = json_encode(['data' => $data, 'message' => 'm', 'status' => $said, 'timestamp' => 1], JSON_THROW_ON_ERROR);
            ['headers' => $headers] = signed($body);
            $bag = new class ($headers) {
                public function __construct(private readonly array $headers)
                {
                }

                public function all(): array
                {
                    return array_map(fn (string $value) => [$value], $this->headers);
                }
            };
            same(200, (new MfukoController())->notify(new Request($bag, $body))->status);
            return Order::$only->status;
        };
        same('paid', $after('new', 'completed'));
        same('to_check', $after('new', 'completed', 4999));
        same('unpaid', $after('new', 'failed'));
        same('paid', $after('unpaid', 'completed'), 'a provider confirms late');
        same('paid', $after('paid', 'failed'));
        same('to_check', $after('to_check', 'failed'));
    });
}
