import { useQuery } from "@tanstack/react-query"
import { readColumns, type ImportKind } from "./csvHeader.ts"

/** The largest number of columns of a file that are listed. Further columns are only counted. */
const columnsShownMax = 50

interface FileColumnsProps {
  readonly file: File
  readonly kind: ImportKind
}

/** The columns of a CSV file, and what the import does with each column. */
export const FileColumns = ({ file, kind }: FileColumnsProps) => {
  const columns = useQuery({
    queryKey: ["csv", file.name, file.size, file.lastModified, kind],
    queryFn: () => readColumns(file, kind),
    retry: false,
  })
  if (columns.error !== null) {
    return <p className="text-sm text-red">The file could not be read. Choose it again.</p>
  }
  if (columns.data === undefined) return null
  if (columns.data.length === 0) {
    return <p className="text-sm text-red">The file is empty. Its first line must name the columns.</p>
  }
  const shown = columns.data.slice(0, columnsShownMax)
  return (
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
      {columns.data.length > shown.length ? (
        <p className="pt-2 text-sm text-muted">And {columns.data.length - shown.length} more.</p>
      ) : null}
    </div>
  )
}
