import { useQuery } from "@tanstack/react-query"
import { Link } from "@tanstack/react-router"
import type { ActivityDocument, SegmentDocument } from "../../api/documents.ts"
import { api } from "../../api/generated.ts"
import { ActionError } from "../../shared/dialogs/ActionError.tsx"
import { Section } from "../../shared/dialogs/Detail.tsx"
import { ExactTime, Time } from "../../shared/time/Time.tsx"
import { segmentKeys } from "./segmentQueries.ts"

/** The number of people who are listed. */
const crossingsShown = 20

interface NewestCrossingsProps {
  readonly w: string
  readonly segment: SegmentDocument
}

/** Who entered and left a segment last, and by which operation. */
export const NewestCrossings = ({ segment: { segment_id, state, version }, w }: NewestCrossingsProps) => {
  const segmentId = String(segment_id)
  const newest = useQuery({
    queryKey: segmentKeys.one(w, segmentId, "crossings", version, state),
    queryFn: ({ signal }) =>
      api.activity.list(w, { filter: `segment:${segmentId}`, limit: crossingsShown }, signal),
  })
  const crossings = crossingsIn(newest.data?.items ?? [], segmentId).slice(0, crossingsShown)
  const searchedTo = newest.data?.next == null ? null : (newest.data.searched_to?.at ?? null)
  return (
    <Section title="Newest entries and exits">
      <ActionError error={newest.error} />
      {newest.isSuccess && crossings.length === 0 ? (
        <p className="text-sm text-muted">
          {searchedTo === null ? (
            "The log names nobody who entered or left. It does not name whom the build of a rule found."
          ) : (
            <>
              The log names nobody who entered or left since <ExactTime at={searchedTo} />.
            </>
          )}
        </p>
      ) : null}
      <ul className="-mx-4">
        {crossings.map(({ change, entry, name, svcId }, i) => (
          <li
            className="grid min-h-8 grid-cols-[64px_minmax(0,1fr)_minmax(0,1fr)_auto] items-center gap-3 border-t border-line px-4 text-sm"
            key={`${entry.operation_id} ${svcId} ${i}`}
          >
            <span className={change === "entered" ? "text-green" : "text-red"}>{change}</span>
            <Link
              className="truncate text-accent hover:underline"
              params={{ w, personId: svcId }}
              to="/w/$w/people/$personId"
            >
              {name}
            </Link>
            <Link
              className="truncate text-accent hover:underline"
              params={{ w, operationId: entry.operation_id }}
              to="/w/$w/operations/$operationId"
            >
              {entry.name ?? entry.kind ?? "operation"}
            </Link>
            <span className="text-muted">
              <Time at={entry.received_at} />
            </span>
          </li>
        ))}
      </ul>
    </Section>
  )
}

interface Crossing {
  readonly entry: ActivityDocument
  readonly change: "entered" | "left"
  readonly svcId: string
  readonly name: string
}

const crossingsIn = (entries: ReadonlyArray<ActivityDocument>, segmentId: string): ReadonlyArray<Crossing> =>
  entries.flatMap((entry) =>
    entry.effects.flatMap(({ change, segment_id, svc_id }) => {
      if (String(segment_id) !== segmentId) return []
      const { email, id, name, svc_id: own } = entry.subject
      return [
        { entry, change, svcId: svc_id, name: own === svc_id ? (name ?? email ?? id ?? svc_id) : svc_id },
      ]
    }),
  )
