<?php

declare(strict_types=1);

namespace Mfuko\Http;

/**
 * Sends one request and reads its answer. Another one than the built-in can be given to the clients, for a framework with
 * an HTTP client of its own. It must not follow redirects: the credentials are for the host that was named.
 */
interface Sender
{
    /** @throws SendError when there was no answer, whatever its status */
    public function send(HttpRequest $request): HttpResponse;
}
