interface Props {
  /** A decimal text such as `1250.50`; never a number, which could lose a digit. */
  value: `${number}`
  currency: string
  digits: number
  language: string
}

/** `KES 1,250.50`: the code first and lighter, the figures as the viewer's language writes them. */
export const Amount = ({ value, currency, digits, language }: Props) => (
  <span className="amount">
    <span className="code">{currency}</span>{' '}
    {new Intl.NumberFormat(language, { minimumFractionDigits: digits, maximumFractionDigits: digits }).format(
      value,
    )}
  </span>
)
