import type { FileHeader } from "./csvHeader.ts"

/** The largest number of columns of a file that are listed. Further columns are only counted. */
const columnsShownMax = 50

/** The columns of a CSV file and what the import does with each of them, or why the file cannot be imported. */
export const FileColumns = ({ columns, faults }: FileHeader) => {
  const shown = columns.slice(0, columnsShownMax)
  return (
    <div className="space-y-3">
      {faults.length === 0 ? null : (
        <div className="rounded-md border border-line bg-red-soft p-3 text-sm" role="alert">
          <p className="font-medium">This file cannot be imported as it is.</p>
          <ul>
            {faults.map((fault) => (
              <li className="break-words text-muted" key={fault}>
                {fault}
              </li>
            ))}
          </ul>
        </div>
      )}
      {columns.length === 0 ? null : (
        <div>
          <h2 className="pb-2 text-xs font-medium text-faint">Columns</h2>
          <dl className="divide-y divide-line border-y border-line text-sm">
            {shown.map(({ meaning, name }, index) => (
              <div className="grid grid-cols-2 gap-4 py-1.5" key={`${index} ${name}`}>
                <dt className="truncate font-mono text-xs leading-5">{name === "" ? "(no name)" : name}</dt>
                <dd className="text-muted">{meaning}</dd>
              </div>
            ))}
          </dl>
          {columns.length > shown.length ? (
            <p className="pt-2 text-sm text-muted">And {columns.length - shown.length} more.</p>
          ) : null}
        </div>
      )}
    </div>
  )
}
