import { assert, it } from "@effect/vitest"
import { WorkspaceId } from "@inlethq/core/values/Identifier"
import { erasureDaysDefault } from "@inlethq/core/workspace/LakeSettings"
import { plainDigest } from "@inlethq/store-conformance/script/digest"
import { Effect, Exit, Layer } from "effect"
import { lakeSecretOwner, openTarget } from "../../src/lake/openTarget.ts"
import { SecretBox } from "../../src/SecretBox.ts"

const workspace = WorkspaceId.make(1)

/** Opens a bucket of the workspace whose secret was sealed for this owner. */
const openedWith = Effect.fnUntraced(function* (owner: string) {
  const secret = yield* SecretBox.use((box) => box.seal("the secret", owner))
  return yield* Effect.exit(
    openTarget(workspace, {
      target: "s3",
      url: "s3://events/inlet",
      endpoint: "http://127.0.0.1:1",
      region: "eu",
      accessKeyId: "key",
      secret,
      erasureDays: erasureDaysDefault,
    }),
  )
})

it.effect("a bucket opens with a secret of its workspace, and with one from before the first release", () =>
  Effect.gen(function* () {
    const other = lakeSecretOwner(WorkspaceId.make(2))
    assert.isTrue(Exit.isSuccess(yield* openedWith(lakeSecretOwner(workspace))))
    assert.isTrue(Exit.isSuccess(yield* openedWith("lake")))
    assert.isTrue(Exit.isFailure(yield* openedWith(other)))
  }).pipe(Effect.provide(SecretBox.layer.pipe(Layer.provide(plainDigest)))),
)
