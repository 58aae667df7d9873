import { keepPreviousData, useQuery } from "@tanstack/react-query"
import { api } from "../../api/generated.ts"
import { ApiProblem } from "../../shared/dialogs/ApiProblem.tsx"
import { inputStyle } from "../../shared/fields/Field.tsx"
import { byWeight, DriftRows, type ShownChange } from "../../shared/lists/DriftRows.tsx"
import { rollingPeriods, type RollingName } from "../../shared/time/period.ts"

/** The milliseconds between two reads of the changes. */
const refreshMs = 15_000

const sinceChoices = ["1h", "24h", "7d", "30d"] as const satisfies ReadonlyArray<RollingName>

type Since = (typeof sinceChoices)[number]

/** Returns since when changes are shown, by the query parameters: the last 24 hours by default. */
export const sinceIn = (last: string | undefined): Since =>
  sinceChoices.find((name) => name === last) ?? "24h"

/** Reads what changed since a time before now. Until it is read, the data are a placeholder: those of the period before. */
export const useDrift = (w: string, since: Since) =>
  useQuery({
    queryKey: [w, "drift", since],
    queryFn: ({ signal }) =>
      api.types.drift(w, { since: new Date(Date.now() - rollingPeriods[since].ms).toISOString() }, signal),
    refetchInterval: refreshMs,
    // The page keeps its controls, and with them the focus, while another period is read.
    placeholderData: keepPreviousData,
  })

interface WhatChangedProps {
  readonly w: string
  /** What did not fit a plan in this time. */
  readonly misfits: ReadonlyArray<ShownChange>
  readonly since: Since
  readonly onSince: (since: Since) => void
}

/** What operations look like now and did not before, and what did not fit a plan: what may break first. */
export const WhatChanged = ({ misfits, onSince, since, w }: WhatChangedProps) => {
  const drift = useDrift(w, since)
  const items = [...misfits, ...(drift.data?.items ?? [])]
  return (
    <section aria-label="What changed" className="shrink-0 border-y border-line px-4 py-2">
      <div className="flex items-center gap-3">
        <h2 className="mr-auto text-sm font-semibold">What changed</h2>
        <div className="w-40">
          <select
            aria-label="Changes of"
            className={inputStyle}
            onChange={({ target }) => onSince(sinceIn(target.value))}
            value={since}
          >
            {sinceChoices.map((name) => (
              <option key={name} value={name}>
                {rollingPeriods[name].label}
              </option>
            ))}
          </select>
        </div>
      </div>
      {drift.error === null ? null : (
        <ApiProblem
          onRetry={() => void drift.refetch()}
          problem={drift.error}
          what="The changes could not be loaded."
        />
      )}
      {drift.isPlaceholderData ? (
        <p className="py-1 text-sm text-muted" role="status">
          Loading…
        </p>
      ) : drift.data === undefined ? null : items.length === 0 ? (
        <p className="py-1 text-sm text-muted">
          Nothing: no name or path is new, no value has another type, everything fits its plan, and nothing
          fell silent.
        </p>
      ) : (
        <div aria-label="Changes" className="max-h-[28vh] overflow-y-auto" role="region" tabIndex={0}>
          <DriftRows items={byWeight(items)} w={w} />
          {drift.data.complete ? null : (
            <p className="py-1 text-xs text-muted">Older changes are not listed.</p>
          )}
        </div>
      )}
    </section>
  )
}
