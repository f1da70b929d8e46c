import type { ButtonHTMLAttributes, ReactNode } from 'react'
import { Link } from 'wouter'

type Look = 'main' | 'plain' | 'danger' | 'quiet'

const looks: Record<Look, string> = {
  main: 'button button-main',
  plain: 'button',
  danger: 'button button-danger',
  quiet: 'button button-quiet',
}

interface Props extends ButtonHTMLAttributes<HTMLButtonElement> {
  look?: Look
  /** It works on it: the button keeps its width and says so. */
  busy?: boolean
}

export const Button = ({ look = 'plain', busy = false, className = '', children, ...rest }: Props) => (
  <button
    type="button"
    {...rest}
    className={`${looks[look]} ${className}`}
    aria-busy={busy || undefined}
    // Not `disabled`: the keyboard would lose its place.
    aria-disabled={busy || rest.disabled || undefined}
    onClick={busy ? (event) => event.preventDefault() : rest.onClick}
  >
    {busy && <span className="spinner" aria-hidden="true" />}
    {children}
  </button>
)

interface LinkProps {
  href: string
  look?: Look
  className?: string
  children: ReactNode
}

export const ButtonLink = ({ href, look = 'plain', className = '', children }: LinkProps) => (
  <Link href={href} className={`${looks[look]} ${className}`}>
    {children}
  </Link>
)
