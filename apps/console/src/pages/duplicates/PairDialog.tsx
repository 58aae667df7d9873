import { Link } from "@tanstack/react-router"
import type { DuplicateDocument } from "../../api/documents.ts"
import { api } from "../../api/generated.ts"
import { useRefusal } from "../../session/useRefusal.ts"
import { ActionError } from "../../shared/dialogs/ActionError.tsx"
import { Button } from "../../shared/buttons/Button.tsx"
import { Facts } from "../../shared/dialogs/Detail.tsx"
import { ModalDialog } from "../../shared/dialogs/ModalDialog.tsx"
import { personName } from "../../shared/values/personName.ts"
import { useChange } from "../../shared/dialogs/useChange.ts"

const reasonTexts: Readonly<Record<DuplicateDocument["reasons"][number], string>> = {
  identifier: "one was given an identifier that the other has",
  device: "a device moved from one to the other",
  alias: "an alias of one names an anonymous id of the other",
}

interface PairDialogProps {
  readonly w: string
  readonly pair: DuplicateDocument
  readonly onClose: () => void
  readonly onMerge: () => void
}

/** Two people who may be one, what says so, and what can be done about it. */
export const PairDialog = ({ onClose, onMerge, pair, w }: PairDialogProps) => {
  const mergeRefusal = useRefusal("activity.apply")
  const dismissRefusal = useRefusal("duplicates.dismiss")
  const [first, second] = pair.people
  const dismiss = useChange({
    call: () => api.duplicates.dismiss(w, { svc_ids: [first.svc_id, second.svc_id] }),
    outdates: [w, "duplicates"],
    said: () => `${personName(first)} and ${personName(second)} are not suggested again.`,
    onDone: onClose,
  })
  return (
    <ModalDialog onClose={onClose} title="Are they one person?">
      <div className="space-y-4">
        <Facts
          facts={[
            ["First", <PersonLink key="first" person={first} w={w} />],
            ["Second", <PersonLink key="second" person={second} w={w} />],
            ["Why", pair.reasons.map((reason) => reasonTexts[reason]).join("; ")],
          ]}
        />
        <section className="space-y-1">
          <h3 className="text-sm font-medium">The operations that say so</h3>
          <ul className="max-h-40 overflow-y-auto">
            {pair.operation_ids.map((operationId) => (
              <li key={operationId}>
                <Link
                  className="font-mono text-xs text-accent hover:underline"
                  params={{ w, operationId }}
                  to="/w/$w/operations/$operationId"
                >
                  {operationId}
                </Link>
              </li>
            ))}
          </ul>
        </section>
        <ActionError error={dismiss.error} />
        <div className="flex flex-wrap justify-end gap-2">
          <Button disabled={dismiss.isPending} onClick={() => dismiss.mutate()} refusal={dismissRefusal}>
            Never suggest again
          </Button>
          <Button onClick={onMerge} refusal={mergeRefusal} tone="primary">
            Merge
          </Button>
        </div>
      </div>
    </ModalDialog>
  )
}

interface PersonLinkProps {
  readonly w: string
  readonly person: DuplicateDocument["people"][number]
}

const PersonLink = ({ person, w }: PersonLinkProps) => (
  <>
    <Link
      className="text-accent hover:underline"
      params={{ w, personId: person.svc_id }}
      to="/w/$w/people/$personId"
    >
      {personName(person)}
    </Link>
    {person.name === null ? null : ` (${person.name})`}
  </>
)
