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

const charactersMax = 15

/** Returns whether a text stands for an identifier that was not set (contract §6 *placeholders*). */
export const isPlaceholder = (text: string): boolean =>
  text.length <= charactersMax && placeholders.has(text.toLowerCase())
