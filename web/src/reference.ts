// What the API reference needs before it starts. This is a module, so it runs ahead of the deferred bundle.

// Its schema library tries `new Function` to learn whether it may; our policy forbids that, and would report it.
Object.assign(globalThis, { __zod_globalConfig: { jitless: true } })

// It leaves its copy buttons without a name, which a screen reader then reads as "button".
const nameButtons = () => {
  for (const button of document.querySelectorAll('button.scalar-code-copy:not([aria-label])')) {
    button.setAttribute('aria-label', 'Copy')
  }
}
new MutationObserver(nameButtons).observe(document.body, { childList: true, subtree: true })
