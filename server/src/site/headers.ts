/** Security headers of every HTML page. The pages hold no inline script or style, and load nothing from others. */
const policy = {
  'default-src': "'none'",
  'script-src': "'self'",
  'style-src': "'self'",
  'img-src': "'self' data:",
  'connect-src': "'self'",
  'form-action': "'self'",
  'base-uri': "'none'",
  'object-src': "'none'",
  'frame-ancestors': "'none'",
}

const writePolicy = (directives: Record<string, string>) =>
  Object.entries(directives)
    .map(([name, value]) => `${name} ${value}`)
    .join('; ')

export const fileHeaders = {
  'strict-transport-security': 'max-age=63072000; includeSubDomains',
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-resource-policy': 'same-origin',
}

export const pageHeaders = {
  ...fileHeaders,
  'content-security-policy': writePolicy(policy),
  'cross-origin-opener-policy': 'same-origin',
  'permissions-policy': 'geolocation=(), camera=(), microphone=(), payment=()',
}

/** The API reference writes its own style elements while it runs. Nothing else is looser there. */
export const referenceHeaders = {
  ...pageHeaders,
  'content-security-policy': writePolicy({
    ...policy,
    'style-src': "'self' 'unsafe-inline'",
    'font-src': "'self' data:",
  }),
}
