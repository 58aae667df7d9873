import type { ActivityDocument } from "../../api/documents.ts"
import { api } from "../../api/generated.ts"
import { notify } from "./notices.ts"

type Operation = Parameters<typeof api.activity.apply>[1]

/**
 * Applies an operation that the operator asks for, and says what was done, with a link to the operation. Throws an error
 * with the reason if the operation was not applied completely.
 */
export const applyOperation = async (
  w: string,
  operation: Operation,
  done: string,
): Promise<ActivityDocument> => {
  const entry = await api.activity.apply(w, operation)
  if (entry.outcome === "applied" || entry.outcome === "created") {
    notify(done, { w, operationId: entry.operation_id })
    return entry
  }
  throw new Error(`The outcome is “${entry.outcome}”${entry.reason === null ? "." : `: ${entry.reason}.`}`)
}
