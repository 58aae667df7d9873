import { createHmac } from "node:crypto"
import { Digest } from "@inlethq/core/ports/Digest"

/** Computes digests with a key. */
export const digestWith = (key: Uint8Array): Digest["Service"] =>
  Digest.of({ key, of: (text) => createHmac("sha256", key).update(text).digest("hex") })
