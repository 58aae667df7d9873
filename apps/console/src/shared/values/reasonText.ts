import type { ActivityDocument } from "../../api/documents.ts"

/** Says in a list why an operation did less than was asked, or otherwise which values it read differently than they were sent. */
export const reasonText = ({ kept_as, reason }: Pick<ActivityDocument, "kept_as" | "reason">): string => {
  if (reason !== null) return reason
  return kept_as.length === 0 ? "" : `read otherwise: ${kept_as.map(({ path }) => path).join(", ")}`
}
