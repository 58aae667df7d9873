import type { WebhookDocument } from "@inlethq/contract/webhooks/Webhooks"
import { Icon, type IconName } from "../../shared/buttons/Icon.tsx"

interface StateLook {
  readonly text: string
  readonly icon: IconName
  readonly colour: string
}

const lookOf = ({ blocked_by: blockedBy, enabled }: WebhookDocument): StateLook => {
  if (!enabled) return { text: "Paused", icon: "pause", colour: "text-muted" }
  if (blockedBy !== null) return { text: "Blocked", icon: "partial", colour: "text-amber" }
  return { text: "Sending", icon: "check", colour: "text-green" }
}

/** Returns the state of a webhook as a word. */
export const stateOf = (webhook: WebhookDocument): string => lookOf(webhook).text

interface WebhookStateProps {
  readonly webhook: WebhookDocument
}

/** Shows whether a webhook is sending, paused, or blocked by an event that the receiver does not accept. */
export const WebhookState = ({ webhook }: WebhookStateProps) => {
  const { colour, icon, text } = lookOf(webhook)
  return (
    <span className={`inline-flex items-center gap-1.5 align-top ${colour}`}>
      <Icon className="size-3.5" name={icon} />
      {text}
    </span>
  )
}
