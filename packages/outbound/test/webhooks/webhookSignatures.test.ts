import { assert, describe, it } from "@effect/vitest"
import { plainDigest } from "@inlethq/store-conformance/script/digest"
import { verifyRequestSignature } from "customerio-node"
import { Effect, Exit, Layer } from "effect"
import { Webhook } from "standardwebhooks"
import { SecretBox } from "../../src/SecretBox.ts"
import { newSigningSecret, signatureHeaders } from "../../src/webhooks/signatures.ts"

const body = '{"metric":"opened","data":{"name":"Zoë"}}'

const signed = (secret: string, replaced: string | null = null) => {
  const timestamp = Math.floor(new Date().getTime() / 1000)
  return { ...signatureHeaders({ id: "event-1", timestamp, body }, secret, replaced) }
}

const isSignedByHosted = (headers: Readonly<Record<string, string>>, signingSecret: string): boolean =>
  verifyRequestSignature({
    signingSecret,
    timestamp: Number(headers["x-cio-timestamp"]),
    signature: headers["x-cio-signature"] ?? "",
    body,
  })

const isSignedByStandard = (headers: Record<string, string>, secret: string): boolean => {
  try {
    new Webhook(secret).verify(body, headers)
    return true
  } catch {
    return false
  }
}

describe("the signatures of a webhook request", () => {
  it.effect(
    "contract §17 signatures: the public libraries of both signature schemes accept the signatures of webhook requests",
    () =>
      Effect.gen(function* () {
        const secret = yield* newSigningSecret
        const headers = signed(secret)
        assert.match(secret, /^whsec_[A-Za-z0-9+/]+=*$/)
        assert.isTrue(isSignedByHosted(headers, secret))
        assert.isTrue(isSignedByStandard(headers, secret))
        const other = yield* newSigningSecret
        assert.isFalse(isSignedByHosted(headers, other))
        assert.isFalse(isSignedByStandard(headers, other))
      }),
  )

  it.effect(
    "contract §17 signatures: during a rotation, both the old and the new secret verify a webhook request",
    () =>
      Effect.gen(function* () {
        const [secret, replaced] = [yield* newSigningSecret, yield* newSigningSecret]
        const headers = signed(secret, replaced)
        assert.isTrue(isSignedByStandard(headers, secret))
        assert.isTrue(isSignedByStandard(headers, replaced))
        assert.isTrue(isSignedByHosted(headers, replaced))
        assert.isFalse(isSignedByHosted(headers, secret))
      }),
  )
})

describe("a stored secret", () => {
  const box = SecretBox.layer.pipe(Layer.provide(plainDigest))

  it.effect("a stored secret is encrypted and can be decrypted for the same owner only", () =>
    Effect.gen(function* () {
      const { open, seal } = yield* SecretBox
      const sealed = yield* seal("whsec_abc", "1:a")
      assert.notInclude(Buffer.from(sealed, "base64").toString("latin1"), "abc")
      assert.notStrictEqual(yield* seal("whsec_abc", "1:a"), sealed)
      assert.strictEqual(yield* open(sealed, "1:a"), "whsec_abc")
      assert.isTrue(Exit.hasDies(yield* Effect.exit(open(sealed, "1:b"))))
      assert.isTrue(Exit.hasDies(yield* Effect.exit(open(`AAAA${sealed.slice(4)}`, "1:a"))))
    }).pipe(Effect.provide(box)),
  )
})
