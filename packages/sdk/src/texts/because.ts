import { clientTexts } from "./clientTexts.ts"
import { fill, type Placeholder, type Values } from "./fillText.ts"

/** Why a call has its outcome: a code for programs, which never changes, and a sentence for people. */
export interface Why {
  readonly code: string | null
  readonly reason: string | null
}

type Key = keyof typeof clientTexts

/** Returns a message of the client with values in place of its placeholders. The code is its key in snake case. */
export const because = <const K extends Key>(
  key: K,
  ...[values]: Values<Placeholder<(typeof clientTexts)[K]>>
): Why & { readonly reason: string } => ({
  code: key.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
  reason: fill(clientTexts[key], values ?? {}),
})
