import { useQuery } from "@tanstack/react-query"
import { api } from "../../api/generated.ts"
import { ActionError } from "../../shared/dialogs/ActionError.tsx"
import { Loading } from "../../shared/dialogs/Loading.tsx"
import { counted } from "../../shared/values/figures.ts"
import { ProofTree } from "../../shared/values/ProofTree.tsx"
import { segmentKeys } from "./segmentQueries.ts"

interface WhyProps {
  readonly w: string
  readonly personId: string
  readonly segmentId: string
}

/** Proves from the log why somebody is in a segment by rule, or not. */
export const Why = ({ personId, segmentId, w }: WhyProps) => {
  const why = useQuery({
    queryKey: segmentKeys.one(w, segmentId, "explain", personId),
    queryFn: ({ signal }) => api.segmentRules.explain(w, segmentId, { person: personId }, signal),
  })
  if (why.isPending) return <Loading />
  return why.data === undefined ? (
    <ActionError error={why.error} />
  ) : (
    <>
      {hints[why.data.state] === null ? null : <p className="text-sm text-amber">{hints[why.data.state]}</p>}
      {why.data.tree.nodes.length === 0 ? null : (
        <p className="text-sm text-muted">{heldText(why.data.tree.nodes)}</p>
      )}
      <ProofTree proof={why.data.tree} w={w} />
    </>
  )
}

const heldText = (nodes: ReadonlyArray<{ readonly truth: boolean }>): string =>
  `${nodes.filter(({ truth }) => truth).length} of its ${counted(nodes.length, "condition", "conditions")} hold.`

/** Why somebody may be in a segment although its rule does not hold for them, or the other way round. */
const hints = {
  building: "The rule is still being built, so what it counts may not be complete.",
  active: null,
  settling: "The rule is not yet evaluated again for everybody related to an object that changed.",
  paused: "The segment is paused, so nobody enters or leaves, whatever the rule says.",
} as const
