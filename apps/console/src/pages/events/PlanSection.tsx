import type { EventTypeShapeDocument } from "@inlethq/contract/types/EventTypes"
import type { PlanDocument, PlansDocument } from "@inlethq/contract/workspaces/Plans"
import { useQuery } from "@tanstack/react-query"
import { Link } from "@tanstack/react-router"
import { useState } from "react"
import { workspaceQuery } from "../../api/workspaceQuery.ts"
import { useRefusal } from "../../session/useRefusal.ts"
import { Button } from "../../shared/buttons/Button.tsx"
import { ApiProblem } from "../../shared/dialogs/ApiProblem.tsx"
import { Facts, Section } from "../../shared/dialogs/Detail.tsx"
import { DeletePlan } from "./DeletePlan.tsx"
import { PlanDialog } from "./PlanDialog.tsx"
import { PlanTable } from "./PlanTable.tsx"
import { modeTexts, planIn, plansQuery, type PlanOf } from "./plans.ts"

interface PlanSectionProps {
  readonly w: string
  readonly of: PlanOf
  /** What was seen of the name. Null if nothing was. */
  readonly type: EventTypeShapeDocument | null
}

/** The plan of a name, or a proposal of one from what was seen. */
export const PlanSection = ({ of, type, w }: PlanSectionProps) => {
  const plans = useQuery(plansQuery(w))
  const [isEditing, setEditing] = useState(false)
  const refusal = useRefusal("plans.put")
  const plan = planIn(plans.data, of)
  const start = plan?.schema ?? type?.json_schema
  return (
    <Section
      actions={
        plans.data === undefined || start === undefined || of.name === "*" ? null : (
          <>
            <Button onClick={() => setEditing(true)} refusal={refusal}>
              {plan === null ? "Propose a plan" : "Edit"}
            </Button>
            {plan === null ? null : <DeletePlan of={of} plans={plans.data} w={w} />}
          </>
        )
      }
      title="Plan"
    >
      {plans.error === null ? null : (
        <ApiProblem
          onRetry={() => void plans.refetch()}
          problem={plans.error}
          what="The plans could not be loaded."
        />
      )}
      {plans.data === undefined ? null : plan === null ? (
        <NoPlan of={of} w={w} />
      ) : (
        <PlanView plan={plan} w={w} />
      )}
      {isEditing && plans.data !== undefined && start !== undefined ? (
        <EditPlan of={of} onClose={() => setEditing(false)} plans={plans.data} schema={start} w={w} />
      ) : null}
    </Section>
  )
}

interface EditPlanProps extends Pick<PlanSectionProps, "w" | "of"> {
  readonly plans: PlansDocument
  readonly schema: PlanDocument["schema"]
  readonly onClose: () => void
}

/** The dialog keeps what it began with: the page reads the plans and the summary again while somebody types. */
const EditPlan = ({ plans, schema, ...props }: EditPlanProps) => {
  const [begun] = useState({ plans, schema })
  return <PlanDialog {...props} {...begun} />
}

interface PlanViewProps {
  readonly w: string
  readonly plan: PlanDocument
}

const PlanView = ({ plan, w }: PlanViewProps) => {
  const auditRefusal = useRefusal("audit.list")
  return (
    <div className="space-y-3">
      <Facts
        facts={[
          ["Mode", modeTexts[plan.mode]],
          [
            "Version",
            <span key="version">
              {plan.version}{" "}
              {auditRefusal === undefined ? (
                <Link
                  className="text-accent hover:underline pointer-coarse:min-w-11 pointer-coarse:py-3"
                  params={{ w }}
                  search={{ action: "plan" }}
                  to="/w/$w/audit"
                >
                  Changes of plans
                </Link>
              ) : null}
            </span>,
          ],
        ]}
      />
      <PlanTable plan={plan} />
    </div>
  )
}

/** What becomes of a name without a plan. Only events can be asked to have one. */
const NoPlan = ({ of: { kind }, w }: Pick<PlanSectionProps, "of" | "w">) => {
  const workspace = useQuery(workspaceQuery(w))
  const unknown = kind === "event" ? workspace.data?.unknown_events : "allow"
  if (unknown === undefined) return null
  return (
    <p className="text-sm text-muted">
      {unknown === "allow"
        ? "No plan: any data are accepted."
        : unknown === "observe"
          ? "No plan: its operations are marked, as the settings say."
          : "No plan: its operations are rejected, as the settings say."}
    </p>
  )
}
