import { useQuery, useQueryClient } from "@tanstack/react-query"
import type { DuplicateDocument } from "../../api/documents.ts"
import { api } from "../../api/generated.ts"
import { ActionError } from "../../shared/dialogs/ActionError.tsx"
import { MergeDialog } from "../people/MergeDialog.tsx"

interface MergePairProps {
  readonly w: string
  readonly pair: DuplicateDocument
  readonly onClose: () => void
}

/** The preview of the merge of the second person of a pair into the first. */
export const MergePair = ({ onClose, pair, w }: MergePairProps) => {
  const queries = useQueryClient()
  const [{ svc_id: firstId }, { svc_id: secondId }] = pair.people
  const people = useQuery({
    queryKey: [w, "merge", firstId, secondId],
    queryFn: ({ signal }) =>
      Promise.all([api.people.get(w, firstId, {}, signal), api.people.get(w, secondId, {}, signal)]),
    retry: false,
  })
  const [primary, secondary] = people.data ?? []
  const close = () => {
    onClose()
    void queries.invalidateQueries({ queryKey: [w, "duplicates"] })
  }
  return primary === undefined || secondary === undefined ? (
    <ActionError error={people.error} />
  ) : (
    <MergeDialog onClose={close} primary={primary} secondary={secondary} w={w} />
  )
}
