import type { Json } from "@inlethq/core/values/Json"
import { isJsonObject } from "@inlethq/core/values/Json"

/** The most bytes of JSON in the answer of a tool. */
export const answerBytesMax = 20_000

/** How far the values of an answer are cut until it is small enough, from the mildest to the strictest. */
const cuts = [
  { textLength: 500, entries: 200 },
  { textLength: 500, entries: 25 },
  { textLength: 200, entries: 25 },
  { textLength: 100, entries: 10 },
  { textLength: 60, entries: 5 },
  { textLength: 30, entries: 3 },
] as const

/** The longest name of a field, in characters. */
const nameLengthMax = 150

/**
 * Characters that a reader does not see, or that change the order of those seen: controls except tab and line feed, bidi and other format
 * characters, line separators, private use, lone surrogates, and variation selectors, in which text can be hidden.
 */
const unseen = /[\p{Cf}\p{Zl}\p{Zp}\p{Co}\p{Cs}\u{FE00}-\u{FE0F}\u{E0100}-\u{E01EF}]|(?![\t\n])\p{Cc}/gu

/** Returns a text in which characters that a reader would not see are written as `\u{…}`. */
const escaped = (text: string): string =>
  text.replaceAll(unseen, (character) => `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`)

const cutText = (text: string, length: number): string =>
  text.length <= length
    ? escaped(text)
    : `${escaped(text.slice(0, length))}… (${text.length - length} more characters)`

type Cut = (typeof cuts)[number]

const cutValue = (value: Json, cut: Cut): Json => {
  if (typeof value === "string") return cutText(value, cut.textLength)
  if (Array.isArray(value)) {
    const shown = value.slice(0, cut.entries).map((one: Json) => cutValue(one, cut))
    return value.length <= cut.entries ? shown : [...shown, `… (${value.length - cut.entries} more)`]
  }
  if (!isJsonObject(value)) return value
  const fields = Object.entries(value)
  const shown = fields
    .slice(0, cut.entries)
    .map(([name, one]) => [cutText(name, nameLengthMax), cutValue(one, cut)] as const)
  const rest = fields.length - shown.length
  return Object.fromEntries(rest === 0 ? shown : [...shown, ["…", `${rest} more fields`]])
}

export const bytesOf = (value: Json): number => Buffer.byteLength(JSON.stringify(value))

/** Returns a document with unseen characters escaped, and cut so far that it fits into an answer. */
export const fitted = (value: Json): Json => {
  for (const cut of cuts) {
    const shown = cutValue(value, cut)
    if (bytesOf(shown) <= answerBytesMax) return shown
  }
  return { too_large: "Ask for less, for example for fewer rows or a part of it." }
}
