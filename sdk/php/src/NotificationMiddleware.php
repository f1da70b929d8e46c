<?php

declare(strict_types=1);

namespace Mfuko;

use Psr\Http\Message\ResponseFactoryInterface;
use Psr\Http\Message\ResponseInterface;
use Psr\Http\Message\ServerRequestInterface;
use Psr\Http\Server\MiddlewareInterface;
use Psr\Http\Server\RequestHandlerInterface;

/**
 * For Slim, Mezzio, and whatever else speaks PSR-15: as a middleware, which answers POSTs to its path and hands on the rest,
 * or as the handler of a route. It takes the bytes of the body, so it does not matter whether a parser came first.
 */
final class NotificationMiddleware implements MiddlewareInterface, RequestHandlerInterface
{
    /** @var \Closure(Notification): mixed */
    private readonly \Closure $handler;

    /**
     * @param callable(Notification): mixed $handler
     * @param string $path where notifications arrive; as the handler of a route it is not asked
     * @param (\Closure(\Throwable): void)|null $onError refused notifications and errors of the handler, to be logged
     */
    public function __construct(
        private readonly Receiver $receiver,
        callable $handler,
        private readonly ResponseFactoryInterface $responses,
        private readonly string $path = '/ipn',
        private readonly ?\Closure $onError = null,
    ) {
        $this->handler = $handler(...);
    }

    public function process(ServerRequestInterface $request, RequestHandlerInterface $next): ResponseInterface
    {
        $isOurs = $request->getMethod() === 'POST' && $request->getUri()->getPath() === $this->path;
        return $isOurs ? $this->handle($request) : $next->handle($request);
    }

    public function handle(ServerRequestInterface $request): ResponseInterface
    {
        $incoming = new Incoming($request->getHeaders(), self::bodyOf($request));
        $outcome = $this->receiver->receive($incoming, $this->handler);
        if ($outcome->error !== null && $this->onError !== null) {
            ($this->onError)($outcome->error);
        }
        $response = $this->responses->createResponse($outcome->status)
            ->withHeader('Content-Type', 'application/json');
        $response->getBody()->write($outcome->json());
        return $response;
    }

    /** At most one byte more than a receiver takes. */
    private static function bodyOf(ServerRequestInterface $request): string
    {
        $stream = $request->getBody();
        if ($stream->isSeekable()) {
            $stream->rewind();
        }
        $body = '';
        while (strlen($body) <= Incoming::BYTES_MOST && !$stream->eof()) {
            $part = $stream->read(Incoming::BYTES_MOST + 1 - strlen($body));
            if ($part === '') {
                break;
            }
            $body .= $part;
        }
        return $body;
    }
}
