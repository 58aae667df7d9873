import type { PersonDocument } from "@inlethq/contract/people/People"
import type { ProvenanceDocument } from "@inlethq/contract/activity/Provenance"
import { useQuery } from "@tanstack/react-query"
import { Link } from "@tanstack/react-router"
import { useState } from "react"
import { api } from "../../api/generated.ts"
import { useRefusal } from "../../session/useRefusal.ts"
import { ApiProblem } from "../../shared/dialogs/ApiProblem.tsx"
import { Button } from "../../shared/buttons/Button.tsx"
import { Section } from "../../shared/dialogs/Detail.tsx"
import { FullText } from "../../shared/values/FullText.tsx"
import { Time } from "../../shared/time/Time.tsx"
import { EditAttributeDialog } from "./EditAttributeDialog.tsx"
import { typeOf, valueText } from "./attributeText.ts"

/** The largest number of attributes that the page shows at first. A button shows the rest. */
const shownMax = 50

interface AttributesProps {
  readonly w: string
  readonly person: PersonDocument
}

interface Edited {
  readonly name: string
  readonly value: unknown
}

/** The attributes of a person, with the operation that set each of them. */
export const Attributes = ({ person, w }: AttributesProps) => {
  const [isAll, setAll] = useState(false)
  const [edited, setEdited] = useState<Edited>()
  const refusal = useRefusal("activity.apply")
  const provenance = useQuery({
    queryKey: [w, "people", "one", person.svc_id, "provenance", person.updated_at],
    queryFn: ({ signal }) => api.people.provenance(w, person.svc_id, {}, signal),
  })
  const origins = new Map(provenance.data?.items.map((item) => [item.path, item]))
  const names = Object.keys(person.attributes).toSorted()
  const shown = isAll ? names : names.slice(0, shownMax)
  return (
    <Section
      actions={
        <Button icon="created" onClick={() => setEdited({ name: "", value: undefined })} refusal={refusal}>
          Set attribute
        </Button>
      }
      title="Attributes"
    >
      {names.length === 0 ? <p className="text-sm text-muted">This person has no attributes.</p> : null}
      <ul className="-mx-4">
        {shown.map((name) => (
          <AttributeRow
            key={name}
            name={name}
            onEdit={
              refusal === undefined ? () => setEdited({ name, value: person.attributes[name] }) : undefined
            }
            origin={origins.get(`attributes.${name}`)}
            value={person.attributes[name]}
            w={w}
          />
        ))}
      </ul>
      {shown.length < names.length ? (
        <Button className="mt-2" onClick={() => setAll(true)}>
          Show all {names.length} attributes
        </Button>
      ) : null}
      {provenance.error === null ? null : (
        <ApiProblem
          onRetry={() => void provenance.refetch()}
          problem={provenance.error}
          what="The operations that set the attributes could not be loaded."
        />
      )}
      {edited === undefined ? null : (
        <EditAttributeDialog
          name={edited.name}
          onClose={() => setEdited(undefined)}
          personId={person.svc_id}
          value={edited.value}
          w={w}
        />
      )}
    </Section>
  )
}

interface AttributeRowProps {
  readonly w: string
  readonly name: string
  readonly value: unknown
  /** The operation that set the attribute. Undefined if this operation is older than the entries that were read. */
  readonly origin: ProvenanceDocument | undefined
  /** Undefined if the session may not edit. */
  readonly onEdit: (() => void) | undefined
}

const AttributeRow = ({ name, onEdit, origin, value, w }: AttributeRowProps) => (
  <li className="grid min-h-8 grid-cols-[minmax(96px,1fr)_minmax(0,2fr)_auto] items-center gap-3 border-t border-line px-4 py-1 text-sm">
    {onEdit === undefined ? (
      <span className="truncate font-mono text-xs" title={name}>
        {name}
      </span>
    ) : (
      <button
        aria-label={`Edit ${name}`}
        className="truncate text-left font-mono text-xs hover:underline"
        onClick={onEdit}
        title={name}
        type="button"
      >
        {name}
      </button>
    )}
    <span className="flex min-w-0 items-baseline gap-2">
      <FullText text={valueText(value)} />
      <span className="text-xs text-faint">{typeOf(value)}</span>
    </span>
    {origin === undefined ? (
      <span />
    ) : (
      <Link
        className="text-right text-xs text-accent hover:underline"
        params={{ w, operationId: origin.operation_id }}
        title={`Set by ${origin.operation_id}, sent through ${origin.source}`}
        to="/w/$w/operations/$operationId"
      >
        <Time at={origin.at} />
      </Link>
    )}
  </li>
)
