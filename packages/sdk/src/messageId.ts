/**
 * The size of a message id in bytes. Random bytes for many ids are requested at once, because each request has a fixed
 * cost.
 */
const idBytes = 16
const block = new Uint8Array(idBytes * 64)
let used = block.length

const hex = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, "0"))

/** Returns a new random UUID. `crypto.randomUUID` is missing on web pages that are served over http. */
export const newMessageId = (): string => {
  if (used === block.length) {
    crypto.getRandomValues(block)
    used = 0
  }
  let text = ""
  for (let at = 0; at < idBytes; at++) {
    const byte = block[used++] ?? 0
    if (at === 4 || at === 6 || at === 8 || at === 10) text += "-"
    text += hex[at === 6 ? (byte & 0x0f) | 0x40 : at === 8 ? (byte & 0x3f) | 0x80 : byte]
  }
  return text
}
