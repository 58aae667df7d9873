import type { Fault } from "@inlethq/core/log/Outcome"
import { utf8Bytes } from "@inlethq/core/values/Json"
import { findJsonFault } from "./jsonFault.ts"
import { requestTexts } from "../texts/wireTexts.ts"

/** A body that is no JSON: what is wrong with it and where, and its beginning as it was sent. */
export interface UnreadableBody {
  readonly fault: Fault
  /** The first `beginningBytesMax` bytes, as text and without credentials. */
  readonly beginning: string
  /** The number of bytes of the whole body if `beginning` is not all of it, otherwise null. */
  readonly cutFrom: number | null
}

/** The largest number of bytes that are kept of a body that is no JSON (contract §4). */
export const beginningBytesMax = 1024

const utf8 = new TextDecoder("utf-8", { fatal: true })

/** Returns why a body is no JSON, and where. `inflated` is the beginning of a gzip body that was sent without its header. */
export const describeUnreadable = (bytes: Uint8Array, inflated?: Uint8Array): UnreadableBody => {
  const shown = beginningOf(inflated ?? bytes)
  return {
    fault: faultOf(bytes),
    beginning: shown,
    cutFrom: bytes.length > beginningBytesMax ? bytes.length : null,
  }
}

/** Returns whether bytes begin as gzip does. */
export const isGzip = (bytes: Uint8Array): boolean => bytes[0] === 0x1f && bytes[1] === 0x8b

const faultOf = (bytes: Uint8Array): Fault => {
  if (bytes.length === 0) return requestTexts.empty("")
  if (isGzip(bytes)) return requestTexts.gzipWithoutHeader("")
  const wrong = firstNonUtf8(bytes)
  if (wrong !== undefined) {
    const byte = (bytes[wrong] ?? 0).toString(16).toUpperCase().padStart(2, "0")
    return requestTexts.notUtf8("", { offset: wrong, byte })
  }
  const text = utf8.decode(bytes)
  if (form.test(text)) return requestTexts.form("")
  const mark = utf8Bytes(text) === bytes.length ? 0 : byteOrderMarkBytes
  return jsonFaultOf(text, mark)
}

/** The decoder removes a byte order mark. */
const byteOrderMarkBytes = 3

/** A form, or the boundary of a multipart form. */
const form = /^(?:[\w.%+[\]-]+=|--\S+\r?\n)/

const jsonFaultOf = (text: string, mark: number): Fault => {
  const found = findJsonFault(text)
  if (found === undefined) return requestTexts.malformed("")
  const { index, item } = found
  const offset = mark + utf8Bytes(text.slice(0, index))
  const what = foundAt(text, index)
  return item === null
    ? requestTexts.malformedAt("", { offset, found: what })
    : requestTexts.malformedInItem(`batch.${item}`, { offset, found: what, item })
}

/** The words that languages write where JSON has a value. Only these are quoted, since others may be personal data. */
const foreignWord = /-?(?:NaN|Infinity|inf|nan|undefined|None|True|False|NULL|nil)(?![\w])/y

const foundAt = (text: string, index: number): string => {
  if (index >= text.length) return "the end of the body"
  foreignWord.lastIndex = index
  const word = foreignWord.exec(text)?.[0]
  if (word !== undefined) return `${word}, which JSON does not have`
  const code = text.codePointAt(index) ?? 0
  return code < 0x20 || code > 0x7e
    ? `the character U+${code.toString(16).toUpperCase().padStart(4, "0")}`
    : `the character ${String.fromCodePoint(code)}`
}

/** Returns the index of the first byte that is not UTF-8, or undefined if all are. */
const firstNonUtf8 = (bytes: Uint8Array): number | undefined => {
  if (isUtf8(bytes)) return undefined
  // The longest beginning that is UTF-8, but for a character that it cuts.
  let [good, bad] = [0, bytes.length]
  while (bad - good > 1) {
    const middle = (good + bad) >> 1
    if (isUtf8(bytes.subarray(0, middle), true)) good = middle
    else bad = middle
  }
  // The byte that begins the character which cannot be completed is the wrong one.
  while (good > 0 && !isUtf8(bytes.subarray(0, good))) good--
  return good
}

const isUtf8 = (bytes: Uint8Array, mayBeCut = false): boolean => {
  try {
    new TextDecoder("utf-8", { fatal: true }).decode(bytes, { stream: mayBeCut })
    return true
  } catch {
    return false
  }
}

/** Bytes that are no UTF-8 are shown as Latin-1, which shows each of them, or as UTF-16 if every second one is zero. */
const beginningOf = (bytes: Uint8Array): string => {
  const first = bytes.subarray(0, searchedBytesMax)
  const end = lastWhole(first)
  const whole = first.subarray(0, end)
  const encoding = utf16Of(first) ?? (isUtf8(whole) ? "utf-8" : "latin1")
  return cut(withoutCredentials(new TextDecoder(encoding).decode(encoding === "utf-8" ? whole : first)))
}

/** Credentials are looked for in more bytes than are kept, so that none is kept in part. */
const searchedBytesMax = 4 * beginningBytesMax

const utf16Of = (bytes: Uint8Array): "utf-16le" | "utf-16be" | undefined => {
  if (bytes[1] === 0 && bytes[3] === 0) return "utf-16le"
  return bytes[0] === 0 && bytes[2] === 0 ? "utf-16be" : undefined
}

/** Returns the end of the last whole UTF-8 character. */
const lastWhole = (bytes: Uint8Array): number => {
  let end = bytes.length
  while (end > 0 && end > bytes.length - 4 && ((bytes[end - 1] ?? 0) & 0xc0) === 0x80) end--
  const lead = bytes[end - 1] ?? 0
  const size = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : lead >= 0xc0 ? 2 : 1
  return end - 1 + size <= bytes.length ? bytes.length : end - 1
}

const cut = (text: string): string => {
  let kept = ""
  let bytes = 0
  for (const character of text) {
    bytes += utf8Bytes(character)
    if (bytes > beginningBytesMax) break
    kept += character
  }
  return kept
}

const credential =
  /(["']?(?:write|api)[_-]?key["']?|["']?site[_-]?id["']?|["']?authorization["']?)(\s*[:=]\s*)(?:"[^"]*"?|'[^']*'?|[^&,}\s]*)/gi

const withoutCredentials = (text: string): string => text.replace(credential, '$1$2"…"')
