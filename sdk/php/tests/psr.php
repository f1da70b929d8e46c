<?php

declare(strict_types=1);

// The PSR interfaces, as far as the middleware uses them, and the smallest classes that have them. Real ones come with the
// framework.

namespace Psr\Http\Message {
    interface StreamInterface
    {
        public function isSeekable();
        public function rewind();
        public function eof();
        public function read(int $length);
        public function write(string $string);
    }
    interface UriInterface
    {
        public function getPath();
    }
    interface ResponseInterface
    {
        public function withHeader(string $name, $value);
        public function getBody();
    }
    interface ServerRequestInterface
    {
        public function getMethod();
        public function getUri();
        public function getHeaders();
        public function getBody();
    }
    interface ResponseFactoryInterface
    {
        public function createResponse(int $code = 200, string $reasonPhrase = ''): ResponseInterface;
    }
}

namespace Psr\Http\Server {
    use Psr\Http\Message\ResponseInterface;
    use Psr\Http\Message\ServerRequestInterface;

    interface RequestHandlerInterface
    {
        public function handle(ServerRequestInterface $request): ResponseInterface;
    }
    interface MiddlewareInterface
    {
        public function process(ServerRequestInterface $request, RequestHandlerInterface $handler): ResponseInterface;
    }
}

namespace {
    use Psr\Http\Message\ResponseFactoryInterface;
    use Psr\Http\Message\ResponseInterface;
    use Psr\Http\Message\ServerRequestInterface;
    use Psr\Http\Message\StreamInterface;
    use Psr\Http\Message\UriInterface;
    use Psr\Http\Server\RequestHandlerInterface;

    final class TestStream implements StreamInterface
    {
        private int $at = 0;

        public function __construct(public string $text = '')
        {
        }

        public function isSeekable(): bool
        {
            return true;
        }

        public function rewind(): void
        {
            $this->at = 0;
        }

        public function eof(): bool
        {
            return $this->at >= strlen($this->text);
        }

        /** In small pieces, as a network does. */
        public function read(int $length): string
        {
            $part = substr($this->text, $this->at, min($length, 8_192));
            $this->at += strlen($part);
            return $part;
        }

        public function write(string $string): int
        {
            $this->text .= $string;
            return strlen($string);
        }
    }

    final class TestRequest implements ServerRequestInterface, UriInterface
    {
        private TestStream $stream;

        public function __construct(private string $method, private string $path, private array $headers, string $body)
        {
            $this->stream = new TestStream($body);
        }

        public function getMethod(): string
        {
            return $this->method;
        }

        public function getUri(): UriInterface
        {
            return $this;
        }

        public function getPath(): string
        {
            return $this->path;
        }

        public function getHeaders(): array
        {
            return $this->headers;
        }

        public function getBody(): StreamInterface
        {
            return $this->stream;
        }
    }

    final class TestResponse implements ResponseInterface
    {
        private TestStream $stream;
        public array $headers = [];

        public function __construct(public int $status)
        {
            $this->stream = new TestStream();
        }

        public function withHeader(string $name, $value): static
        {
            $this->headers[$name] = $value;
            return $this;
        }

        public function getBody(): TestStream
        {
            return $this->stream;
        }
    }

    final class TestResponses implements ResponseFactoryInterface
    {
        public function createResponse(int $code = 200, string $reasonPhrase = ''): ResponseInterface
        {
            return new TestResponse($code);
        }
    }

    final class TestNext implements RequestHandlerInterface
    {
        public function handle(ServerRequestInterface $request): ResponseInterface
        {
            return new TestResponse(299);
        }
    }
}
