import { clientTexts } from "../clientTexts.ts"
import { emulatorTexts } from "../testing/emulatorTexts.ts"
import { clientRemedies } from "./clientRemedies.ts"
import { emulatorRemedies } from "./emulatorRemedies.ts"

interface DocumentedText {
  readonly template: string
  readonly reason: null
  readonly remedy: string
}

const documented = <Name extends string>(
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

export const documentedEmulatorTexts = documented(emulatorTexts, emulatorRemedies)
