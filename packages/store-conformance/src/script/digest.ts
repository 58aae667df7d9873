import { Digest } from "@inlethq/core/ports/Digest"

/** A digest for tests only. It hides the text but is not secure. */
export const plainDigest = Digest.layer((text) => hash(text, 0x811c9dc5) + hash(text, 0x01234567))

/** Returns the FNV-1a hash of a text. */
const hash = (text: string, seed: number): string => {
  let hashed = seed
  for (let i = 0; i < text.length; i++) hashed = Math.imul(hashed ^ text.charCodeAt(i), 0x01000193) >>> 0
  return hashed.toString(16)
}
