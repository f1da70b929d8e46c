// What a language has to say. Each language is one value of this type, so that none can lack a letter: there is
// nothing to fall back to. The order of a letter: what happened, the code or the facts, what to do.
import type { TemplateData, TemplateName } from '../templates.ts'

export interface Letter {
  subject: string
  /** What happened, first of all to the money. */
  opening: readonly string[]
  code?: string
  facts?: readonly (readonly [label: string, value: string])[]
  /** What to do about it. */
  closing: readonly string[]
}

/** The data of a letter as text; the moment is written out. */
export type Shown<Name extends TemplateName> = { [Field in keyof TemplateData[Name]]: string }

export interface Words {
  /** Without a name when there is none. */
  greeting(name: string): string
  /** Between a label and its value. */
  colon: string
  /** Why the reader gets this. */
  footer(brand: string): string
  letters: { readonly [Name in TemplateName]: (data: Shown<Name>, brand: string) => Letter }
}
