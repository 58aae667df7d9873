import type { PersonDocument } from "@inlethq/contract/people/People"
import { useNavigate, useSearch } from "@tanstack/react-router"
import { useEffect, useId } from "react"
import type { ActivityDocument } from "../../api/documents.ts"
import { api } from "../../api/generated.ts"
import { Button, IconButton } from "../../shared/buttons/Button.tsx"
import { ApiProblem } from "../../shared/dialogs/ApiProblem.tsx"
import { Section } from "../../shared/dialogs/Detail.tsx"
import { inputStyle } from "../../shared/fields/Field.tsx"
import { titleText } from "../../shared/lists/titleText.ts"
import { usePages } from "../../shared/lists/usePages.ts"
import { useZone } from "../../shared/time/zone.ts"
import { counted } from "../../shared/values/figures.ts"
import { daysOfSteps, needsOlder, stepAt } from "./historySteps.ts"
import { TwoMoments } from "./TwoMoments.tsx"

/** The number of operations that are loaded at a time. */
const stepsPerPage = 200

interface PersonHistoryProps {
  readonly w: string
  readonly person: PersonDocument
}

/**
 * Steps through the operations of a person, and shows what differs between a moment and now, or between two moments. The address
 * has the moments.
 */
export const PersonHistory = ({ person, w }: PersonHistoryProps) => {
  const navigate = useNavigate()
  const { against, position } = useSearch({ from: "/w/$w/people" })
  const { isCut, problem, reload, steps } = useSteps(w, person, [position, against])
  const last = steps.length - 1
  const at = position === undefined ? last : stepAt(steps, position)
  const show = (moments: Moments): void =>
    void navigate({
      to: ".",
      search: (all) => {
        const { against: _, position: __, ...others } = all
        return { ...others, ...moments }
      },
      replace: true,
    })
  const kept = against === undefined ? {} : { against }
  const goTo = (index: number): void => {
    const chosen = index >= last ? undefined : steps[Math.max(0, index)]
    show(chosen === undefined ? kept : { ...kept, position: String(chosen.sequence) })
  }
  return (
    <Section
      actions={
        <div className="flex gap-2">
          {position === undefined || against === position ? null : (
            <Button
              onClick={() => show({ position, against: position })}
              title="Keeps this moment on one side, while you go on to another"
            >
              Compare with this moment
            </Button>
          )}
          {position === undefined && against === undefined ? null : (
            <Button onClick={() => show({})}>Now</Button>
          )}
        </div>
      }
      title="History"
    >
      {last < 0 ? (
        <div className="h-8 pointer-coarse:h-11" />
      ) : (
        <Stepper {...{ at, goTo, steps }} isNow={position === undefined} />
      )}
      {problem === null ? null : (
        <ApiProblem onRetry={reload} problem={problem} what="The history could not be loaded." />
      )}
      {isCut ? <p className="text-sm text-muted">Older operations are listed in the activity only.</p> : null}
      {position === undefined && against === undefined ? (
        <p className="text-sm text-muted">
          {last === 0
            ? "Nothing has changed since the first operation."
            : "Move back to see what has changed since."}
        </p>
      ) : (
        <TwoMoments {...{ against, person, position, steps, w }} />
      )}
    </Section>
  )
}

interface Moments {
  readonly position?: string
  readonly against?: string
}

interface StepperProps {
  readonly steps: ReadonlyArray<ActivityDocument>
  /** The step that is shown. */
  readonly at: number
  readonly isNow: boolean
  readonly goTo: (index: number) => void
}

/** Goes to a step by a slider, one by one, or by its day. */
const Stepper = ({ at, goTo, isNow, steps }: StepperProps) => {
  const id = useId()
  const zone = useZone()
  const last = steps.length - 1
  const step = isNow ? undefined : steps[at]
  const days = daysOfSteps(steps, zone)
  return (
    <>
      <div className="flex items-center gap-2">
        <IconButton disabled={at <= 0} icon="previous" label="Earlier" onClick={() => goTo(at - 1)} />
        <label className="sr-only" htmlFor={id}>
          Moment
        </label>
        <input
          aria-valuetext={step === undefined ? "now" : `after ${titleText(step)}, ${step.received_at}`}
          className="h-8 min-w-0 flex-1 accent-(--accent) pointer-coarse:h-11"
          id={id}
          max={Math.max(0, last)}
          min={0}
          onChange={(event) => goTo(Number(event.target.value))}
          type="range"
          value={Math.max(0, at)}
        />
        <IconButton disabled={isNow} icon="next" label="Later" onClick={() => goTo(at + 1)} />
      </div>
      {days.length < 2 ? null : (
        <select
          aria-label="End of a day"
          className={inputStyle}
          onChange={(event) => goTo(Number(event.target.value))}
          value={days.find(({ lastStep }) => at <= lastStep)?.lastStep ?? last}
        >
          {days.toReversed().map(({ day, lastStep, steps: ofDay }) => (
            <option key={day} value={lastStep}>
              {day}: {counted(ofDay, "operation", "operations")}
            </option>
          ))}
        </select>
      )}
    </>
  )
}

/** Reads the operations of a person, oldest first, as far back as the moments that are shown need it. */
const useSteps = (w: string, { svc_id }: PersonDocument, moments: ReadonlyArray<string | undefined>) => {
  const { hasMore, isCut, isLoadingMore, items, loadMore, problem, reload } = usePages(
    [w, "people", "one", svc_id, "history"],
    (after, signal) => api.people.activity(w, svc_id, { limit: stepsPerPage, after }, signal),
  )
  const steps = items.toReversed()
  // A page that failed is not asked for again until the operator does.
  const isWanted = hasMore && !isLoadingMore && problem === null && needsOlder(steps, moments)
  useEffect(() => {
    if (isWanted) loadMore()
  })
  return { isCut, problem, reload, steps }
}
