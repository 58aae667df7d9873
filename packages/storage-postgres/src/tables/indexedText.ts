import { createHash } from "node:crypto"
import { toStored } from "@inlethq/storage/columns/storedText"

/**
 * The longest text, in bytes of UTF-8, that is indexed completely. An index row of PostgreSQL holds about 2,700 bytes.
 */
const wholeBytesMax = 1500

/**
 * A shortened text keeps this many characters of the original text. These characters have at most 1,500 bytes of UTF-8.
 */
const keptLength = 500

/**
 * Separates the beginning of a shortened text from its hash. In any other stored text, U+FFFF is followed by a hex
 * digit and never by `#`, because `toStored` uses U+FFFF as its escape character.
 */
const hashMark = "\uFFFF#"

/**
 * Returns a text as it is written to an indexed column. A short text is escaped. A long text is replaced by its
 * beginning and a hash. Different texts always have different indexed texts.
 */
export const indexedText = (text: string): string => shortened(toStored(text))

/** Shortens a stored text that is too long for an index. Returns other texts unchanged. */
export const shortened = (stored: string): string =>
  isShort(stored) ? stored : beginning(stored) + hashMark + createHash("sha256").update(stored).digest("hex")

/** Returns the common beginning of the indexed forms of all texts that begin with `prefix`. */
export const indexedPrefix = (prefix: string): string => beginning(toStored(prefix))

const isShort = (stored: string): boolean =>
  stored.length * 3 <= wholeBytesMax || Buffer.byteLength(stored) <= wholeBytesMax

/** Returns at most the first `keptLength` characters of a text. Never splits a surrogate pair. */
const beginning = (stored: string): string => {
  const cut = stored.slice(0, keptLength)
  return cut.isWellFormed() ? cut : cut.slice(0, -1)
}
