import { useQuery } from "@tanstack/react-query"
import { useNavigate, useParams } from "@tanstack/react-router"
import { useState } from "react"
import type { SegmentDocument } from "../../api/documents.ts"
import { api } from "../../api/generated.ts"
import { useWorkspace } from "../../frame/useWorkspace.ts"
import { ApiProblem } from "../../shared/dialogs/ApiProblem.tsx"
import { Loading } from "../../shared/dialogs/Loading.tsx"
import { useChange } from "../../shared/dialogs/useChange.ts"
import { CheckField } from "../../shared/fields/CheckField.tsx"
import { PageTitle } from "../../shared/lists/ListPage.tsx"
import { RuleBuilder } from "./RuleBuilder.tsx"
import { isRuleJson } from "./RuleJson.ts"
import { RuleOutcome } from "./RuleOutcome.tsx"
import { isEdited, ruleOfTree, treeOfRule } from "./ruleTree.ts"
import { SegmentForm } from "./SegmentForm.tsx"
import { segmentKeys, segmentQuery } from "./segmentQueries.ts"

/** Changes the name, the description and the rule of a segment. */
export const EditSegmentPage = () => {
  const w = useWorkspace()
  const { segmentId } = useParams({ from: "/w/$w/segments/$segmentId/edit" })
  const segment = useQuery({
    ...segmentQuery(w, segmentId),
    // While the operator edits, the form must not change by itself.
    refetchOnWindowFocus: false,
  })
  if (segment.data !== undefined) return <EditSegment key={segmentId} segment={segment.data} w={w} />
  return (
    <section aria-label="Edit segment" className="flex h-full min-h-0 flex-col">
      <PageTitle title="Edit segment" />
      {segment.error === null ? (
        <Loading />
      ) : (
        <ApiProblem
          onRetry={() => void segment.refetch()}
          problem={segment.error}
          what="The segment could not be loaded."
        />
      )}
    </section>
  )
}

interface EditSegmentProps {
  readonly w: string
  readonly segment: SegmentDocument
}

/** A new rule is built beside the one in force. */
const EditSegment = ({ segment, w }: EditSegmentProps) => {
  const navigate = useNavigate()
  const segmentId = String(segment.segment_id)
  // What is shown is what was loaded first: while a rule is built, the segment is loaded again and again.
  const [before] = useState(() => ({
    texts: { name: segment.name, description: segment.description ?? "" },
    root: treeOfRule(ruleOf(segment)),
  }))
  const [texts, setTexts] = useState(before.texts)
  const [root, setRoot] = useState(before.root)
  const rule = ruleOfTree(root)
  const [isAnnounced, setAnnounced] = useState(false)
  const isByRule = segment.kind === "rule"
  const isRuleEdited = isByRule && isEdited(root, before.root)
  const isNewRule = rule !== undefined && isRuleEdited
  const close = (): void => void navigate({ to: "/w/$w/segments/$segmentId", params: { w, segmentId } })
  const save = useChange({
    call: () =>
      api.segments.update(w, segmentId, {
        name: texts.name.trim(),
        description: texts.description.trim() === "" ? null : texts.description.trim(),
        ...(isNewRule ? { rule, announce: isAnnounced } : {}),
      }),
    outdates: segmentKeys.all(w),
    said: () =>
      isNewRule ? "The segment is saved, and its new rule is being built." : "The segment is saved.",
    onDone: close,
  })
  return (
    <SegmentForm
      action={save}
      isChanged={
        isRuleEdited || texts.name !== before.texts.name || texts.description !== before.texts.description
      }
      isComplete={texts.name.trim() !== "" && (!isByRule || rule !== undefined)}
      may="segments.update"
      onCancel={close}
      onTexts={setTexts}
      outcome={
        isByRule ? (
          <RuleOutcome isNewRule={isNewRule} rule={rule} segment={segment} w={w} />
        ) : (
          <p className="p-4 text-sm text-muted">People are added and removed on the page of the segment.</p>
        )
      }
      submit="Save segment"
      texts={texts}
      title={`Edit ${segment.name}`}
    >
      {isByRule ? <RuleBuilder onChange={setRoot} root={root} w={w} /> : null}
      {isNewRule ? (
        <CheckField
          checked={isAnnounced}
          help="Otherwise only those who enter and leave after the new rule is in force are recorded and sent to webhooks."
          label="Record who enters and leaves while the rule is built"
          onChange={setAnnounced}
        />
      ) : null}
    </SegmentForm>
  )
}

const ruleOf = ({ next, rule }: SegmentDocument) => {
  const newest = next?.rule ?? rule
  return isRuleJson(newest) ? newest : undefined
}
