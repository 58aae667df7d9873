import type { FoundKind } from "@inlethq/contract/server/Search"

/** What a search says about kinds of which it looked only at a part. */
export const partlySearchedTexts: Partial<Record<FoundKind, string>> = {
  object: "Not all types of objects were searched. Type and id, as in 1/acme, find the others.",
  segment: "Only the newest segments were searched. An id finds the others.",
}
