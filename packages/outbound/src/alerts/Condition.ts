import { createHash } from "node:crypto"
import type { Alert, AlertCondition } from "@inlethq/core/alert/Alert"

/** Something that is not well now. */
export interface Condition {
  readonly condition: AlertCondition
  readonly subject: string
  readonly summary: string
  readonly operationId: string | null
}

/** The digits of a digest that tell the alerts of one condition apart. */
const digestDigits = 16

/** Returns the id of an alert, which is the same on every node and whenever the same thing is not well again. */
export const alertIdOf = (condition: AlertCondition, subject: string): string =>
  `${condition}-${createHash("sha256").update(subject).digest("hex").slice(0, digestDigits)}`

/** What an alert that lasts already changes: less is enough for it to go on than for it to begin. */
export type Lasting = (condition: AlertCondition, subject: string) => boolean

/** Returns whether an alert lasts. */
export const lastingAmong = (alerts: ReadonlyArray<Alert>): Lasting => {
  const ids = new Set(alerts.flatMap(({ alertId, endedAt }) => (endedAt === null ? [alertId] : [])))
  return (condition, subject) => ids.has(alertIdOf(condition, subject))
}
