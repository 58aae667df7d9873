import { useState } from "react"
import type { SegmentDocument } from "../../api/documents.ts"
import { api } from "../../api/generated.ts"
import { CheckField } from "../../shared/fields/CheckField.tsx"
import { Field } from "../../shared/fields/Field.tsx"
import { FormDialog } from "../../shared/dialogs/FormDialog.tsx"
import { WhatIf } from "../../shared/dialogs/WhatIf.tsx"
import { NameField } from "../../shared/fields/NameField.tsx"
import { RuleBuilder } from "./RuleBuilder.tsx"
import { isRuleJson, type RuleJson } from "./ruleRows.ts"
import { useChange } from "../../shared/dialogs/useChange.ts"

interface EditSegmentDialogProps {
  readonly w: string
  readonly segment: SegmentDocument
  readonly onClose: () => void
}

/** Changes the name, the description and the rule of a segment. A new rule is built beside the one in force. */
export const EditSegmentDialog = ({ onClose, segment, w }: EditSegmentDialogProps) => {
  const before = segment.next?.rule ?? segment.rule
  const ruleBefore = isRuleJson(before) ? before : undefined
  const [name, setName] = useState(segment.name)
  const [description, setDescription] = useState(segment.description ?? "")
  const [rule, setRule] = useState<RuleJson | undefined>(ruleBefore)
  const [isAnnounced, setAnnounced] = useState(false)
  const isNewRule = rule !== undefined && JSON.stringify(rule) !== JSON.stringify(ruleBefore)
  const save = useChange({
    call: () =>
      api.segments.update(w, String(segment.segment_id), {
        name: name.trim(),
        description: description.trim() === "" ? null : description.trim(),
        ...(isNewRule ? { rule, announce: isAnnounced } : {}),
      }),
    outdates: [w, "segments"],
    said: () =>
      isNewRule ? "The segment is saved, and its new rule is being built." : "The segment is saved.",
    onDone: onClose,
  })
  return (
    <FormDialog
      action={save}
      isComplete={name.trim() !== "" && (segment.kind === "manual" || rule !== undefined)}
      onClose={onClose}
      submit="Save segment"
      title={`Edit ${segment.name}`}
    >
      <NameField autoFocus onChange={setName} value={name} />
      <Field
        autoComplete="off"
        help="Says who belongs to the segment. Only operators see the description."
        label="Description"
        onChange={(event) => setDescription(event.target.value)}
        value={description}
      />
      {segment.kind === "manual" ? null : <RuleBuilder initial={ruleBefore} onChange={setRule} w={w} />}
      {isNewRule ? <WhatIf change={{ rule: { rule } }} w={w} /> : null}
      {isNewRule ? (
        <CheckField
          checked={isAnnounced}
          help="Otherwise only those who enter and leave after the new rule is in force are recorded and sent to webhooks."
          label="Record who enters and leaves while the rule is built"
          onChange={setAnnounced}
        />
      ) : null}
    </FormDialog>
  )
}
