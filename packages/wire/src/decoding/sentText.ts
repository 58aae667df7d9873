/**
 * The texts of values that `JSON.parse` changes, by the object or list that holds them and by their key. Holders of holders
 * are in it too, so that one look at an item tells whether anything in it was changed. A body in which nothing is changed,
 * as nearly every body, adds nothing.
 */
const changed = new WeakMap<object, Map<string, ChangedText>>()

/** A value that parsing changed: an integer that lost digits, or a text with half a character. */
export interface ChangedText {
  readonly why: "rounded" | "characters"
  /** The value as it stands in the body: the digits, or the text with each half character written as an escape. */
  readonly sent: string
}

/** A changed value of an item, and its path in the item. */
export interface ChangedValue extends ChangedText {
  readonly path: string
  readonly value: unknown
}

/** The number of digits from which an integer may be greater than 2^53. */
const digitsMin = 16

/**
 * Returns whether a text may have an integer that loses digits. A run of `digitsMin` digits has one at a multiple of
 * `digitsMin`, so most characters need not be read. The digits must stand where JSON has a number: ids of calls, such as
 * ULIDs and snowflakes, have as many digits inside a text.
 */
export const mayRound = (text: string): boolean => {
  for (let at = digitsMin - 1; at < text.length; at += digitsMin) {
    if (!isDigit(text.charCodeAt(at))) continue
    let from = at
    while (isDigit(text.charCodeAt(from - 1))) from--
    let end = at + 1
    while (isDigit(text.charCodeAt(end))) end++
    const digits = text.slice(from, end)
    if (isAboveSafe(digits) && mayFollow(text, from - 1) && mayEnd(text, end)) return true
    at = end - 1
  }
  return false
}

const largestSafe = String(Number.MAX_SAFE_INTEGER)

const isAboveSafe = (digits: string): boolean =>
  digits.length > largestSafe.length || (digits.length === largestSafe.length && digits > largestSafe)

const isDigit = (code: number): boolean => code >= 48 && code <= 57

/** Returns whether the digits of a JSON number may stand after the character at this place. */
const mayFollow = (text: string, at: number): boolean => at < 0 || /[-:,[\s]/.test(text.charAt(at))

/** Returns whether an integer of JSON may end before the character at this place. */
const mayEnd = (text: string, at: number): boolean => at === text.length || /[,\]}\s]/.test(text.charAt(at))

/** Parses JSON, and notes what parsing changes. Takes several times as long as `JSON.parse`, so it is for the few bodies that need it. */
export const parseNoting = (text: string): unknown =>
  JSON.parse(
    text,
    function (this: object, key: string, value: unknown, context?: { readonly source?: string }) {
      if (typeof value === "number") {
        const source = context?.source
        if (source !== undefined && losesDigits(source, value))
          note(this, key, { why: "rounded", sent: source })
        return value
      }
      if (typeof value === "string") {
        if (value.isWellFormed()) return value
        note(this, key, { why: "characters", sent: escaped(value) })
        return value.toWellFormed()
      }
      if (typeof value !== "object" || value === null) return value
      const whole = withWholeKeys(value)
      if (changed.has(whole) && key !== "") holderOf(this)
      return whole
    },
  )

const integer = /^-?\d+$/

const losesDigits = (source: string, value: number): boolean =>
  !Number.isSafeInteger(value) && integer.test(source) && BigInt(source) !== BigInt(value)

const note = (holder: object, key: string, text: ChangedText): void => {
  holderOf(holder).set(key, text)
}

const holderOf = (holder: object): Map<string, ChangedText> => {
  const known = changed.get(holder)
  if (known !== undefined) return known
  const texts = new Map<string, ChangedText>()
  changed.set(holder, texts)
  return texts
}

/** Notes of a copy what is noted of its original. Keys that the copy does not have are passed over. */
export const carryChanges = (original: object, copy: object): void => {
  const texts = changed.get(original)
  if (texts !== undefined) changed.set(copy, texts)
}

/** Returns an object whose keys have no half characters. What is noted of its values is noted of the new ones. */
const withWholeKeys = (value: object): object => {
  if (Array.isArray(value) || Object.keys(value).every((key) => key.isWellFormed())) return value
  const whole = Object.fromEntries(Object.entries(value).map(([key, item]) => [key.toWellFormed(), item]))
  const texts = new Map<string, ChangedText>()
  for (const [key, text] of changed.get(value) ?? []) texts.set(key.toWellFormed(), text)
  for (const key of Object.keys(value)) {
    if (!key.isWellFormed()) texts.set(key.toWellFormed(), { why: "characters", sent: escaped(key) })
  }
  changed.set(whole, texts)
  return whole
}

const escaped = (text: string): string =>
  text.replaceAll(
    /[\uD800-\uDBFF](?![\uDC00-\uDFFF])|(?<![\uD800-\uDBFF])[\uDC00-\uDFFF]/g,
    (half) => `\\u${half.charCodeAt(0).toString(16)}`,
  )

/** The largest number of changed values of one item that are named. */
const changedMax = 50

const nothing: ReadonlyArray<ChangedValue> = []

/** Returns the values of an item that parsing changed. Costs one look where nothing was. */
export const changedIn = (item: unknown): ReadonlyArray<ChangedValue> => {
  if (typeof item !== "object" || item === null || !changed.has(item)) return nothing
  const found: Array<ChangedValue> = []
  collect(item, "", found)
  return found
}

const collect = (holder: object, path: string, found: Array<ChangedValue>): void => {
  const texts = changed.get(holder)
  if (texts === undefined) return
  for (const [key, value] of Object.entries(holder)) {
    if (found.length === changedMax) return
    const text = texts.get(key)
    if (text !== undefined) found.push({ ...text, path: path + key, value })
    if (typeof value === "object" && value !== null) collect(value, `${path}${key}.`, found)
  }
}
