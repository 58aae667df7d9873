import type { ActivityDocument } from "../api/documents.ts"
import { api } from "../api/generated.ts"

type Operation = Parameters<typeof api.activity.apply>[1]

/**
 * Applies an operation that the operator asks for. Throws an error with the reason if the operation was not applied
 * completely.
 */
export const applyOperation = async (w: string, operation: Operation): Promise<ActivityDocument> => {
  const entry = await api.activity.apply(w, operation)
  if (entry.outcome === "applied" || entry.outcome === "created") return entry
  throw new Error(`The outcome is “${entry.outcome}”${entry.reason === null ? "." : `: ${entry.reason}.`}`)
}
