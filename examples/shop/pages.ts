// The pages of the shop. What is put into them is escaped.
import { type Product, products } from './products.ts'
import type { Order } from './store.ts'

export const shopName = 'Duka la Amina'

/** By which of its three return addresses a customer came back. It says nothing about the money. */
export type ReturnedBy = 'success' | 'failure' | 'cancel'

const price = new Intl.NumberFormat('en')
const money = (amount: number, currency: string): string =>
  `<span class="amount"><span class="code">${currency}</span> ${price.format(amount)}</span>`

const names: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }
const text = (value: string): string => value.replace(/[&<>"']/g, (character) => names[character] ?? '')

interface Page {
  title: string
  content: string
  /** Ask for the state of this order until it is another one. */
  watch?: { order: Order }
}

const page = ({ title, content, watch }: Page): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${text(title)} · ${text(shopName)}</title>
<link rel="icon" href="/icon.svg" type="image/svg+xml">
<link rel="stylesheet" href="/style.css">
<script src="/script.js" defer></script>
</head>
<body${watch === undefined ? '' : ` data-watch="/orders/${watch.order.id}/state" data-state="${watch.order.state}" data-then="/orders/${watch.order.id}"`}>
<header><a class="name" href="/">${text(shopName)}</a><p>Coffee, tea and baskets from East Africa</p></header>
<main>${content}</main>
<footer><p>An example shop. It takes payments with Mfuko and knows it by its public API only.</p></footer>
</body>
</html>
`

const picture = ({ picture: shapes }: Product): string =>
  `<svg class="picture" viewBox="0 0 160 120" aria-hidden="true" focusable="false">${shapes}</svg>`

export const productsPage = (): string =>
  page({
    title: 'Our shelf',
    content: `<h1>What is on the shelf</h1>
<ul class="shelf">${products
      .map(
        (product) =>
          `<li class="product">${picture(product)}<h2><a href="/products/${product.id}">${text(product.name)}</a></h2><p class="soft">${text(product.short)}</p><p class="price">${money(product.price, product.currency)}</p></li>`,
      )
      .join('')}</ul>`,
  })

export function productPage(
  product: Product,
  { orderId, quantityMax }: { orderId: string; quantityMax: number },
): string {
  const quantities = Array.from({ length: quantityMax }, (_, index) => `<option>${index + 1}</option>`)
  return page({
    title: product.name,
    content: `<p><a class="back" href="/">All products</a></p>
<article class="detail">${picture(product)}<div>
<h1>${text(product.name)}</h1>
<p class="price large">${money(product.price, product.currency)}</p>
<p>${text(product.long)}</p>
<form method="post" action="/orders">
<input type="hidden" name="order" value="${orderId}">
<input type="hidden" name="product" value="${product.id}">
<label for="quantity">Quantity</label>
<select id="quantity" name="quantity">${quantities.join('')}</select>
${payButton}
</form>
</div></article>`,
  })
}

const knot = `<svg viewBox="0 0 32 32" fill="currentColor" aria-hidden="true" focusable="false"><path d="M12.9 9.8C12.3 7.4 11 5 9 2.7c2.8-1.4 5.3-.9 7 1.5 1.7-2.4 4.2-2.9 7-1.5-2 2.3-3.3 4.7-3.9 7.1q-3.1.8-6.2 0z"/><path d="M12.1 12.1q3.9 1 7.8 0c5.3 2.4 8.6 6.5 8.6 10.9 0 5-4 7.5-12.5 7.5S3.5 28 3.5 23c0-4.4 3.3-8.5 8.6-10.9z"/></svg>`
const payButton = `<button class="pay">${knot}<span>Pay with Mfuko</span></button>`

/** Says what the shop knows, which is what it was told by a signed notification. */
export function orderPage(order: Order, returned: ReturnedBy | undefined): string {
  const { title, words, again } = told(order, returned)
  const content = `<article class="order"><p class="state state-${order.state}">${text(title)}</p>
<h1>Order <span class="id">${text(order.id)}</span></h1>
<p>${text(words)}</p>
<dl><div><dt>${order.quantity} × ${text(order.productName)}</dt><dd>${money(order.total, order.currency)}</dd></div>
${order.paidAt === undefined ? '' : `<div><dt>Paid</dt><dd><time datetime="${order.paidAt}">${order.paidAt.slice(0, 16).replace('T', ' ')} UTC</time></dd></div>`}</dl>
${again ? `<form method="post" action="/orders/${order.id}/pay">${payButton}</form>` : ''}
${order.state === 'waiting' ? `<p><a class="back" href="/orders/${order.id}">Look again</a></p>` : '<p><a class="back" href="/">Back to the shelf</a></p>'}
</article>`
  return page({ title, content, ...(order.state === 'paid' ? {} : { watch: { order } }) })
}

function told(
  { state }: Order,
  returned: ReturnedBy | undefined,
): { title: string; words: string; again: boolean } {
  switch (state) {
    case 'paid':
      return {
        title: 'Paid',
        words: 'Thank you. We have your money and pack your order today.',
        again: false,
      }
    case 'failed':
      return {
        title: returned === 'cancel' ? 'Payment cancelled' : 'Not paid',
        words: 'Nothing was paid. Your order is still here, and you can pay it any time.',
        again: true,
      }
    case 'waiting':
      if (returned === 'success')
        return {
          title: 'Waiting for the confirmation',
          words: 'Thank you. As soon as Mfuko confirms your payment, this page says so.',
          again: false,
        }
      return {
        title: 'Not paid yet',
        words: 'We have not heard of a payment yet. If you have paid, wait a moment; else you can pay now.',
        again: true,
      }
    case 'new':
      return { title: 'Not paid yet', words: 'Your order is here and waits for the payment.', again: true }
    default:
      return state satisfies never
  }
}

export const failedPage = (order: Order | undefined): string =>
  page({
    title: 'The payment can’t begin',
    content: `<h1>The payment can’t begin just now</h1>
<p>Nothing was paid. Please try again in a moment.</p>
${order === undefined ? '' : `<p><a class="back" href="/orders/${order.id}">To your order ${text(order.id)}</a></p>`}`,
  })

export const missingPage = (): string =>
  page({
    title: 'Not here',
    content: '<h1>There is nothing here</h1><p><a class="back" href="/">To the shelf</a></p>',
  })
