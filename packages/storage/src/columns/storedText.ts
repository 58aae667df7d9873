/*
 * SQLite's JSON functions cut a text at its first NUL, and UTF-8 cannot encode half a surrogate pair. Therefore two
 * different texts could become equal in a column. To prevent this, such characters are escaped with a leading U+FFFF. A
 * U+FFFF in the original text is escaped too.
 */

const mark = "\uFFFF"
const unsafe = /[\0\uFFFF]|\p{Surrogate}/gu
const escaped = /\uFFFF([0-9a-f]{4})/g

/** Escapes a text for storage in a column. Different texts have different escaped forms. */
export const toStored = (text: string): string =>
  isSafe(text)
    ? text
    : text.replace(unsafe, (unit) => mark + unit.charCodeAt(0).toString(16).padStart(4, "0"))

/** Returns the original of an escaped text. */
export const fromStored = (stored: string): string =>
  stored.includes(mark)
    ? stored.replace(escaped, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
    : stored

const isSafe = (text: string) => text.isWellFormed() && !text.includes("\0") && !text.includes(mark)
