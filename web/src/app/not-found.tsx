import { ButtonLink } from './kit/button.tsx'
import { useWords } from './kit/language.ts'
import { Page } from './kit/page.tsx'
import { frame } from './words.ts'

export const NotFound = () => {
  const t = useWords(frame)
  return (
    <Page title={t.notFound}>
      <p className="text-soft">{t.notFoundText}</p>
      <ButtonLink href="/" look="main" className="mt-6">
        {t.toHome}
      </ButtonLink>
    </Page>
  )
}
