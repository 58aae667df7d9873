import { Fragment, useState, type ReactNode } from "react"
import type { ActivityDocument } from "../../api/documents.ts"
import { Button } from "../../shared/Button.tsx"
import { FullText } from "../../shared/FullText.tsx"

/** The largest number of changes that the page shows at first. A button shows the rest. */
const changesShownMax = 50

interface ChangesProps {
  readonly changes: ActivityDocument["changes"]
}

/** The fields that an operation changed, with their values before and after. */
export const Changes = ({ changes }: ChangesProps) => {
  const [isAll, setAll] = useState(false)
  if (changes.length === 0) return <p className="text-sm text-muted">Nothing changed.</p>
  const shown = isAll ? changes : changes.slice(0, changesShownMax)
  return (
    <div className="overflow-x-auto" role="region" aria-label="Changes" tabIndex={0}>
      <table className="w-full table-fixed text-left text-xs">
        <thead className="text-faint">
          <tr>
            <th className="w-2/5 border-b border-line py-1 pr-3 font-medium">Field</th>
            <th className="border-b border-line py-1 pr-3 font-medium">Before</th>
            <th className="border-b border-line py-1 font-medium">After</th>
          </tr>
        </thead>
        <tbody className="font-mono">
          {shown.map(({ from, path, to }, index) => (
            <tr key={`${index} ${path}`}>
              <td className="border-b border-line py-1 pr-3 align-top break-words">{breakable(path)}</td>
              <td className="border-b border-line py-1 pr-3 align-top">
                <Value value={from} />
              </td>
              <td className="border-b border-line py-1 align-top">
                <Value value={to} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {shown.length < changes.length ? (
        <Button className="mt-2" onClick={() => setAll(true)}>
          Show all {changes.length} changes
        </Button>
      ) : null}
    </div>
  )
}

const Value = ({ value }: { readonly value: unknown }) =>
  value === null ? (
    <span className="text-faint">not set</span>
  ) : (
    <FullText className="break-all" text={typeof value === "string" ? value : JSON.stringify(value)} />
  )

/** Returns the path of a field with an optional line break before each dot. */
const breakable = (path: string): ReadonlyArray<ReactNode> =>
  path.split(/(?=\.)/).map((part, index) => (
    <Fragment key={index}>
      <wbr />
      {part}
    </Fragment>
  ))
