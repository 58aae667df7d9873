import type { FormDocument } from "@inlethq/contract/objects/Forms"
import { Link } from "@tanstack/react-router"
import { useState } from "react"
import type { ActivityDocument } from "../../api/documents.ts"
import { api } from "../../api/generated.ts"
import { useRefusal } from "../../session/useRefusal.ts"
import { ActionError } from "../../shared/dialogs/ActionError.tsx"
import { Button } from "../../shared/buttons/Button.tsx"
import { Section } from "../../shared/dialogs/Detail.tsx"
import { inputStyle } from "../../shared/fields/Field.tsx"
import { Time } from "../../shared/time/Time.tsx"
import { useChange } from "../../shared/dialogs/useChange.ts"

interface MappingEditorProps {
  readonly w: string
  readonly form: FormDocument
  /** The submission with the values that are shown below the names of the fields, or null if the form has no recent submission. */
  readonly submission: ActivityDocument | null
}

/** Edits which attribute each field of a form sets, and shows the values of a submission. */
export const MappingEditor = ({ form, submission, w }: MappingEditorProps) => {
  const [edits, setEdits] = useState<ReadonlyMap<string, string>>(new Map())
  // This is a map, because fields can have names such as "constructor", which every plain object has as a property.
  const mapping = new Map(Object.entries(form.mapping))
  const changed = [...edits].filter(([field, attribute]) => attribute !== mapping.get(field))
  const refusal = useRefusal("forms.update")
  const save = useChange({
    call: () => api.forms.update(w, form.form_id, { mapping: Object.fromEntries(changed) }),
    outdates: [w, "forms"],
  })
  return (
    <Section title="Fields">
      <form
        className="space-y-3"
        onSubmit={(event) => {
          event.preventDefault()
          save.mutate()
        }}
      >
        <p className="text-sm text-muted">
          Each field sets an attribute of the person. The fields that set id or email say who submitted the
          form. A change applies to later submissions only.
        </p>
        <div className="space-y-2" role="list">
          {form.fields.map((field) => (
            <FieldRow
              attribute={edits.get(field) ?? mapping.get(field) ?? field}
              field={field}
              isReadOnly={refusal !== undefined}
              key={field}
              onChange={(attribute) => setEdits(new Map(edits).set(field, attribute))}
              value={valueOf(submission, field)}
            />
          ))}
        </div>
        {submission === null ? null : <SubmissionNote submission={submission} w={w} />}
        <ActionError error={save.error} />
        <div className="flex justify-end gap-2">
          <Button disabled={changed.length === 0 || save.isPending} onClick={() => setEdits(new Map())}>
            Discard
          </Button>
          <Button
            disabled={changed.length === 0 || save.isPending}
            refusal={refusal}
            tone="primary"
            type="submit"
          >
            Save mapping
          </Button>
        </div>
      </form>
    </Section>
  )
}

interface FieldRowProps {
  readonly field: string
  readonly attribute: string
  /** The value of the field in the submission. Undefined if the submission does not contain the field. */
  readonly value: string | undefined
  readonly isReadOnly: boolean
  readonly onChange: (attribute: string) => void
}

const FieldRow = ({ attribute, field, isReadOnly, onChange, value }: FieldRowProps) => (
  <div className="grid grid-cols-[minmax(0,1fr)_auto_minmax(0,1fr)] items-center gap-2" role="listitem">
    <div className="min-w-0">
      <p className="truncate font-mono text-xs">{field}</p>
      {value === undefined ? null : (
        <p className="truncate text-xs text-muted" title={value}>
          {value}
        </p>
      )}
    </div>
    <span className="text-xs text-faint">sets</span>
    <input
      aria-label={`Attribute that the field ${field} sets`}
      className={`${inputStyle} font-mono text-xs`}
      onChange={(event) => onChange(event.target.value)}
      readOnly={isReadOnly}
      required
      spellCheck={false}
      value={attribute}
    />
  </div>
)

interface SubmissionNoteProps {
  readonly w: string
  readonly submission: ActivityDocument
}

const SubmissionNote = ({ submission, w }: SubmissionNoteProps) => (
  <p className="text-xs text-muted">
    The grey values are from{" "}
    <Link
      className="text-accent underline"
      params={{ w, operationId: submission.operation_id }}
      to="/w/$w/operations/$operationId"
    >
      the last submission
    </Link>
    , <Time at={submission.received_at} />.
  </p>
)

const valueOf = (submission: ActivityDocument | null, field: string): string | undefined => {
  const { data } = submission ?? { data: null }
  if (typeof data !== "object" || data === null || !Object.hasOwn(data, field)) return undefined
  const value: unknown = Reflect.get(data, field)
  return typeof value === "string" ? value : JSON.stringify(value)
}
