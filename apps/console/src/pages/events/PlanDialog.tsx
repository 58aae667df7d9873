import type { PlanDocument, PlansDocument } from "@inlethq/contract/workspaces/Plans"
import { useId, useMemo, useState } from "react"
import { api } from "../../api/generated.ts"
import { FormDialog } from "../../shared/dialogs/FormDialog.tsx"
import { useChange } from "../../shared/dialogs/useChange.ts"
import { WhatIf } from "../../shared/dialogs/WhatIf.tsx"
import { ChoiceField, type Choice } from "../../shared/fields/ChoiceField.tsx"
import { titleOf } from "../../shared/values/typeTitle.ts"
import { isNamed } from "./eventTypes.ts"
import { modeTexts, planChange, planIn, planProblem, type PlanOf } from "./plans.ts"

type Mode = PlanDocument["mode"]
type Json = PlanDocument["schema"]

const modes: ReadonlyArray<Choice<Mode>> = [
  {
    value: "observe",
    label: modeTexts.observe,
    help: "Everything is stored. The filter plan:violated finds them.",
  },
  { value: "strip", label: modeTexts.strip, help: "The rest is stored, and the operation is partial." },
  {
    value: "reject",
    label: modeTexts.reject,
    help: "Nothing is stored. Track and strict Pipelines answer 400.",
  },
]

interface PlanDialogProps {
  readonly w: string
  readonly of: PlanOf
  /** All plans of the workspace, as they were read last. */
  readonly plans: PlansDocument
  /** The schema to begin with. */
  readonly schema: Json
  readonly onClose: () => void
}

/** Edits the plan of a name, or a proposed one. Says what it would have done before it is saved. */
export const PlanDialog = ({ of, onClose, plans, schema, w }: PlanDialogProps) => {
  const { kind, name } = of
  const before = planIn(plans, of)
  const [mode, setMode] = useState<Mode>(before?.mode ?? "observe")
  const [text, setText] = useState(() => JSON.stringify(schema, null, 2))
  const parsed = useMemo(() => parsedFrom(text), [text])
  const asked = parsed.json === undefined ? undefined : JSON.stringify(parsed.json)
  /** What the server says is wrong with a schema, however it is written. */
  const [invalid, setInvalid] = useState<{ readonly asked: string; readonly problem: string }>()
  const isOther =
    parsed.json !== undefined &&
    (before === null || before.mode !== mode || JSON.stringify(before.schema) !== asked)
  const save = useChange({
    call: () =>
      api.plans
        .put(
          w,
          kind,
          name,
          { mode, schema: parsed.json ?? null, ...(before !== null && { version: before.version }) },
          {},
        )
        .catch((cause: unknown) => {
          throw cause instanceof Error ? new Error(planProblem(cause.message), { cause }) : cause
        }),
    outdates: [w, "plans"],
    said: ({ version }) => `The plan is saved as version ${version}.`,
    onDone: onClose,
  })
  const problem =
    parsed.problem ?? (invalid !== undefined && invalid.asked === asked ? planProblem(invalid.problem) : null)
  return (
    <FormDialog
      action={save}
      isComplete={isOther && problem === null}
      onClose={onClose}
      submit="Save plan"
      title={before === null ? `Plan for ${titleOf(of)}` : `Edit the plan of ${titleOf(of)}`}
    >
      {before === null ? (
        <p className="text-sm text-muted">
          The schema accepts all data that were seen. Narrow what should not have come.
        </p>
      ) : null}
      {isNamed(kind) ? (
        <ChoiceField choices={modes} label="Operations that do not fit" onChange={setMode} value={mode} />
      ) : (
        <p className="text-sm text-muted">
          Attributes are always observed: operations that do not fit are marked, and stored whole.
        </p>
      )}
      <SchemaField onChange={setText} problem={problem} text={text} />
      {isOther && parsed.json !== undefined ? (
        <WhatIf
          change={planChange(plans, of, { kind, name, mode, schema: parsed.json })}
          onInvalid={(said) => {
            if (said !== null && asked !== undefined) setInvalid({ asked, problem: said })
          }}
          w={w}
        />
      ) : null}
    </FormDialog>
  )
}

interface Parsed {
  readonly json?: Json
  readonly problem: string | null
}

const parsedFrom = (text: string): Parsed => {
  try {
    const json: Json = JSON.parse(text)
    return { json, problem: null }
  } catch (cause) {
    return { problem: `This is not JSON: ${cause instanceof Error ? cause.message : String(cause)}` }
  }
}

interface SchemaFieldProps {
  readonly text: string
  readonly problem: string | null
  readonly onChange: (text: string) => void
}

/** The most lines that the field shows at once. */
const linesMax = 12

const SchemaField = ({ onChange, problem, text }: SchemaFieldProps) => {
  const id = useId()
  return (
    <div className="space-y-1">
      <label className="block text-sm font-medium" htmlFor={id}>
        Schema
      </label>
      <textarea
        aria-describedby={problem === null ? `${id}-help` : `${id}-help ${id}-error`}
        aria-invalid={problem !== null}
        className="w-full rounded-md border border-line-strong bg-raised px-2 py-1 font-mono text-xs leading-5 pointer-coarse:text-base"
        id={id}
        onChange={(event) => onChange(event.target.value)}
        rows={Math.min(linesMax, Math.max(6, text.split("\n").length))}
        spellCheck={false}
        value={text}
      />
      <p className="text-xs text-muted" id={`${id}-help`}>
        JSON Schema with type, required, properties, items, enum, const, minimum, maximum, minLength,
        maxLength, minItems, maxItems, format and additionalProperties.
      </p>
      {problem === null ? null : (
        <p className="text-xs break-words text-red" id={`${id}-error`} role="alert">
          {problem}
        </p>
      )}
    </div>
  )
}
