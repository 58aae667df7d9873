import type { WebhookKey } from "@inlet/core/ports/WebhookStore"
import { toStored } from "@inlet/storage/storedText"

/** Returns the first two parameters of a statement about a webhook: its workspace and its id. */
export const keyParameters = ({ webhookId, workspace }: WebhookKey): readonly [number, string] => [
  workspace,
  toStored(webhookId),
]

/** The SQL condition for the rows of one webhook. */
export const ofWebhook = "workspace = $1 AND webhook = $2"
