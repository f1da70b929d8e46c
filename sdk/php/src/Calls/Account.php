<?php

declare(strict_types=1);

namespace Mfuko\Calls;

use Mfuko\Api;
use Mfuko\Page;

/** Who you are, and how you come in. */
final class Account
{
    public function __construct(private readonly Api $api)
    {
    }

    /** @return array<mixed> */
    public function me(): array
    {
        return $this->api->data('GET', '/api/me');
    }

    /**
     * @param array<string, mixed> $body
     * @return array<mixed>
     */
    public function change(array $body): array
    {
        return $this->api->data('PATCH', '/api/me', body: $body);
    }

    /** @param array<string, mixed> $body */
    public function setPin(#[\SensitiveParameter] array $body): void
    {
        $this->api->done('PUT', '/api/me/pin', body: $body);
    }

    /** @param array<string, mixed> $body */
    public function changePassword(#[\SensitiveParameter] array $body): void
    {
        $this->api->done('PUT', '/api/me/password', body: $body);
    }

    /**
     * @param array<string, mixed> $body
     * @return array<mixed>
     */
    public function changeEmail(#[\SensitiveParameter] array $body): array
    {
        return $this->api->data('PUT', '/api/me/email', body: $body);
    }

    /**
     * @param array<string, mixed> $body
     * @return array<mixed>
     */
    public function changePhone(#[\SensitiveParameter] array $body): array
    {
        return $this->api->data('PUT', '/api/me/phone', body: $body);
    }

    public function confirmEmail(#[\SensitiveParameter] string $code): void
    {
        $this->api->done('POST', '/api/auth/email/confirm', body: ['code' => $code]);
    }

    public function resendConfirmation(): void
    {
        $this->api->done('POST', '/api/auth/email/resend');
    }

    /** @param array<string, mixed> $body */
    public function forgotPassword(array $body): void
    {
        $this->api->done('POST', '/api/auth/password/forgot', body: $body);
    }

    /** @param array<string, mixed> $body */
    public function resetPassword(#[\SensitiveParameter] array $body): void
    {
        $this->api->done('POST', '/api/auth/password/reset', body: $body);
    }

    public function sessions(): Page
    {
        return $this->api->page('/api/auth/sessions');
    }

    public function endSession(string $id): void
    {
        $this->api->done('DELETE', '/api/auth/sessions/:id', ['id' => $id]);
    }
}
