const saidMs = 2_000

/** A button on each block of code. Where the browser offers no clipboard there is none. */
export function addCopyButtons(): void {
  if (navigator.clipboard === undefined) return
  for (const block of document.querySelectorAll('.code')) {
    const button = document.createElement('button')
    button.type = 'button'
    button.className = 'copy'
    button.textContent = 'Copy'
    button.addEventListener('click', () => void copy(block, button))
    block.append(button)
  }
}

async function copy(block: Element, button: HTMLButtonElement): Promise<void> {
  const code = block.querySelector('pre')?.textContent ?? ''
  const isDone = await navigator.clipboard.writeText(`${code}\n`).then(
    () => true,
    () => false,
  )
  button.textContent = isDone ? 'Copied' : 'Not copied'
  setTimeout(() => {
    button.textContent = 'Copy'
  }, saidMs)
}
