import { createHash } from "node:crypto"
import { toStored } from "@inlet/storage/storedText"

/** The longest stored text that an index contains whole, in bytes of UTF-8. An index row of PostgreSQL holds about 2,700 bytes. */
const wholeBytesMax = 1500

/** The characters that a shortened text keeps. They have at most 1,500 bytes. */
const keptLength = 500

/** Begins the hash of a shortened text. Stored texts never contain this character before a `#`, because `toStored` escapes it. */
const hashMark = "\uFFFF#"

/**
 * Returns the form of a text that tables index: the stored form, or its beginning and its hash if it is long. Different texts have
 * different forms.
 */
export const indexedText = (text: string): string => shortened(toStored(text))

/** Shortens a stored text that is too long for an index. Returns other texts unchanged. */
export const shortened = (stored: string): string =>
  isShort(stored) ? stored : beginning(stored) + hashMark + createHash("sha256").update(stored).digest("hex")

/** Returns the stored beginning that the indexed forms of all texts with a prefix have in common. */
export const indexedPrefix = (prefix: string): string => beginning(toStored(prefix))

const isShort = (stored: string): boolean =>
  stored.length * 3 <= wholeBytesMax || Buffer.byteLength(stored) <= wholeBytesMax

/** Does not end inside a surrogate pair. */
const beginning = (stored: string): string => {
  const cut = stored.slice(0, keptLength)
  return cut.isWellFormed() ? cut : cut.slice(0, -1)
}
