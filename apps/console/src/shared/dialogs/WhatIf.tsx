import { Link } from "@tanstack/react-router"
import { useEffect, useRef, useState } from "react"
import type { WhatIfChange, WhatIfDocument } from "../../api/documents.ts"
import { ApiFailure } from "../../api/request.ts"
import { Button } from "../buttons/Button.tsx"
import { Time } from "../time/Time.tsx"
import { counted } from "../values/figures.ts"
import { daysTried, runTrial, type TrialState } from "./runTrial.ts"

/** The time without another change after which the change is tried. */
const settledMs = 600

/** The most operations that are listed. */
const listedMax = 10

interface WhatIfProps {
  readonly w: string
  /** What would be otherwise. Another change is tried anew. */
  readonly change: WhatIfChange
  /** Called with what the server says is wrong with the change, and with null once it says nothing. Without it, the panel shows it. */
  readonly onInvalid?: (problem: string | null) => void
}

/** Says before a change is saved what it would have done to the operations of the last days. Leaving it stops the trial. */
export const WhatIf = ({ change, onInvalid, w }: WhatIfProps) => {
  const [state, again] = useTrial(w, JSON.stringify(change))
  const problem = state?.is === "failed" ? state.problem : null
  const isInvalid = onInvalid !== undefined && problem instanceof ApiFailure && problem.status === 400
  const invalid = isInvalid ? problem.message : null
  const tell = useRef(onInvalid)
  useEffect(() => {
    tell.current = onInvalid
  })
  useEffect(() => tell.current?.(invalid), [invalid])
  if (isInvalid) return null
  const report = state?.is === "found" ? state.report : undefined
  return (
    <section
      aria-label={`The last ${daysTried} days with this change`}
      className="min-w-0 space-y-1 rounded-md border border-line bg-surface px-3 py-2 text-sm"
    >
      <p className="text-xs text-faint">The last {daysTried} days with this change</p>
      <div className="flex flex-wrap items-center gap-2">
        <p aria-live="polite" className={problem === null ? "" : "text-red"}>
          {sentence(state)}
        </p>
        {problem === null ? null : <Button onClick={again}>Try again</Button>}
      </div>
      {report === undefined ? null : (
        <>
          {report.status === "running" ? <Progress report={report} /> : null}
          <Differing report={report} w={w} />
        </>
      )}
    </section>
  )
}

/** Tries a change that has not changed for a while. Returns how far the trial has come, and a function that tries it again. */
const useTrial = (w: string, change: string): readonly [TrialState | undefined, () => void] => {
  const [tried, setTried] = useState<{ readonly change: string; readonly state: TrialState }>()
  const [attempt, setAttempt] = useState(0)
  // A workspace has one trial at a time, so the next begins once the one before is stopped.
  const before = useRef(Promise.resolve())
  useEffect(() => {
    const left = new AbortController()
    const run = async (ending: Promise<void>): Promise<void> => {
      await ending
      await runTrial(w, JSON.parse(change), left.signal, (state) => {
        if (!left.signal.aborted) setTried({ change, state })
      })
    }
    const timer = setTimeout(() => {
      before.current = run(before.current)
    }, settledMs)
    const leave = (): void => {
      clearTimeout(timer)
      left.abort()
    }
    addEventListener("pagehide", leave)
    return () => {
      removeEventListener("pagehide", leave)
      leave()
    }
  }, [w, change, attempt])
  const again = (): void => {
    setTried(undefined)
    setAttempt(attempt + 1)
  }
  return [tried?.change === change ? tried.state : undefined, again]
}

const sentence = (state: TrialState | undefined): string => {
  if (state === undefined) return "Trying…"
  switch (state.is) {
    case "waiting":
      return "Another trial of this workspace is running. This one begins when it has ended."
    case "failed":
      return state.problem.message
    case "found": {
      const { problem, status, summary } = state.report
      if (status === "running") return "Trying…"
      return problem === null ? summary : `${summary} It did not read everything: ${problem}.`
    }
  }
}

interface ReportProps {
  readonly report: WhatIfDocument
}

/** How much of the log is decided again, and what was found until now. You need not wait for it. */
const Progress = ({ report: { decided_to, differing, from, to } }: ReportProps) => (
  <div className="flex flex-wrap items-center gap-2 text-xs text-muted">
    <progress
      aria-label="Operations decided again"
      className="h-2 w-32 accent-(--accent)"
      max={Math.max(1, to - from + 1)}
      value={decided_to === null ? 0 : decided_to - from + 1}
    />
    <span>
      {counted(differing.operations, "operation", "operations")} would be different so far. You can save
      without waiting.
    </span>
  </div>
)

interface DifferingProps extends ReportProps {
  readonly w: string
}

/** The first operations that would be decided otherwise. They open in another tab, because what was typed is not saved. */
const Differing = ({ report: { differing }, w }: DifferingProps) => {
  const listed = differing.items.slice(0, listedMax)
  if (listed.length === 0) return null
  return (
    <div
      aria-label="Operations that would be different"
      className="max-h-40 overflow-y-auto"
      role="region"
      tabIndex={0}
    >
      <ul className="divide-y divide-line text-xs">
        {listed.map(({ at, differs, kind, name, now, operation_id, tried }) => (
          <li className="flex flex-wrap items-baseline gap-x-2 py-1" key={operation_id}>
            <Link
              className="text-accent hover:underline pointer-coarse:min-w-11 pointer-coarse:py-3"
              params={{ w, operationId: operation_id }}
              rel="noreferrer"
              target="_blank"
              to="/w/$w/operations/$operationId"
            >
              <Time at={at} />
            </Link>
            <span className="min-w-0 break-words">
              {kind} <span className="font-medium">{name}</span>
            </span>
            <span className="text-muted">
              {differenceText(decisionText(now), decisionText(tried), differs)}
            </span>
          </li>
        ))}
      </ul>
      {differing.operations > listed.length ? (
        <p className="py-1 text-xs text-muted">
          These are the first {listed.length} of {counted(differing.operations, "operation", "operations")}.
        </p>
      ) : null}
    </div>
  )
}

type Decision = WhatIfDocument["differing"]["items"][number]["now"]

/** Two decisions that read alike differ in something else, such as what does not fit a plan. */
const differenceText = (now: string, tried: string, differs: ReadonlyArray<string>): string =>
  now === tried ? `${now}, with other ${differs.join(", ")}` : `${now} → ${tried}`

const decisionText = (decision: Decision): string => {
  if (decision === null) return "not made"
  const { codes, outcome } = decision
  return codes.length === 0 ? outcome : `${outcome} (${[...new Set(codes)].join(", ")})`
}
