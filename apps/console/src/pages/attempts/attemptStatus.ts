import type { AttemptDocument } from "@inlethq/contract/webhooks/Webhooks"
import type { IconName } from "../../shared/buttons/Icon.tsx"

type Status = AttemptDocument["status"]

interface StatusLook {
  readonly text: string
  readonly icon: IconName
  readonly colour: string
}

/** The icon and the colour for each status of an attempt. */
export const statusLooks: Readonly<Record<Status, StatusLook>> = {
  delivered: { text: "Delivered", icon: "check", colour: "text-green" },
  retrying: { text: "Retrying", icon: "pending", colour: "text-blue" },
  failed: { text: "Failed", icon: "rejected", colour: "text-red" },
  skipped: { text: "Skipped", icon: "dropped", colour: "text-muted" },
}

export const attemptStatuses: ReadonlyArray<Status> = ["delivered", "retrying", "failed", "skipped"]
