import type { LakeSettings } from "@inlet/core/workspace/LakeSettings"
import { folderTarget } from "@inlet/lake/targets/folder"
import type { LakeTarget } from "@inlet/lake/targets/LakeTarget"

/** The owner of the secrets of buckets in `SecretBox`. */
export const lakeSecretOwner = "lake"

/** Opens the folder or bucket of a lake. */
export const openTarget = (settings: LakeSettings): LakeTarget => folderTarget(settings.url)
