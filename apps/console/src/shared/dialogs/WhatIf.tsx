import { useQuery } from "@tanstack/react-query"
import { useState } from "react"
import type { WhatIfChange, WhatIfDocument } from "../../api/documents.ts"
import { api } from "../../api/generated.ts"
import { Button } from "../buttons/Button.tsx"

/** The days that a trial looks back. */
const daysTried = 7

/** The pause between two looks at a trial that runs. */
const lookMs = 500

interface WhatIfProps {
  readonly w: string
  /** What would be otherwise. Another change has to be tried anew. */
  readonly change: WhatIfChange
}

/** Says before a change is saved what it would have done to the operations of the last days. */
export const WhatIf = ({ change, w }: WhatIfProps) => {
  const key = JSON.stringify(change)
  const [asked, setAsked] = useState("")
  const isAsked = asked === key
  const started = useQuery({
    queryKey: [w, "what-if", asked],
    queryFn: ({ signal }) => api.whatIf.start(w, { days: daysTried, change: JSON.parse(asked) }, signal),
    enabled: isAsked,
    retry: false,
    staleTime: Number.POSITIVE_INFINITY,
  })
  const id = started.data?.what_if_id
  const trial = useQuery({
    queryKey: [w, "what-if", "report", id],
    queryFn: ({ signal }) => api.whatIf.get(w, id ?? "", signal),
    enabled: isAsked && id !== undefined,
    refetchInterval: ({ state }) => (state.data?.status === "running" ? lookMs : false),
  })
  const problem = started.error ?? trial.error
  const isRunning = isAsked && problem === null && (trial.data?.status ?? "running") === "running"
  return (
    <div className="flex flex-wrap items-center gap-2">
      <Button disabled={isRunning} onClick={() => (isAsked ? void started.refetch() : setAsked(key))}>
        Try it on the last {daysTried} days
      </Button>
      {isAsked ? (
        <p aria-live="polite" className={`text-sm ${problem === null ? "text-muted" : "text-red"}`}>
          {problem?.message ?? sentence(trial.data)}
        </p>
      ) : null}
    </div>
  )
}

const sentence = (found: WhatIfDocument | undefined): string => {
  if (found === undefined) return "Trying…"
  return found.problem === null
    ? found.summary
    : `${found.summary} It did not read everything: ${found.problem}.`
}
