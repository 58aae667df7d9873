import { useState } from "react"
import { api } from "../../api/generated.ts"
import { ChoiceField } from "../../shared/fields/ChoiceField.tsx"
import { Field } from "../../shared/fields/Field.tsx"
import { FormDialog } from "../../shared/dialogs/FormDialog.tsx"
import { WhatIf } from "../../shared/dialogs/WhatIf.tsx"
import { NameField } from "../../shared/fields/NameField.tsx"
import { RuleBuilder } from "./RuleBuilder.tsx"
import type { RuleJson } from "./ruleRows.ts"
import { useChange } from "../../shared/dialogs/useChange.ts"

interface CreateSegmentDialogProps {
  readonly w: string
  /** The rule to begin with, for a segment by rule. */
  readonly initialRule: RuleJson | undefined
  readonly onCreated: (segmentId: number) => void
  readonly onClose: () => void
}

const choices = [
  { value: "manual", label: "By hand", help: "Calls and operators add people and remove them." },
  { value: "rule", label: "By rule", help: "People enter and leave by themselves, at once." },
] as const

/** Creates a segment, by hand or by rule. */
export const CreateSegmentDialog = ({ initialRule, onClose, onCreated, w }: CreateSegmentDialogProps) => {
  const [name, setName] = useState("")
  const [description, setDescription] = useState("")
  const [kind, setKind] = useState<"manual" | "rule">(initialRule === undefined ? "manual" : "rule")
  const [rule, setRule] = useState(initialRule)
  const create = useChange({
    call: () =>
      api.segments.create(w, {
        name: name.trim(),
        ...(description.trim() === "" ? {} : { description: description.trim() }),
        ...(kind === "rule" && rule !== undefined ? { rule } : {}),
      }),
    outdates: [w, "segments"],
    onDone: ({ segment_id }) => {
      onClose()
      onCreated(segment_id)
    },
  })
  return (
    <FormDialog
      action={create}
      isComplete={name.trim() !== "" && (kind === "manual" || rule !== undefined)}
      onClose={onClose}
      submit="Create segment"
      title="Create segment"
    >
      <NameField autoFocus onChange={setName} value={name} />
      <Field
        autoComplete="off"
        help="Says who belongs to the segment. Only operators see the description."
        label="Description"
        onChange={(event) => setDescription(event.target.value)}
        value={description}
      />
      <ChoiceField choices={choices} label="Who is in it" onChange={setKind} value={kind} />
      {kind === "rule" ? <RuleBuilder initial={initialRule} onChange={setRule} w={w} /> : null}
      {kind === "rule" && rule !== undefined ? <WhatIf change={{ rule: { rule } }} w={w} /> : null}
    </FormDialog>
  )
}
