import { lookupTextsOf } from "@inlethq/core/state/lookupTexts"
import { nameText, searchedNames } from "@inlethq/core/state/searchedNames"
import type { Subject } from "@inlethq/core/state/Subject"

/** Returns the texts by which the stores find a subject: its lookup texts, and a person's names. */
export const indexedTextsOf = (subject: Subject): ReadonlyArray<string> => [
  ...(subject._tag === "Person"
    ? searchedNames(subject.attributes).map((name) => nameText(name, subject.key))
    : []),
  ...lookupTextsOf(subject),
]
