import type { ActivityDocument } from "../../api/documents.ts"
import { Icon, type IconName } from "../buttons/Icon.tsx"

export type OutcomeName = ActivityDocument["outcome"]

interface Look {
  readonly icon: IconName
  readonly text: string
  readonly badge: string
}

const grey = { text: "text-muted", badge: "bg-hover text-muted" }
const green = { text: "text-green", badge: "bg-green-soft text-green" }

/** The icon and the colours of each outcome. The name of the outcome always appears next to the colour. */
const looks: Readonly<Record<OutcomeName, Look>> = {
  applied: { icon: "check", ...green },
  created: { icon: "created", ...green },
  partial: { icon: "partial", text: "text-amber", badge: "bg-amber-soft text-amber" },
  pending: { icon: "pending", text: "text-blue", badge: "bg-blue-soft text-blue" },
  rejected: { icon: "rejected", text: "text-red", badge: "bg-red-soft text-red" },
  ignored: { icon: "ignored", ...grey },
  duplicate: { icon: "copy", ...grey },
  dropped: { icon: "dropped", ...grey },
}

interface OutcomeProps {
  readonly outcome: OutcomeName
}

/** Shows the outcome of an operation inside a line of text or in a table row. */
export const Outcome = ({ outcome }: OutcomeProps) => (
  <span className={`inline-flex items-center gap-1.5 align-top ${looks[outcome].text}`}>
    <Icon className="size-3.5" name={looks[outcome].icon} />
    {outcome}
  </span>
)

/** Shows the outcome of an operation as a badge. */
export const OutcomeBadge = ({ outcome }: OutcomeProps) => (
  <span
    className={`inline-flex h-5 items-center gap-1 rounded-sm px-1.5 text-xs font-medium ${looks[outcome].badge}`}
  >
    <Icon className="size-3" name={looks[outcome].icon} />
    {outcome}
  </span>
)
