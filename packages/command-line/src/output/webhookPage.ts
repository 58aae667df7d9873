import type { WebhookDocument } from "@inlethq/contract/webhooks/Webhooks"
import { drawFields } from "./fields.ts"
import { paint, type Screen } from "./Screen.ts"
import { drawBlockedBy } from "./sending.ts"
import { printable } from "./text.ts"
import { fullTime } from "./times.ts"

/** Draws the settings of a webhook. If one event blocks all later events, draws that event too. */
export const drawWebhook = (webhook: WebhookDocument, screen: Screen): ReadonlyArray<string> => [
  paint(screen, "bold", printable(webhook.webhook_id)),
  ...drawFields(screen, [
    ["name", webhook.name],
    ["url", webhook.url],
    ["kind", webhook.kind],
    ["events", webhook.kind === "activity" ? null : webhook.events.join(",")],
    ["filter", webhook.filter],
    ["ordering", webhook.ordering],
    ["retry", webhook.retry],
    ["first only", yesOrNo(webhook.first_only)],
    ["body content", yesOrNo(webhook.body_content)],
    ["enabled", yesOrNo(webhook.enabled)],
    ["created", fullTime(screen.times, webhook.created_at)],
    ["updated", fullTime(screen.times, webhook.updated_at)],
  ]),
  ...drawBlockedBy(screen, webhook.blocked_by),
]

const yesOrNo = (value: boolean): string => (value ? "yes" : "no")

/** Draws a webhook with its signing secret. */
export const drawIssuedWebhook = (
  webhook: WebhookDocument & { readonly signing_secret: string },
  screen: Screen,
): ReadonlyArray<string> => [
  ...drawWebhook(webhook, screen),
  ...drawFields(screen, [["signing secret", webhook.signing_secret]]),
]
