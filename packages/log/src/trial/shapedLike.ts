/** Returns the next number below another. */
export type Draw = (below: number) => number

/** Returns numbers that depend on the first 16 bytes. Whoever knows all of them learns no more than these bytes (sfc32). */
export const drawsFrom = (bytes: Uint8Array): Draw => {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  let a = view.getInt32(0)
  let b = view.getInt32(4)
  let c = view.getInt32(8)
  let d = view.getInt32(12)
  return (below) => {
    const next = (((a + b) | 0) + d) | 0
    d = (d + 1) | 0
    a = b ^ (b >>> 9)
    b = (c + (c << 3)) | 0
    c = (((c << 21) | (c >>> 11)) + next) | 0
    return Math.floor(((next >>> 0) / 2 ** 32) * below)
  }
}

/** A date, or a time as ISO 8601 writes it. */
const isoTime =
  /^\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d(?:[.,]\d+)?)?(?: ?(?:Z|UTC|[+-]\d\d(?::?\d\d)?))?)?$/i

const letters = "abcdefghijklmnopqrstuvwxyz"
const twoByteLetters = "àáâãäåæçèéêëìíîïðñòóôõöøùúûüýþ"

/**
 * Replaces letters by letters, digits by digits and others by others of as many bytes, so that limits and formats hold as before.
 * Punctuation, spaces and what is invisible stay.
 */
export const shapedLike = (text: string, draw: Draw): string => {
  if (isoTime.test(text)) return Array.from(text, (character, at) => pastDigit(character, at, draw)).join("")
  return Array.from(text, (character) => {
    if (/[0-9]/.test(character)) return String(draw(10))
    if (/[a-z]/i.test(character)) return cased(letters[draw(letters.length)] ?? "x", character)
    const point = character.codePointAt(0) ?? 0
    if (point < 0x80 || /[\p{P}\p{Z}\p{Cc}\p{Cf}\p{Cs}\ufffd]/u.test(character)) return character
    if (point < 0x800) return cased(twoByteLetters[draw(twoByteLetters.length)] ?? "é", character)
    return String.fromCodePoint(point < 0x10000 ? 0x4e00 + draw(0x5000) : 0x20000 + draw(0xa000))
  }).join("")
}

const cased = (letter: string, like: string): string =>
  like === like.toLowerCase() ? letter : letter.toUpperCase()

/** A date becomes another one that exists, some time ago. */
const pastDigit = (character: string, at: number, draw: Draw): string => {
  if (!/\d/.test(character)) return character
  const fixed: Readonly<Record<number, string>> = {
    0: "2",
    1: "0",
    2: "0",
    5: "0",
    8: "1",
    11: "0",
    14: "0",
    17: "0",
  }
  const digit = fixed[at]
  if (digit !== undefined) return digit
  if (at > 18) return "0"
  return at === 6 ? String(1 + draw(9)) : String(draw(10))
}

/** Seconds and milliseconds since 1970 begin here, and end with the year 2039. */
const timesFrom = 1e9
const timesTo = 2.2e9

/** Times become earlier ones, so that they stay times of the past. Others keep their sign, their digits' number and their exponent. */
export const numberLike = (value: number, draw: Draw): number => {
  const unit = value >= timesFrom * 1000 ? 1000 : 1
  const isTime = Number.isInteger(value) && value > timesFrom * unit && value < timesTo * unit
  if (isTime) return timesFrom * unit + draw(value - timesFrom * unit)
  const [digits = "", exponent] = String(value).split("e")
  const made = digits.replaceAll(/(?<=\.\d*)\d|[1-9]|(?<=\d)0/g, () => String(1 + draw(9)))
  return Number(exponent === undefined ? made : `${made}e${exponent}`)
}
