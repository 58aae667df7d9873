import type { SealedNames } from "@inlethq/core/ports/ForwardStore"
import type { WorkspaceId } from "@inlethq/core/values/Identifier"
import type { WebhookRecords } from "./MemoryImage.ts"

/** Keeps the names of somebody who was erased for each forward of the workspace. */
export const tellForwards = (
  all: Iterable<WebhookRecords>,
  workspace: WorkspaceId,
  names: SealedNames,
): void => {
  for (const records of all) {
    const { webhook } = records
    if (webhook.workspace === workspace && "forwardId" in webhook) records.names.set(names.sequence, names)
  }
}
