/** A random part of `ms`, so that those who wait for the same thing don't all come back at once. */
export const someOf = (ms: number): number => Math.random() * ms
