// The way to pay in WooCommerce's checkout of blocks: a title and a sentence. Everything else is done by the server.
;(() => {
  const { registerPaymentMethod } = window.wc.wcBlocksRegistry
  const { createElement } = window.wp.element
  const { decodeEntities } = window.wp.htmlEntities
  const { getSetting } = window.wc.wcSettings
  // Newer versions of WooCommerce have one place for all ways to pay.
  const settings = getSetting('paymentMethodData', {}).mfuko || getSetting('mfuko_data', {})
  const title = decodeEntities(settings.title || 'Mfuko')
  const content = createElement('span', null, decodeEntities(settings.description || ''))
  registerPaymentMethod({
    name: 'mfuko',
    label: createElement('span', null, title),
    ariaLabel: title,
    content,
    edit: content,
    canMakePayment: () => true,
    supports: { features: settings.supports || ['products'] },
  })
})()
