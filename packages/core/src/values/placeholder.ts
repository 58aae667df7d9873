/** What clients send in place of an identifier that was not set, in lower case. */
const placeholders: ReadonlySet<string> = new Set([
  "undefined",
  "null",
  "nil",
  "none",
  "nan",
  "0",
  "-1",
  "[object object]",
  "anonymous",
  "guest",
  "unknown",
  "true",
  "false",
])

const lengths: ReadonlySet<number> = new Set([...placeholders].map((text) => text.length))

/** The first characters of placeholders, in both cases. Most identifiers begin otherwise, and every call has one. */
const firsts: ReadonlySet<string> = new Set(
  [...placeholders].flatMap((text) => [text.charAt(0), text.charAt(0).toUpperCase()]),
)

/** Returns whether a text stands for an identifier that was not set (contract §6 *placeholders*). */
export const isPlaceholder = (text: string): boolean =>
  firsts.has(text.charAt(0)) && lengths.has(text.length) && placeholders.has(text.toLowerCase())
