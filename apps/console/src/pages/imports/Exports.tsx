import { api } from "../../api/generated.ts"
import { useWorkspace } from "../../frame/useWorkspace.ts"

const exports = [
  { kind: "people", label: "People", content: "a person with attributes, devices and segments" },
  { kind: "events", label: "Events", content: "an event" },
  { kind: "objects", label: "Objects", content: "an object with the people related to it" },
  { kind: "segments", label: "Segments", content: "a segment with its members" },
  { kind: "deliveries", label: "Deliveries", content: "a delivery with its reports" },
  { kind: "activity", label: "Activity", content: "an operation of any kind" },
] as const

/** Links that download the data of the workspace. */
export const Exports = () => {
  const w = useWorkspace()
  return (
    <section className="space-y-3">
      <h2 className="text-base font-semibold">Export</h2>
      <p className="text-sm text-muted">
        Each export is a file of JSON lines with one consistent view of the workspace. Its last line has the
        number of lines before it, so a file without that line is incomplete.
      </p>
      <ul className="divide-y divide-line border-y border-line text-sm">
        {exports.map(({ content, kind, label }) => (
          <li className="grid grid-cols-[96px_minmax(0,1fr)] items-center gap-4 py-1.5" key={kind}>
            <a
              className="leading-6 text-accent hover:underline"
              download={`${kind}.ndjson`}
              href={api.exports[kind](w)}
            >
              {label}
            </a>
            <span className="text-muted">each line is {content}</span>
          </li>
        ))}
      </ul>
    </section>
  )
}
