import { Context, Layer } from "effect"
import { digestOf, sameDigest } from "../credentials/Secret.ts"

/** Holds the SHA-256 of the management token and checks bearer tokens against it. */
export class ManagementToken extends Context.Service<
  ManagementToken,
  {
    /**
     * Compares a bearer token with the management token in constant time. Refuses every token until `set` was called.
     */
    readonly isValid: (candidate: string) => boolean
    /** Sets the SHA-256 of the management token, in lower-case hex. */
    readonly set: (digest: string) => void
    /** Returns the SHA-256 of the management token, or an empty text until `set` was called. */
    readonly digest: () => string
  }
>()("@inlethq/http/access/ManagementToken") {
  static readonly layer = Layer.sync(this, () => {
    let known = ""
    return {
      isValid: (candidate) => known !== "" && sameDigest(digestOf(candidate), known),
      digest: () => known,
      set: (digest) => {
        known = digest
      },
    }
  })
}
