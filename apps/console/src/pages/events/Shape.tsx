import type { EventTypeShapeDocument, PathDocument } from "@inlethq/contract/types/EventTypes"
import { count, counted } from "../../shared/values/figures.ts"
import { Time } from "../../shared/time/Time.tsx"
import { PathCell } from "./PathCell.tsx"
import { percent, shapeRows, typesText } from "./shapeRows.ts"

interface ShapeProps {
  readonly type: EventTypeShapeDocument
}

/** What the data of a name look like: each path with its types, how often it is there, and about how many values it has. */
export const Shape = ({ type: { count: all, sampled, shape, unplaced } }: ShapeProps) => (
  <div className="@container space-y-2">
    {shape.length === 0 ? (
      <p className="text-sm text-muted">They have no data.</p>
    ) : (
      <table className="w-full table-fixed text-left text-sm">
        <thead className="text-xs text-faint">
          <tr className="border-b border-line">
            <th className="w-1/3 py-1 pr-3 font-medium" scope="col">
              Path
            </th>
            <th className="py-1 pr-3 font-medium" scope="col">
              Types
            </th>
            <th className="w-24 py-1 pr-3 font-medium" scope="col">
              Present
            </th>
            <th className="hidden w-16 py-1 pr-3 text-right font-medium @md:table-cell" scope="col">
              Values
            </th>
            <th className="hidden w-20 py-1 font-medium @md:table-cell" scope="col">
              First
            </th>
          </tr>
        </thead>
        <tbody>
          {shapeRows(shape).map(({ depth, label, path }) => (
            <tr className="border-b border-line align-top" key={path.path}>
              <PathCell depth={depth} label={label} path={path.path} />
              <td className="py-1.5 pr-3">
                <Types path={path} />
              </td>
              <td className="py-1.5 pr-3">
                <Presence share={path.presence} />
              </td>
              <td
                className="hidden py-1.5 pr-3 text-right @md:table-cell"
                title="About how many different values"
              >
                {count(path.distinct)}
              </td>
              <td className="hidden py-1.5 text-muted @md:table-cell">
                <Time at={path.first.at} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    )}
    {sampled === all ? null : (
      <p className="text-xs text-muted">
        The data of {count(sampled)} of {counted(all, "operation", "operations")} were looked at.
      </p>
    )}
    {unplaced === 0 ? null : (
      <p className="text-xs text-muted">
        {counted(unplaced, "value is", "values are")} not described, because there are too many paths.
      </p>
    )}
  </div>
)

const Types = ({ path }: { readonly path: PathDocument }) => {
  const isMixed = Object.keys(path.types).filter((type) => type !== "null").length > 1
  const formats = Object.keys(path.formats)
  return (
    <>
      <span className={`break-words ${isMixed ? "text-amber" : ""}`}>{typesText(path)}</span>
      {formats.length === 0 ? null : <span className="block text-xs text-muted">{formats.join(", ")}</span>}
    </>
  )
}

/** How often a path is there, as a bar and as a number. */
const Presence = ({ share }: { readonly share: number | null }) =>
  share === null ? (
    <span className="text-faint" title="It cannot be told for elements of lists and for keys that are data">
      –
    </span>
  ) : (
    <span className="flex items-center gap-2 whitespace-nowrap">
      <svg aria-hidden="true" className="h-1.5 w-8 shrink-0" preserveAspectRatio="none" viewBox="0 0 1 1">
        <rect className="fill-line" height={1} width={1} />
        <rect className="fill-accent" height={1} width={share} />
      </svg>
      {percent(share)}
    </span>
  )
