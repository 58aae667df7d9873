import { operationTitle } from "@inlethq/log/explanation/operationTitle"
import type { ActivityDocument } from "../../api/documents.ts"

/** Returns what a list calls an operation, with its name, as one text. */
export const titleText = (entry: ActivityDocument): string => {
  const { kind, name } = operationTitle(entry)
  return name === null ? kind : `${kind} ${name}`
}
