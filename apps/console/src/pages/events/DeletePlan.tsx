import type { PlansDocument } from "@inlethq/contract/workspaces/Plans"
import { useQueryClient } from "@tanstack/react-query"
import { useState } from "react"
import { api } from "../../api/generated.ts"
import { useRefusal } from "../../session/useRefusal.ts"
import { Button } from "../../shared/buttons/Button.tsx"
import { ConfirmDialog } from "../../shared/dialogs/ConfirmDialog.tsx"
import { notify } from "../../shared/dialogs/notices.ts"
import { WhatIf } from "../../shared/dialogs/WhatIf.tsx"
import { titleOf } from "../../shared/values/typeTitle.ts"
import { planChange, type PlanOf } from "./plans.ts"

interface DeletePlanProps {
  readonly w: string
  readonly of: PlanOf
  readonly plans: PlansDocument
}

/** Deletes a plan, after it has said what its absence would have done. */
export const DeletePlan = ({ of, plans, w }: DeletePlanProps) => {
  const queries = useQueryClient()
  const [isAsking, setAsking] = useState(false)
  const refusal = useRefusal("plans.delete")
  return (
    <>
      <Button onClick={() => setAsking(true)} refusal={refusal} tone="danger">
        Delete
      </Button>
      {isAsking ? (
        <ConfirmDialog
          action="Delete plan"
          onClose={() => setAsking(false)}
          onConfirm={async () => {
            await api.plans.delete(w, of.kind, of.name)
            await queries.invalidateQueries({ queryKey: [w, "plans"] })
            notify("The plan is deleted.")
          }}
          title={`Delete the plan of ${titleOf(of)}`}
        >
          <div className="space-y-3">
            <p>
              Its data are not checked any more. What is stored stays as it is. A plan that is added later
              goes on counting its versions.
            </p>
            <WhatIf change={planChange(plans, of, null)} w={w} />
          </div>
        </ConfirmDialog>
      ) : null}
    </>
  )
}
