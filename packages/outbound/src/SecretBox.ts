import { createCipheriv, createDecipheriv, hash, randomBytes } from "node:crypto"
import { Digest } from "@inlethq/core/ports/Digest"
import { Context, Effect, Layer } from "effect"

const algorithm = "aes-256-gcm"
const nonceBytes = 12
const tagBytes = 16

/** Encrypts secrets for storage, and decrypts them. */
export class SecretBox extends Context.Service<
  SecretBox,
  {
    /** Encrypts a secret. To decrypt it, call `open` with the same `owner`. */
    seal(secret: string, owner: string): Effect.Effect<string>
    /**
     * Decrypts a secret. Dies if the secret was encrypted with another key of the installation or with another `owner`.
     */
    open(sealed: string, owner: string): Effect.Effect<string>
  }
>()("@inlethq/outbound/SecretBox") {
  /**
   * Encrypts the secrets with AES-256-GCM. The encryption key is derived from the installation's digest key, which the
   * database does not contain in plain text. Therefore a copy of the database alone reveals no secret.
   */
  static readonly layer = Layer.effect(
    this,
    Effect.map(Digest, (digest) => {
      const key = hash("sha256", digest.of("inlet:webhook-secrets"), "buffer")
      return SecretBox.of({
        seal: (secret, owner) => Effect.sync(() => seal(key, secret, owner)),
        open: (sealed, owner) => Effect.sync(() => open(key, sealed, owner)),
      })
    }),
  )
}

const seal = (key: Buffer, secret: string, owner: string): string => {
  const nonce = randomBytes(nonceBytes)
  const cipher = createCipheriv(algorithm, key, nonce).setAAD(Buffer.from(owner))
  return Buffer.concat([nonce, cipher.update(secret, "utf8"), cipher.final(), cipher.getAuthTag()]).toString(
    "base64",
  )
}

const open = (key: Buffer, sealed: string, owner: string): string => {
  const bytes = Buffer.from(sealed, "base64")
  const nonce = bytes.subarray(0, nonceBytes)
  const decipher = createDecipheriv(algorithm, key, nonce, { authTagLength: tagBytes })
    .setAAD(Buffer.from(owner))
    .setAuthTag(bytes.subarray(-tagBytes))
  return decipher.update(bytes.subarray(nonceBytes, -tagBytes), undefined, "utf8") + decipher.final("utf8")
}
