import { useQuery } from "@tanstack/react-query"
import type { SegmentDocument, SegmentSizesDocument } from "../../api/documents.ts"
import { api } from "../../api/generated.ts"
import { ActionError } from "../../shared/dialogs/ActionError.tsx"
import { count } from "../../shared/values/figures.ts"
import { Loading } from "../../shared/dialogs/Loading.tsx"
import { segmentKeys } from "./segmentQueries.ts"

interface SizeLineProps {
  readonly w: string
  readonly segment: Pick<SegmentDocument, "segment_id" | "size" | "state">
  /** The number of days that are drawn, today included. */
  readonly days: number
}

/** How many people a segment had on each of the last days. */
export const SizeLine = ({ days, segment: { segment_id, size, state }, w }: SizeLineProps) => {
  const segmentId = String(segment_id)
  const sizes = useQuery({
    queryKey: segmentKeys.one(w, segmentId, "sizes", days, size, state),
    queryFn: ({ signal }) => api.segments.sizes(w, segmentId, { days }, signal),
  })
  if (sizes.isPending) return <Loading />
  if (sizes.data === undefined) return <ActionError error={sizes.error} />
  return <Line days={sizes.data.days} />
}

const height = 48
const dayWidth = 16
/** The room above the highest point. */
const margin = 4

type Days = SegmentSizesDocument["days"]

const Line = ({ days }: { readonly days: Days }) => {
  const width = days.length * dayWidth
  const known = days.findIndex(({ size }) => size !== null)
  const unknown = known === -1 ? days.length : known
  const largest = Math.max(1, ...days.map(({ size }) => size ?? 0))
  const topOf = (size: number): number => height - (size / largest) * (height - margin)
  const points = days.flatMap(({ size }, i) =>
    size === null ? [] : [`${i * dayWidth},${topOf(size)} ${(i + 1) * dayWidth},${topOf(size)}`],
  )
  return (
    <>
      <svg
        aria-label={`People by day, from ${days[0]?.day ?? ""} to ${days.at(-1)?.day ?? ""}`}
        className="w-full"
        preserveAspectRatio="none"
        role="img"
        viewBox={`0 0 ${width} ${height}`}
      >
        <line className="stroke-line" x1="0" x2={width} y1={height} y2={height} />
        {unknown === 0 ? null : (
          <rect className="fill-line" height={height} opacity="0.4" width={unknown * dayWidth} x="0" y="0" />
        )}
        <polyline className="fill-none stroke-accent" points={points.join(" ")} strokeWidth="2" />
        {days.map(({ day, size }, i) => (
          <g key={day}>
            <title>{`${day}: ${size === null ? "not known" : count(size)}`}</title>
            <rect className="fill-transparent" height={height} width={dayWidth} x={i * dayWidth} y="0" />
          </g>
        ))}
      </svg>
      <p className="pt-2 text-xs text-muted">{sentence(days, unknown)}</p>
    </>
  )
}

/** Says how the size has changed since the first day of which it is known. */
const sentence = (days: Days, unknown: number): string => {
  const first = days[unknown]
  const now = days.at(-1)?.size ?? null
  if (first === undefined || first.size === null || now === null)
    return "Its size on these days is not known."
  const grown = `People: ${count(first.size)} on ${first.day}, ${count(now)} now.`
  return unknown === 0 ? grown : `${grown} Before, its size is not known.`
}
