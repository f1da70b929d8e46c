/** As parts/logo.svg. */
export const Logo = () => (
  <span className="brand-mark">
    <svg viewBox="0 0 32 32" fill="currentColor" aria-hidden="true" focusable="false">
      <path d="M12.9 9.8C12.3 7.4 11 5 9 2.7c2.8-1.4 5.3-.9 7 1.5 1.7-2.4 4.2-2.9 7-1.5-2 2.3-3.3 4.7-3.9 7.1q-3.1.8-6.2 0z" />
      <path d="M12.1 12.1q3.9 1 7.8 0c5.3 2.4 8.6 6.5 8.6 10.9 0 5-4 7.5-12.5 7.5S3.5 28 3.5 23c0-4.4 3.3-8.5 8.6-10.9z" />
    </svg>
  </span>
)
