export interface Product {
  id: string
  name: string
  price: number
  currency: string
  short: string
  long: string
  /** Drawn by hand, in an SVG of 160 by 120. */
  picture: string
}

const bag = `<path fill="#7a4a2b" d="M52 30h56l8 74a6 6 0 0 1-6 6H50a6 6 0 0 1-6-6z"/><path fill="#5d3620" d="M52 30h56l1.6 15H50.4z"/><path fill="#f4e3cf" d="M56 60h48v34H56z"/><ellipse cx="80" cy="77" rx="10" ry="13" fill="#5d3620" transform="rotate(24 80 77)"/><path d="M77 66c6 6-2 15 6 22" fill="none" stroke="#f4e3cf" stroke-width="2.5" stroke-linecap="round"/>`
const tin = `<ellipse cx="80" cy="102" rx="34" ry="9" fill="#2c5b57"/><path fill="#3f7d77" d="M46 40h68v62c0 5-15 9-34 9s-34-4-34-9z"/><path fill="#f0ead8" d="M46 58h68v28H46z"/><path d="M64 78c2-10 12-14 24-12-2 11-12 16-22 12m-5 4c5-6 11-9 17-11" fill="none" stroke="#3f7d77" stroke-width="3" stroke-linecap="round"/><ellipse cx="80" cy="38" rx="36" ry="9" fill="#356a65"/><ellipse cx="80" cy="34" rx="36" ry="9" fill="#4b918a"/>`
const basket = `<path d="M48 58c0-44 64-44 64 0" fill="none" stroke="#a8642a" stroke-width="6"/><path fill="#d99a4e" d="M34 56h92l-10 48a9 9 0 0 1-9 7H53a9 9 0 0 1-9-7z"/><path fill="#b5482f" d="M37 68h86l-2.4 11H39.4zM42 90h76l-2.3 11H44.3z"/><path fill="#c07f38" d="M32 52h96v10H32z"/>`

export const products: readonly Product[] = [
  {
    id: 'coffee',
    name: 'Rwenzori coffee, 500 g',
    price: 28_000,
    currency: 'UGX',
    short: 'Whole beans, medium roast',
    long: 'Arabica from the foot of the Rwenzori, picked by hand and roasted in Fort Portal every Tuesday. Tastes of dark sugar and orange.',
    picture: bag,
  },
  {
    id: 'tea',
    name: 'Ginger tea, 250 g',
    price: 9_500,
    currency: 'UGX',
    short: 'Black tea with dried ginger',
    long: 'Leaves from Kericho with ginger from Kapeeka. Three minutes in boiling water, ten if you like it hot.',
    picture: tin,
  },
  {
    id: 'basket',
    name: 'Woven basket',
    price: 65_000,
    currency: 'UGX',
    short: 'Raffia and palm, from Masaka',
    long: 'Made by the women of a cooperative in Masaka. Each takes three days, and no two are the same.',
    picture: basket,
  },
]

export const findProduct = (id: string): Product | undefined => products.find((product) => product.id === id)
