import { createHmac } from "node:crypto"
import { Digest } from "@inlethq/core/ports/Digest"

/** Computes digests with the key that all nodes on a database share. */
export const digestWith = (key: Uint8Array): Digest["Service"] =>
  Digest.of({ key, of: (text) => createHmac("sha256", key).update(text).digest("hex") })
