import type { Sequence, WorkspaceId } from "@inlethq/core/values/Identifier"
import { sequenceAt } from "@inlethq/core/webhook/EventPosition"
import type { WebhookRecords } from "./MemoryImage.ts"

/**
 * Erases the stored answers of webhook receivers to the events of a log entry, because the answers can repeat personal
 * data.
 */
export const eraseExcerpts = (
  all: Iterable<WebhookRecords>,
  workspace: WorkspaceId,
  sequence: Sequence,
): void => {
  for (const records of all) {
    if (records.webhook.workspace !== workspace) continue
    records.attempts = records.attempts.map((attempt) =>
      sequenceAt(attempt.position) === sequence ? { ...attempt, responseExcerpt: null } : attempt,
    )
  }
}
