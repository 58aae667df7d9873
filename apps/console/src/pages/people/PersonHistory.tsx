import type { PersonDocument } from "@inlethq/contract/people/People"
import { keepPreviousData, useQuery } from "@tanstack/react-query"
import { Link, useNavigate, useSearch } from "@tanstack/react-router"
import { useId } from "react"
import type { ActivityDocument } from "../../api/documents.ts"
import { api } from "../../api/generated.ts"
import { ApiProblem } from "../../shared/dialogs/ApiProblem.tsx"
import { Button, IconButton } from "../../shared/buttons/Button.tsx"
import { Section } from "../../shared/dialogs/Detail.tsx"
import { FieldChanges } from "../../shared/values/FieldChanges.tsx"
import { JsonView } from "../../shared/values/JsonView.tsx"
import { ExactTime } from "../../shared/time/Time.tsx"
import { titleText } from "../../shared/lists/titleText.ts"
import { documentChanges } from "./documentChanges.ts"

/** The largest number of operations that the slider steps through. */
const stepsMax = 200

interface PersonHistoryProps {
  readonly w: string
  readonly person: PersonDocument
}

/** Steps through the operations of a person, and shows what has changed since each of them. The address has the moment. */
export const PersonHistory = ({ person, w }: PersonHistoryProps) => {
  const id = useId()
  const navigate = useNavigate()
  const { position } = useSearch({ from: "/w/$w/people" })
  const steps = useSteps(w, person)
  const last = steps.length - 1
  const at =
    position === undefined ? last : steps.findLastIndex(({ sequence }) => sequence <= Number(position))
  const step = position === undefined ? undefined : steps[at]
  const show = (index: number): void => {
    const chosen = index >= last ? undefined : steps[Math.max(0, index)]
    void navigate({
      to: ".",
      search: (all) => {
        const { position: _, ...others } = all
        return chosen === undefined ? others : { ...others, position: String(chosen.sequence) }
      },
      replace: true,
    })
  }
  if (last < 1 && position === undefined) return null
  return (
    <Section
      actions={position === undefined ? null : <Button onClick={() => show(last)}>Now</Button>}
      title="History"
    >
      <div className="flex items-center gap-2">
        <IconButton disabled={at <= 0} icon="previous" label="Earlier" onClick={() => show(at - 1)} />
        <label className="sr-only" htmlFor={id}>
          Moment
        </label>
        <input
          aria-valuetext={step === undefined ? "now" : `after ${titleText(step)}, ${step.received_at}`}
          className="h-8 min-w-0 flex-1 accent-(--accent) pointer-coarse:h-11"
          id={id}
          max={Math.max(0, last)}
          min={0}
          onChange={(event) => show(Number(event.target.value))}
          type="range"
          value={Math.max(0, at)}
        />
        <IconButton
          disabled={position === undefined}
          icon="next"
          label="Later"
          onClick={() => show(at + 1)}
        />
      </div>
      {position === undefined ? (
        <p className="text-sm text-muted">Move back to see what has changed since.</p>
      ) : (
        <Then person={person} position={position} step={step} w={w} />
      )}
    </Section>
  )
}

/** Returns the newest operations of a person, oldest first. */
const useSteps = (w: string, { svc_id, updated_at }: PersonDocument): ReadonlyArray<ActivityDocument> => {
  const found = useQuery({
    queryKey: [w, "people", "one", svc_id, "history", updated_at],
    queryFn: async ({ signal }) => {
      const { items } = await api.people.activity(w, svc_id, { limit: stepsMax }, signal)
      return items.toReversed()
    },
    placeholderData: keepPreviousData,
  })
  return found.data ?? []
}

interface ThenProps extends PersonHistoryProps {
  readonly position: string
  readonly step: ActivityDocument | undefined
}

/** The person at a position of the log, and what has changed since. */
const Then = ({ person, position, step, w }: ThenProps) => {
  const then = useQuery({
    queryKey: [w, "people", "one", person.svc_id, "as of", position, person.updated_at],
    queryFn: ({ signal }) => api.people.get(w, person.svc_id, { position }, signal),
    placeholderData: keepPreviousData,
    retry: false,
  })
  return (
    <div className="space-y-3">
      {step === undefined ? null : (
        <p className="text-sm">
          After{" "}
          <Link
            className="text-accent underline"
            params={{ w, operationId: step.operation_id }}
            to="/w/$w/operations/$operationId"
          >
            {titleText(step)}
          </Link>
          , <ExactTime at={step.received_at} />
        </p>
      )}
      {then.error === null ? null : (
        <ApiProblem problem={then.error} what="The person at this moment could not be loaded." />
      )}
      {then.data === undefined || then.error !== null ? null : (
        <>
          <FieldChanges
            changes={documentChanges(then.data, person)}
            headings={["Then", "Now"]}
            none="Nothing has changed since."
          />
          <details>
            <summary className="text-xs text-muted">The person then, as JSON</summary>
            <JsonView label="The person then, as JSON" value={then.data} />
          </details>
        </>
      )}
    </div>
  )
}
