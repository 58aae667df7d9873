/**
 * The number of random bytes in a message id. The random bytes of many ids are generated with one call, because each
 * call has a fixed cost.
 */
const randomBytes = 10
const block = new Uint8Array(randomBytes * 64)
let used = block.length

const hex = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, "0"))

let prefixMs = -1
let prefix = ""

/**
 * Returns a new UUID of version 7, which begins with the time `now` in milliseconds. The server stores ids in an index,
 * and ids that grow with time change only the end of this index. With random ids, each batch changes pages of the whole
 * index.
 */
export const newMessageId = (now: number): string => {
  if (used === block.length) {
    crypto.getRandomValues(block)
    used = 0
  }
  if (now !== prefixMs) {
    const time = now.toString(16).padStart(12, "0")
    prefix = `${time.slice(0, 8)}-${time.slice(8)}-`
    prefixMs = now
  }
  let text = prefix
  for (let at = 0; at < randomBytes; at++) {
    const byte = block[used++] ?? 0
    if (at === 2 || at === 4) text += "-"
    text += hex[at === 0 ? (byte & 0x0f) | 0x70 : at === 2 ? (byte & 0x3f) | 0x80 : byte]
  }
  return text
}
