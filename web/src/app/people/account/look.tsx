// Language, light and dark, receipts by mail. A change of the language changes every page at once.
import '../people.css'
import { useAct } from '../../kit/act.ts'
import { ButtonLink } from '../../kit/button.tsx'
import { CheckField, ChoiceField } from '../../kit/field.tsx'
import { type Language, languages, setLanguage, useLanguage, useWords } from '../../kit/language.ts'
import { ActNotice } from '../../kit/notice.tsx'
import { Page } from '../../kit/page.tsx'
import { setTheme, type Theme, useTheme } from '../../kit/theme.ts'
import { say } from '../../kit/toast.tsx'
import { client, refreshUser, useUser } from '../../session.ts'
import { account } from './words.ts'

const themes: readonly Theme[] = ['system', 'light', 'dark']

export const Look = () => {
  const t = useWords(account)
  const theme = useTheme()
  return (
    <Page title={t.look} back="/account">
      <div className="form">
        <LanguageChoice />
        <ChoiceField
          label={t.theme}
          value={theme}
          onChange={setTheme}
          options={themes.map((value) => ({ value, text: t.themes[value] }))}
        />
        <Receipts />
      </div>
    </Page>
  )
}

const LanguageChoice = () => {
  const t = useWords(account)
  const language = useLanguage()
  const act = useAct({
    name: 'change-language',
    run: (order: { locale: Language }) => client.account.change(order),
    onDone: () => void refreshUser(),
  })
  const choose = (locale: Language) => {
    // At once; the account follows, for mails and other devices.
    setLanguage(locale)
    void act.submit({ locale })
  }
  return (
    <>
      <ActNotice act={act} />
      <ChoiceField
        label={t.language}
        hint={t.languageHint}
        value={language}
        onChange={choose}
        options={languages.map(({ id, name }) => ({ value: id, text: name }))}
      />
    </>
  )
}

const Receipts = () => {
  const t = useWords(account)
  const { email_receipts: wants, email_confirmed: canHave } = useUser()
  const act = useAct({
    name: 'change-receipts',
    run: async (order: { email_receipts: boolean }) => {
      await client.account.change(order)
      await refreshUser()
    },
    onDone: () => say(t.saved),
  })
  return (
    <div>
      <ActNotice act={act} />
      <CheckField
        label={t.receipts}
        hint={canHave ? t.receiptsHint : t.receiptsNone}
        // What was ticked shows at once; when it is refused, what is so shows again.
        checked={act.state === 'busy' || act.state === 'unsure' ? !wants : wants}
        onChange={(checked) => void act.submit({ email_receipts: checked })}
      />
      {!canHave && (
        <ButtonLink href="/account/profile" look="quiet">
          {t.profile}
        </ButtonLink>
      )}
    </div>
  )
}
