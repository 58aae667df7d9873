import { useQuery } from "@tanstack/react-query"
import type { ActivityDocument } from "../../api/documents.ts"
import { api } from "../../api/generated.ts"
import { newestMerges } from "../people/newestMerges.ts"
import { UndoMerge } from "../people/UndoMerge.tsx"

interface UndoOperationProps {
  readonly w: string
  readonly entry: ActivityDocument
}

/** The largest number of merges of one person among which the operation is looked for. */
const mergesMax = 1000

/** The button that undoes a merge, on the operation that merged. Absent if the merge cannot be undone any more. */
export const UndoOperation = ({ entry: { kind, operation_id, subject }, w }: UndoOperationProps) => {
  const primaryId = kind === "merge" ? subject.svc_id : null
  const merges = useQuery({
    queryKey: [w, "people", "one", primaryId, "undoable merges"],
    queryFn: ({ signal }) => api.merges.list(w, primaryId ?? "", { limit: mergesMax }, signal),
    enabled: primaryId !== null,
  })
  const merge = newestMerges(merges.data?.items ?? []).find((one) => one.operation_id === operation_id)
  return primaryId === null || merge === undefined ? null : (
    <UndoMerge primaryId={primaryId} secondary={merge.secondary} w={w} />
  )
}
