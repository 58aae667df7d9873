import type { WorkspaceId } from "@inlethq/core/values/Identifier"
import type { LakeSettings } from "@inlethq/core/workspace/LakeSettings"
import { bucketTarget } from "@inlethq/lake/targets/bucket"
import { folderTarget } from "@inlethq/lake/targets/folder"
import type { LakeTarget } from "@inlethq/lake/targets/LakeTarget"
import { Effect } from "effect"
import { SecretBox } from "../SecretBox.ts"

/** Returns the owner of the secret of a workspace's bucket in `SecretBox`. */
export const lakeSecretOwner = (workspace: WorkspaceId): string => `lake:${workspace}`

/** Opens the folder or bucket of a workspace's lake. */
export const openTarget = (
  workspace: WorkspaceId,
  settings: LakeSettings,
): Effect.Effect<LakeTarget, never, SecretBox> => {
  switch (settings.target) {
    case "folder":
      return Effect.succeed(folderTarget(settings.url, settings.readableBy))
    case "s3": {
      const { accessKeyId, endpoint, region, secret, url } = settings
      return Effect.map(
        SecretBox.use((box) =>
          // Secrets that were sealed before the first release name no workspace.
          Effect.catchDefect(box.open(secret, lakeSecretOwner(workspace)), () => box.open(secret, "lake")),
        ),
        (secretAccessKey) => bucketTarget({ url, endpoint, region, accessKeyId, secretAccessKey }),
      )
    }
  }
}
