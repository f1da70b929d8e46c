<?php

declare(strict_types=1);

/** The scripted server in a process of its own. */
final class ScriptedService
{
    public readonly string $host;
    /** @var resource */
    private $process;
    /** @var array<int, resource> */
    private array $pipes = [];

    public function __construct(?string $certificate = null)
    {
        $command = [PHP_BINARY, __DIR__ . '/scripted-server.php', ...($certificate === null ? [] : [$certificate])];
        $process = proc_open($command, [['pipe', 'r'], ['pipe', 'w'], STDERR], $this->pipes);
        $this->process = $process ?: throw new RuntimeException('The scripted server does not start');
        $this->host = '127.0.0.1:' . trim((string) fgets($this->pipes[1]));
        register_shutdown_function($this->stop(...));
    }

    /** @param array<string, mixed> ...$acts */
    public function does(array ...$acts): void
    {
        fwrite($this->pipes[0], json_encode($acts, JSON_THROW_ON_ERROR) . "\n");
        // What came before was looked at, or nobody wants to.
        while (trim((string) fgets($this->pipes[1])) !== 'ready') {
        }
    }

    /** @return list<array{line: string, headers: array<string, string>, body: string}> what came since the last look */
    public function got(): array
    {
        $got = [];
        stream_set_blocking($this->pipes[1], false);
        while (($line = fgets($this->pipes[1])) !== false) {
            ['head' => $head, 'body' => $body] = json_decode($line, true);
            $lines = explode("\r\n", trim($head));
            $request = array_shift($lines);
            $got[] = ['line' => $request, 'headers' => Mfuko\Http\HttpResponse::headersOf($lines), 'body' => $body];
        }
        stream_set_blocking($this->pipes[1], true);
        return $got;
    }

    private function stop(): void
    {
        // It ends when nobody writes any more.
        fclose($this->pipes[0]);
        proc_close($this->process);
    }
}
