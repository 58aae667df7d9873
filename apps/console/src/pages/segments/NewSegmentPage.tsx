import { useNavigate, useSearch } from "@tanstack/react-router"
import { useState } from "react"
import { api } from "../../api/generated.ts"
import { useWorkspace } from "../../frame/useWorkspace.ts"
import { useChange } from "../../shared/dialogs/useChange.ts"
import { ChoiceField } from "../../shared/fields/ChoiceField.tsx"
import { RuleBuilder } from "./RuleBuilder.tsx"
import type { RuleJson } from "./RuleJson.ts"
import { RuleOutcome } from "./RuleOutcome.tsx"
import { isEdited, ruleOfTree, treeOfRule } from "./ruleTree.ts"
import { SegmentForm } from "./SegmentForm.tsx"
import { segmentKeys } from "./segmentQueries.ts"

const choices = [
  { value: "rule", label: "By rule", help: "People enter and leave by themselves, at once." },
  { value: "manual", label: "By hand", help: "Calls and operators add people and remove them." },
] as const

/** The rule of those who sent an event, a page view or a screen view of a name, as an address begins it. */
const begunRule = (kind: string | undefined, name: string | undefined): RuleJson | undefined =>
  name !== undefined && (kind === "event" || kind === "page" || kind === "screen")
    ? { [kind]: { name } }
    : undefined

/** Creates a segment, by rule or by hand. */
export const NewSegmentPage = () => {
  const w = useWorkspace()
  const navigate = useNavigate()
  const search = useSearch({ from: "/w/$w/segments/new" })
  const [texts, setTexts] = useState({ name: "", description: "" })
  const [kind, setKind] = useState<"manual" | "rule">("rule")
  const [begun] = useState(() => treeOfRule(begunRule(search.kind, search.name)))
  // While it is chosen by hand who is in the segment, the rule is kept.
  const [root, setRoot] = useState(begun)
  const rule = ruleOfTree(root)
  const name = texts.name.trim()
  const description = texts.description.trim()
  const isByRule = kind === "rule"
  const create = useChange({
    call: () =>
      api.segments.create(w, {
        name,
        ...(description === "" ? {} : { description }),
        ...(isByRule && rule !== undefined ? { rule } : {}),
      }),
    outdates: segmentKeys.all(w),
    onDone: ({ segment_id }) =>
      void navigate({ to: "/w/$w/segments/$segmentId", params: { w, segmentId: String(segment_id) } }),
  })
  return (
    <SegmentForm
      action={create}
      isChanged={name !== "" || description !== "" || isEdited(root, begun)}
      isComplete={name !== "" && (!isByRule || rule !== undefined)}
      may="segments.create"
      onCancel={() => void navigate({ to: "/w/$w/segments", params: { w } })}
      onTexts={setTexts}
      outcome={
        isByRule ? (
          <RuleOutcome isNewRule rule={rule} segment={undefined} w={w} />
        ) : (
          <p className="p-4 text-sm text-muted">The segment has no people until somebody adds them.</p>
        )
      }
      submit="Create segment"
      texts={texts}
      title="Create segment"
    >
      <ChoiceField choices={choices} label="Who is in it" onChange={setKind} value={kind} />
      {isByRule ? <RuleBuilder onChange={setRoot} root={root} w={w} /> : null}
    </SegmentForm>
  )
}
