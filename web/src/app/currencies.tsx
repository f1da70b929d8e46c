import { Amount } from './amount.tsx'

const currencies = [
  { code: 'UGX', name: 'Ugandan shilling', digits: 0, example: '10000' },
  { code: 'KES', name: 'Kenyan shilling', digits: 2, example: '1250.50' },
  { code: 'TZS', name: 'Tanzanian shilling', digits: 2, example: '25000.00' },
  { code: 'RWF', name: 'Rwandan franc', digits: 0, example: '4500' },
  { code: 'NGN', name: 'Nigerian naira', digits: 2, example: '15750.00' },
  { code: 'ZAR', name: 'South African rand', digits: 2, example: '320.75' },
  { code: 'USD', name: 'US dollar', digits: 2, example: '12.40' },
] as const

/** How amounts will be written for this viewer. Nothing here is a balance. */
export const Currencies = ({ language }: { language: string }) => {
  const names = new Intl.DisplayNames(language, { type: 'language' })
  return (
    <section className="card" aria-labelledby="currencies">
      <h2 id="currencies" className="text-xl font-semibold tracking-tight">
        How amounts are written
      </h2>
      <p className="mt-1 text-soft">
        The seven currencies of the wallet to come, as your language ({names.of(language)}) writes them. These
        are examples.
      </p>
      <table className="mt-4 w-full">
        <thead className="text-left text-sm text-soft">
          <tr>
            <th scope="col" className="py-2 font-medium">
              Currency
            </th>
            <th scope="col" className="hidden py-2 pr-4 text-right font-medium sm:table-cell">
              Smallest
            </th>
            <th scope="col" className="py-2 text-right font-medium">
              Example
            </th>
          </tr>
        </thead>
        <tbody>
          {currencies.map(({ code, name, digits, example }) => (
            <tr key={code} className="border-t border-line">
              <th scope="row" className="py-3 pr-4 text-left font-normal">
                {name}
              </th>
              <td className="hidden py-3 pr-4 text-right text-soft sm:table-cell">
                <Amount
                  value={digits === 0 ? '1' : '0.01'}
                  currency={code}
                  digits={digits}
                  language={language}
                />
              </td>
              <td className="py-3 text-right font-semibold">
                <Amount value={example} currency={code} digits={digits} language={language} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}
