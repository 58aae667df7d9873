import { clientTexts } from "../texts/clientTexts.ts"
import { clientRemedies } from "./clientRemedies.ts"

interface DocumentedText {
  readonly template: string
  readonly reason: null
  readonly remedy: string
}

/** Texts with what to do about each, for the page of errors. */
export const documented = <Name extends string>(
  texts: Readonly<Record<Name, string>>,
  remedies: Readonly<Record<Name, string>>,
): Readonly<Record<string, DocumentedText>> =>
  Object.fromEntries(
    Object.entries<string>(texts).map(([name, template]) => {
      const remedy = Object.entries<string>(remedies).find(([key]) => key === name)?.[1]
      if (remedy === undefined) throw new Error(`the text ${name} has no remedy`)
      return [name, { template, reason: null, remedy }]
    }),
  )

export const documentedClientTexts = documented(clientTexts, clientRemedies)
