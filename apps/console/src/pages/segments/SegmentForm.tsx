import type { UseMutationResult } from "@tanstack/react-query"
import type { ReactNode } from "react"
import { useRefusal } from "../../session/useRefusal.ts"
import { ActionError } from "../../shared/dialogs/ActionError.tsx"
import { UnsavedChanges } from "../../shared/dialogs/UnsavedChanges.tsx"
import { Button } from "../../shared/buttons/Button.tsx"
import { Field } from "../../shared/fields/Field.tsx"
import { NameField } from "../../shared/fields/NameField.tsx"
import { PageTitle } from "../../shared/lists/ListPage.tsx"

/** What somebody types about a segment, beside its rule. */
export interface SegmentTexts {
  readonly name: string
  readonly description: string
}

interface SegmentFormProps {
  readonly title: string
  readonly texts: SegmentTexts
  readonly onTexts: (texts: SegmentTexts) => void
  /** The fields below the name and the description. */
  readonly children: ReactNode
  /** What the segment would have in it. */
  readonly outcome: ReactNode
  readonly submit: string
  readonly may: "segments.create" | "segments.update"
  readonly isComplete: boolean
  readonly isChanged: boolean
  readonly action: Pick<
    UseMutationResult<unknown, Error, void>,
    "mutate" | "isPending" | "isSuccess" | "error"
  >
  readonly onCancel: () => void
}

/** A page with the rule of a segment on one side, and what it means on the other. */
export const SegmentForm = (props: SegmentFormProps) => {
  const { action, children, isChanged, isComplete, may, onCancel, onTexts, outcome, submit, texts, title } =
    props
  const refusal = useRefusal(may)
  return (
    <form
      aria-label={title}
      className="flex h-full min-h-0 flex-col"
      onSubmit={(event) => {
        event.preventDefault()
        action.mutate()
      }}
    >
      <PageTitle
        actions={
          <>
            <Button onClick={onCancel}>Cancel</Button>
            <Button disabled={!isComplete || action.isPending} refusal={refusal} tone="primary" type="submit">
              {submit}
            </Button>
          </>
        }
        title={title}
      />
      <div className="min-h-0 flex-1 overflow-y-auto border-t border-line lg:flex lg:overflow-hidden">
        <div
          aria-label="Rule of the segment"
          className="relative min-w-0 flex-1 space-y-4 p-4 lg:overflow-y-auto"
          role="region"
          tabIndex={0}
        >
          <ActionError error={action.error} />
          <div className="grid gap-4 xl:grid-cols-2">
            <NameField autoFocus onChange={(name) => onTexts({ ...texts, name })} value={texts.name} />
            <Field
              autoComplete="off"
              help="Says who belongs to the segment. Only operators see the description."
              label="Description"
              onChange={(event) => onTexts({ ...texts, description: event.target.value })}
              value={texts.description}
            />
          </div>
          {children}
        </div>
        <aside
          aria-label="What the rule means"
          className="relative border-line max-lg:border-t lg:w-[min(400px,36%)] lg:shrink-0 lg:overflow-y-auto lg:border-l"
          tabIndex={0}
        >
          <h2 className="sr-only">What the rule means</h2>
          {outcome}
        </aside>
      </div>
      {/* While the segment is saved, what was typed is not lost. */}
      <UnsavedChanges isChanged={isChanged && !action.isPending && !action.isSuccess} />
    </form>
  )
}
