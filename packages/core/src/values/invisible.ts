/** Zero-width characters, without those that JavaScript counts as white space (U+FEFF). */
const zeroWidth = "\u180E\u200B-\u200F\u2060-\u2064"

const atStart = new RegExp(`^[\\s${zeroWidth}]+`)
const atEnd = new RegExp(`[\\s${zeroWidth}]+$`)

/** Returns a text without white space, no-break spaces and zero-width characters at its ends. */
export const trimInvisible = (text: string): string => text.replace(atStart, "").replace(atEnd, "")
