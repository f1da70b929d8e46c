// Asks for the state of the order until it changes. Without JavaScript there is a link that does the same.
const { watch, state, then } = document.body.dataset
if (watch) {
  let pause = 500
  const look = () =>
    fetch(watch)
      .then((reply) => reply.json())
      .then((told) => told.state)
      .catch(() => state)
      .then((now) => {
        // The customer is on the way to the checkout already: going elsewhere now would take them back.
        if (document.querySelector('form[data-sent]')) return
        if (now !== state) return location.replace(then)
        pause = Math.min(pause * 1.3, 10_000)
        setTimeout(look, pause)
      })
  setTimeout(look, pause)
}
for (const form of document.querySelectorAll('form')) {
  form.addEventListener('submit', (event) => {
    if (form.dataset.sent) event.preventDefault()
    form.dataset.sent = 'true'
  })
}
addEventListener('pageshow', (event) => event.persisted && location.reload())
