import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from "node:crypto"
import { Redacted } from "effect"

const version = "1"
const saltBytes = 16
const nonceBytes = 12
const tagBytes = 16
const wrappingKeyBytes = 32
const algorithm = "aes-256-gcm"

/**
 * Encrypts a key under an operator's secret. HKDF-SHA256 derives the wrapping key from the secret and a random salt,
 * and AES-256-GCM encrypts and authenticates. A text that was encrypted with one `name` cannot be decrypted with
 * another name.
 */
export const wrapKey = (secret: Redacted.Redacted, name: string, key: Uint8Array): string => {
  const salt = randomBytes(saltBytes)
  const nonce = randomBytes(nonceBytes)
  const cipher = createCipheriv(algorithm, wrappingKey(secret, name, salt), nonce)
  const encrypted = Buffer.concat([cipher.update(key), cipher.final()])
  const parts = Buffer.concat([salt, nonce, cipher.getAuthTag(), encrypted])
  return `${version}.${parts.toString("base64url")}`
}

/**
 * Decrypts a key that `wrapKey` encrypted. Returns undefined if the key was encrypted with another secret or name, or
 * if the text is damaged.
 */
export const unwrapKey = (
  secret: Redacted.Redacted,
  name: string,
  wrapped: string,
): Uint8Array | undefined => {
  const [found, encoded = ""] = wrapped.split(".")
  const parts = Buffer.from(encoded, "base64url")
  if (found !== version || parts.length <= saltBytes + nonceBytes + tagBytes) return undefined
  const salt = parts.subarray(0, saltBytes)
  const nonce = parts.subarray(saltBytes, saltBytes + nonceBytes)
  const tag = parts.subarray(saltBytes + nonceBytes, saltBytes + nonceBytes + tagBytes)
  const decipher = createDecipheriv(algorithm, wrappingKey(secret, name, salt), nonce, {
    authTagLength: tagBytes,
  })
  decipher.setAuthTag(tag)
  const decrypted = decipher.update(parts.subarray(saltBytes + nonceBytes + tagBytes))
  try {
    return Buffer.concat([decrypted, decipher.final()])
  } catch {
    return undefined
  }
}

const wrappingKey = (secret: Redacted.Redacted, name: string, salt: Uint8Array): Uint8Array =>
  new Uint8Array(hkdfSync("sha256", Redacted.value(secret), salt, `inlet ${name}`, wrappingKeyBytes))
