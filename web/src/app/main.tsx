import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { Overview } from './overview.tsx'

const place = document.getElementById('app')
if (!place) throw new Error('app.html has no element with the id "app".')

createRoot(place).render(
  <StrictMode>
    <Overview language={navigator.language} />
  </StrictMode>,
)
