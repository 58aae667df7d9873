import type { DestinationDocument } from "@inlethq/contract/webhooks/Destinations"
import { Icon, type IconName } from "../../shared/buttons/Icon.tsx"
import { lateSeconds } from "./hourBars.ts"

interface StateLook {
  readonly text: string
  readonly icon: IconName
  readonly colour: string
}

type Stated = Pick<DestinationDocument, "enabled" | "lag_seconds" | "last_error">

const lookOf = ({ enabled, lag_seconds: lag, last_error: error }: Stated): StateLook => {
  if (!enabled) return { text: "Paused", icon: "pause", colour: "text-muted" }
  if (error !== null) return { text: "Failing", icon: "rejected", colour: "text-red" }
  if (lag === null || lag > lateSeconds) return { text: "Behind", icon: "partial", colour: "text-amber" }
  return { text: "Sending", icon: "check", colour: "text-green" }
}

/** Returns the state of a destination as a word. */
export const stateOf = (destination: Stated): string => lookOf(destination).text

/** Shows whether a destination sends, is behind, fails or is paused. */
export const DestinationState = ({ of }: { readonly of: Stated }) => {
  const { colour, icon, text } = lookOf(of)
  return (
    <span className={`inline-flex items-center gap-1.5 align-top ${colour}`}>
      <Icon className="size-3.5" name={icon} />
      {text}
    </span>
  )
}
