import { keptTexts } from "@inlethq/core/log/keptTexts"
import { sameJson, type Json } from "@inlethq/core/values/Json"
import type { ActivityDocument, KeptDocument } from "@inlethq/contract/activity/ActivityLog"

/** The largest number of values that were read otherwise that a summary names. */
const namedMax = 3

/** The largest number of characters of a value that a summary shows. */
const shownMax = 60

/** Says which values an operation read differently than they were sent, as what, and why. */
export const keptSentences = ({ kept_as }: ActivityDocument): ReadonlyArray<string> => {
  const named = kept_as.slice(0, namedMax).map(sentence)
  const rest = kept_as.length - named.length
  return rest > 0
    ? [...named, `${rest} more ${rest === 1 ? "value was" : "values were"} read otherwise.`]
    : named
}

const sentence = ({ code, kept, path, sent, why }: KeptDocument): string => {
  if (code === "data_beside_attributes") return `${path} was not read: ${why}.`
  return sameJson(sent, kept) || code === "flat_field_repeated"
    ? `${path} was sent as ${shown(sent, code)}: ${why}.`
    : `${path} was sent as ${shown(sent, code)} and read as ${shown(kept, code)}: ${why}.`
}

const shown = (value: Json, code: KeptDocument["code"]): string => {
  // Digits that a number has lost are kept as text, but were no text.
  const text = code === "rounded" && typeof value === "string" ? value : JSON.stringify(value)
  return text.length > shownMax ? `${text.slice(0, shownMax)}…` : text
}

/** Returns what the sender should do about values that were read otherwise. */
export const keptAdvice = ({ kept_as }: ActivityDocument): ReadonlyArray<string> => [
  ...new Set(kept_as.map(({ code }) => keptTexts[code].remedy)),
]
