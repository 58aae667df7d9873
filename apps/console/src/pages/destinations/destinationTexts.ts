import type { DestinationDocument } from "@inlethq/contract/webhooks/Destinations"
import { counted } from "../../shared/values/figures.ts"
import { waitText } from "./hourBars.ts"

export const kindText: Readonly<Record<DestinationDocument["kind"], string>> = {
  webhook: "Webhook",
  forward: "Forward",
  kafka: "Kafka",
  lake: "Lake",
}

/** What a destination is called: its name, the topic in Kafka, or the URL of a webhook without a name. */
export const nameText = ({ kind, name, url }: DestinationDocument): string => {
  if (kind === "lake") return "Lake"
  return name === "" ? (url ?? "") : name
}

/** Where a destination sends to. The name of the lake is the kind of its storage. */
export const placeText = ({ kind, name, url }: DestinationDocument): string => {
  if (kind !== "lake") return url ?? ""
  return `${name === "folder" ? "folder" : "bucket"} ${url ?? ""}`
}

/** What is sent again was read already, so it is not among the entries that are still to be read. */
export const waitingOf = ({ waiting }: DestinationDocument): number => waiting.entries + waiting.operations

/** How long the oldest of what waits has waited. Empty if nothing waits. */
export const oldestText = (destination: DestinationDocument): string => {
  if (waitingOf(destination) === 0) return ""
  return destination.lag_seconds === null ? "unknown" : waitText(destination.lag_seconds)
}

/** How far a destination is behind, in words. */
export const delayText = (destination: DestinationDocument): string => {
  const waits = waitingOf(destination)
  const behind =
    waits === 0
      ? "has everything"
      : `${counted(waits, "operation waits", "operations wait")}${destination.lag_seconds === null ? "" : `, for ${oldestText(destination)}`}`
  return destination.enabled ? behind : `paused, ${behind}`
}
