import { clientTexts } from "../clientTexts.ts"
import { emulatorTexts } from "../testing/emulatorTexts.ts"
import { clientTextNotes } from "./clientTextNotes.ts"
import { emulatorTextNotes } from "./emulatorTextNotes.ts"
import type { TextNote } from "./TextNote.ts"

interface DocumentedText extends TextNote {
  readonly template: string
  readonly reason: null
}

const documented = <Name extends string>(
  texts: Readonly<Record<Name, string>>,
  notes: Readonly<Record<Name, TextNote>>,
): Readonly<Record<string, DocumentedText>> =>
  Object.fromEntries(
    Object.entries<string>(texts).map(([name, template]) => {
      const note = Object.entries<TextNote>(notes).find(([key]) => key === name)?.[1]
      if (note === undefined) throw new Error(`the text ${name} has no documentation`)
      return [name, { template, reason: null, ...note }]
    }),
  )

export const clientCatalogue = documented(clientTexts, clientTextNotes)

export const emulatorCatalogue = documented(emulatorTexts, emulatorTextNotes)
