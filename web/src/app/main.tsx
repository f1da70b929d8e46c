import 'virtual:themes.css'
import { QueryClientProvider } from '@tanstack/react-query'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { App } from './app.tsx'
import { queries, start } from './session.ts'

const place = document.getElementById('app')
if (!place) throw new Error('app.html has no element with the id "app".')

void start()
createRoot(place).render(
  <StrictMode>
    <QueryClientProvider client={queries}>
      <App />
    </QueryClientProvider>
  </StrictMode>,
)

// After everything that matters now.
if ('serviceWorker' in navigator && import.meta.env.PROD)
  window.addEventListener(
    'load',
    () => void navigator.serviceWorker.register('/app-worker.js', { scope: '/app' }).catch(() => undefined),
  )
