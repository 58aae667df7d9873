import type { LakeSettings } from "@inlet/core/workspace/LakeSettings"
import { bucketTarget } from "@inlet/lake/targets/bucket"
import { folderTarget } from "@inlet/lake/targets/folder"
import type { LakeTarget } from "@inlet/lake/targets/LakeTarget"
import { Effect } from "effect"
import { SecretBox } from "../webhooks/SecretBox.ts"

/** The owner of the secrets of buckets in `SecretBox`. */
export const lakeSecretOwner = "lake"

/** Opens the folder or bucket of a lake. */
export const openTarget = (settings: LakeSettings): Effect.Effect<LakeTarget, never, SecretBox> => {
  switch (settings.target) {
    case "folder":
      return Effect.succeed(folderTarget(settings.url))
    case "s3": {
      const { accessKeyId, endpoint, region, secret, url } = settings
      return Effect.map(
        SecretBox.use((box) => box.open(secret, lakeSecretOwner)),
        (secretAccessKey) => bucketTarget({ url, endpoint, region, accessKeyId, secretAccessKey }),
      )
    }
  }
}
