/*
 * SQLite's JSON functions cut a text at its first NUL, and its UTF-8 has no place for half a surrogate pair, so that two
 * texts could become one. They are escaped behind a mark that no real text holds.
 */

const mark = "\uFFFF"
const unsafe = /[\0\uFFFF]|\p{Surrogate}/gu
const escaped = /\uFFFF([0-9a-f]{4})/g

/** A text as columns hold it: the same for the same text, and another one for any other. */
export const toStored = (text: string): string =>
  isSafe(text)
    ? text
    : text.replace(unsafe, (unit) => mark + unit.charCodeAt(0).toString(16).padStart(4, "0"))

/** The text that a column holds. */
export const fromStored = (stored: string): string =>
  stored.includes(mark)
    ? stored.replace(escaped, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
    : stored

const isSafe = (text: string) => text.isWellFormed() && !text.includes("\0") && !text.includes(mark)
