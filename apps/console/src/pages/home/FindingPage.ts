import type { AlertDocument } from "@inlethq/contract/alerts/Alerts"
import { causeId } from "../errors/causes.ts"

/** The page that says more about a finding. */
export type FindingPage =
  | { readonly page: "health" | "destinations" | "lake" | "imports" | "events" | "live" }
  | { readonly page: "errors"; readonly isOnlyNew: boolean }
  | { readonly page: "cause"; readonly causeId: string }
  | { readonly page: "webhook"; readonly webhookId: string }
  | { readonly page: "forward"; readonly forwardId: string }

/** The page about what an alert is about. */
export const alertPage = ({ condition, subject }: AlertDocument): FindingPage => {
  switch (condition) {
    case "new_cause":
      return { page: "cause", causeId: causeId({ cause: subject }) }
    case "error_rate":
      return { page: "errors", isOnlyNew: false }
    case "silent":
      return { page: "events" }
    case "lag":
      return lagPage(subject)
  }
}

const lagPage = (subject: string): FindingPage => {
  if (subject === "lake") return { page: "lake" }
  const [kind, id = ""] = subject.split(":")
  if (kind === "webhook") return { page: "webhook", webhookId: id }
  return kind === "forward" ? { page: "forward", forwardId: id } : { page: "health" }
}
