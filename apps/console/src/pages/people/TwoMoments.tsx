import type { PersonDocument } from "@inlethq/contract/people/People"
import { useQuery } from "@tanstack/react-query"
import { Link } from "@tanstack/react-router"
import type { ActivityDocument } from "../../api/documents.ts"
import { api } from "../../api/generated.ts"
import { ApiProblem } from "../../shared/dialogs/ApiProblem.tsx"
import { titleText } from "../../shared/lists/titleText.ts"
import { ExactTime } from "../../shared/time/Time.tsx"
import { FieldChanges } from "../../shared/values/FieldChanges.tsx"
import { JsonView } from "../../shared/values/JsonView.tsx"
import { documentChanges } from "./documentChanges.ts"
import { stepAt } from "./historySteps.ts"

/** A moment in the history of a person, or now if it is undefined. */
type Moment = string | undefined

interface TwoMomentsProps {
  readonly w: string
  readonly person: PersonDocument
  readonly position: Moment
  readonly against: Moment
  readonly steps: ReadonlyArray<ActivityDocument>
}

/** What differs between two moments of a person: the earlier one on the left, and now unless another one was chosen. */
export const TwoMoments = ({ against, person, position, steps, w }: TwoMomentsProps) => {
  const [earlier, later] = inOrder(position, against)
  const then = useThen(w, person, earlier)
  const since = useThen(w, person, later)
  const problem = then.error ?? since.error
  const isNow = later === undefined
  return (
    <div className="space-y-3">
      <MomentText {...{ steps, w }} moment={earlier} word="After" />
      {isNow ? null : <MomentText {...{ steps, w }} moment={later} word="Compared with after" />}
      {problem === null ? null : (
        <ApiProblem problem={problem} what="The person at this moment could not be loaded." />
      )}
      {then.person === undefined || since.person === undefined || problem !== null ? null : (
        <>
          <FieldChanges
            changes={documentChanges(then.person, since.person)}
            headings={isNow ? ["Then", "Now"] : ["Earlier", "Later"]}
            none={isNow ? "Nothing has changed since." : "Nothing differs between the two moments."}
          />
          <details>
            <summary className="text-xs text-muted">The person then, as JSON</summary>
            <JsonView label="The person then, as JSON" value={then.person} />
          </details>
        </>
      )}
    </div>
  )
}

/** Returns the earlier moment first. */
const inOrder = (one: Moment, other: Moment): readonly [earlier: Moment, later: Moment] => {
  if (one === undefined || other === undefined) return [one ?? other, undefined]
  if (one === other) return [one, undefined]
  return Number(one) < Number(other) ? [one, other] : [other, one]
}

/** Reads a person as they were, or gives the person of now. */
const useThen = (w: string, person: PersonDocument, position: Moment) => {
  const then = useQuery({
    queryKey: [w, "people", "one", person.svc_id, "as of", position, person.updated_at],
    queryFn: ({ signal }) => api.people.get(w, person.svc_id, { position: position ?? "" }, signal),
    enabled: position !== undefined,
    // The same moment is shown on while it is read again, and never the person of another one.
    placeholderData: (previous, query) =>
      query?.queryKey[3] === person.svc_id && query.queryKey[5] === position ? previous : undefined,
    retry: false,
  })
  return position === undefined ? { error: null, person } : { error: then.error, person: then.data }
}

interface MomentTextProps {
  readonly w: string
  readonly word: string
  readonly moment: Moment
  readonly steps: ReadonlyArray<ActivityDocument>
}

const MomentText = ({ moment, steps, w, word }: MomentTextProps) => {
  const step = moment === undefined ? undefined : steps[stepAt(steps, moment)]
  if (step === undefined) return null
  return (
    <p className="text-sm">
      {word}{" "}
      <Link
        className="text-accent underline"
        params={{ w, operationId: step.operation_id }}
        to="/w/$w/operations/$operationId"
      >
        {titleText(step)}
      </Link>
      , <ExactTime at={step.received_at} />
    </p>
  )
}
