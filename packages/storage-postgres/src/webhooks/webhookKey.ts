import type { WebhookKey } from "@inlet/core/ports/WebhookStore"
import { toStored } from "@inlet/storage/storedText"

/** Returns the first two parameters of a statement about a webhook: its workspace and its id. */
export const keyParameters = ({ webhookId, workspace }: WebhookKey): readonly [number, string] => [
  workspace,
  toStored(webhookId),
]

/** The rows of one webhook, in a table whose column is called `webhook`. */
export const ofWebhook = "workspace = $1 AND webhook = $2"
