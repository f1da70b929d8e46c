/** Asked for anew each time (a cheap 304), because a page names the hashed files of one build. */
export const unkept = { 'cache-control': 'no-cache' }

/** The API reference writes style elements while it runs. Nothing else is looser there. */
export const looserPolicy = { 'style-src': "'self' 'unsafe-inline'", 'font-src': "'self' data:" }
