/** Matches escapes in JSON. `JSON.stringify` escapes a surrogate only if the other half of the pair is missing. */
const escapes = /\\\\|\\ud[89a-f][0-9a-f]{2}/g

/** Returns a text that UTF-8 can hold: half a surrogate pair becomes U+FFFD. */
export const textCell = (text: string | null): string | null =>
  text === null || text.isWellFormed() ? text : text.toWellFormed()

/** Returns a value as JSON that every reader accepts. Many refuse half a surrogate pair. */
export const jsonCell = (value: unknown): string => {
  const json = JSON.stringify(value)
  return json.includes("\\ud")
    ? json.replaceAll(escapes, (escape) => (escape === "\\\\" ? escape : "\\ufffd"))
    : json
}
