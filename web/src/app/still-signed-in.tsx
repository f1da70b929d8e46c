import { useState } from 'react'
import { Button } from './kit/button.tsx'
import { useWords } from './kit/language.ts'
import { Notice } from './kit/notice.tsx'
import { finishLeaving } from './session.ts'
import { frame } from './words.ts'

/** Instead of the page for who is not signed in, too, where that could not be had. */
export const StillSignedIn = () => {
  const t = useWords(frame)
  const [isBusy, setBusy] = useState(false)
  const again = async () => {
    setBusy(true)
    await finishLeaving()
    setBusy(false)
  }
  return (
    <Notice
      kind="problem"
      title={t.stillSignedIn}
      action={
        <Button busy={isBusy} onClick={() => void again()}>
          {t.signOutAgain}
        </Button>
      }
    >
      {t.stillSignedInText}
    </Notice>
  )
}
