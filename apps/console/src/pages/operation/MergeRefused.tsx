import type { ExplanationDocument } from "@inlethq/contract/activity/ExplanationDocument"
import { useQuery, useQueryClient } from "@tanstack/react-query"
import { useState } from "react"
import { api } from "../../api/generated.ts"
import { useRefusal } from "../../session/useRefusal.ts"
import { ActionError } from "../../shared/dialogs/ActionError.tsx"
import { Button } from "../../shared/buttons/Button.tsx"
import { personName } from "../../shared/values/personName.ts"
import { MergeDialog } from "../people/MergeDialog.tsx"

interface MergeRefusedProps {
  readonly w: string
  readonly merge: NonNullable<ExplanationDocument["merge"]>
}

/** The button that opens the merge of the two people whom a refused identifier shows, with both filled in. */
export const MergeRefused = ({ merge: { primary, secondary }, w }: MergeRefusedProps) => {
  const [isOpen, setOpen] = useState(false)
  const queries = useQueryClient()
  const refusal = useRefusal("activity.apply")
  const people = useQuery({
    queryKey: [w, "merge", primary.svc_id, secondary.svc_id],
    queryFn: ({ signal }) =>
      Promise.all([
        api.people.get(w, primary.svc_id, {}, signal),
        api.people.get(w, secondary.svc_id, {}, signal),
      ]),
    enabled: isOpen,
  })
  const [first, second] = people.data ?? []
  const close = (): void => {
    setOpen(false)
    void queries.invalidateQueries({ queryKey: [w, "operation"] })
  }
  return (
    <>
      <Button
        className="h-auto! min-h-8 max-w-full pointer-coarse:min-h-11 py-1 break-words whitespace-normal!"
        onClick={() => setOpen(true)}
        refusal={refusal}
      >
        Merge {personName(secondary)} into {personName(primary)}
      </Button>
      <ActionError error={people.error} />
      {isOpen && first !== undefined && second !== undefined ? (
        <MergeDialog onClose={close} primary={first} secondary={second} w={w} />
      ) : null}
    </>
  )
}
