// Runs before the first paint, so that a chosen theme does not flash in the other one.
try {
  const theme = localStorage.getItem('mfuko.theme')
  if (theme === 'light' || theme === 'dark') document.documentElement.dataset.theme = theme
} catch {
  // The browser keeps nothing: as the system has it.
}
