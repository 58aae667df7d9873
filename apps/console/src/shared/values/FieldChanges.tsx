import { Fragment, useState, type ReactNode } from "react"
import { Button } from "../buttons/Button.tsx"
import { FullText } from "./FullText.tsx"

/** The largest number of changes that the page shows at first. A button shows the rest. */
const changesShownMax = 50

interface FieldChangesProps {
  readonly changes: ReadonlyArray<{ readonly path: string; readonly from: unknown; readonly to: unknown }>
  /** What the two values are called. */
  readonly headings?: readonly [from: string, to: string]
  /** The text without changes. */
  readonly none?: string
}

/** Fields that changed, with their values before and after. */
export const FieldChanges = ({
  changes,
  headings: [from, to] = ["Before", "After"],
  none = "Nothing changed.",
}: FieldChangesProps) => {
  const [isAll, setAll] = useState(false)
  if (changes.length === 0) return <p className="text-sm text-muted">{none}</p>
  const shown = isAll ? changes : changes.slice(0, changesShownMax)
  return (
    <div className="overflow-x-auto" role="region" aria-label="Changes" tabIndex={0}>
      <table className="w-full table-fixed text-left text-xs">
        <thead className="text-faint">
          <tr>
            <th className="w-2/5 border-b border-line py-1 pr-3 font-medium">Field</th>
            <th className="border-b border-line py-1 pr-3 font-medium">{from}</th>
            <th className="border-b border-line py-1 font-medium">{to}</th>
          </tr>
        </thead>
        <tbody className="font-mono">
          {shown.map((change, index) => (
            <tr key={`${index} ${change.path}`}>
              <td className="border-b border-line py-1 pr-3 align-top break-words">
                {breakable(change.path)}
              </td>
              <td className="border-b border-line py-1 pr-3 align-top">
                <Value value={change.from} />
              </td>
              <td className="border-b border-line py-1 align-top">
                <Value value={change.to} />
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
