import type { ImportSummary } from "@inlet/api/management/Imports"
import { useEffect, useState } from "react"
import { ActionError } from "../../shared/ActionError.tsx"
import { Button } from "../../shared/Button.tsx"
import { csvOf } from "../../shared/csv.ts"
import { download } from "../../shared/download.ts"
import { count, counted } from "../../shared/figures.ts"
import { readRows, textOf, type ReadRows } from "./readRows.ts"
import { errorsMax } from "./runImport.ts"

/**
 * The largest number of errors that the page shows. The downloaded files contain every error that the summary lists.
 */
const errorsShownMax = 100

interface FailedLinesProps {
  readonly file: File
  readonly summary: ImportSummary
}

/**
 * The errors of an import, with two downloads: the failed rows, which can be corrected and imported again, and the
 * reasons.
 */
export const FailedLines = ({ file, summary: { errors } }: FailedLinesProps) => {
  const [problem, setProblem] = useState<Error | null>(null)
  const [stopping] = useState(() => ({ current: new AbortController() }))
  useEffect(() => {
    const controller = new AbortController()
    stopping.current = controller
    return () => controller.abort()
  }, [file, stopping])
  const save = async (suffix: string, textFrom: (read: ReadRows) => string): Promise<void> => {
    const { signal } = stopping.current
    try {
      const read = await readRows(textOf(file, signal), new Set(errors.map(({ line }) => line)))
      download(`${file.name}.${suffix}.csv`, textFrom(read))
      setProblem(null)
    } catch {
      if (signal.aborted) return
      setProblem(new Error("The file could not be read again. Choose it again and repeat the import."))
    }
  }
  return (
    <div className="space-y-2">
      <div className="flex flex-wrap items-center gap-3">
        <h2 className="mr-auto w-full text-xs font-medium text-faint sm:w-auto">
          {errors.length > errorsShownMax
            ? `First ${errorsShownMax} of ${counted(errors.length, "error", "errors")}`
            : "What was not imported"}
        </h2>
        <Button icon="imports" onClick={() => void save("failed", rowsFile)}>
          Download these rows
        </Button>
        <Button icon="imports" onClick={() => void save("errors", (read) => errorFile(errors, read))}>
          Download the reasons
        </Button>
      </div>
      {errors.length < errorsMax ? null : (
        <p className="text-sm text-muted">
          The files contain the first {count(errorsMax)} errors. Correct these rows and import the file again
          to get the next ones. Rows that were imported are skipped.
        </p>
      )}
      <ActionError error={problem} />
      <dl className="max-h-80 divide-y divide-line overflow-y-auto border-y border-line text-sm" tabIndex={0}>
        {errors.slice(0, errorsShownMax).map(({ line, message }) => (
          <div className="grid grid-cols-[72px_minmax(0,1fr)] gap-4 py-1.5" key={`${line} ${message}`}>
            <dt className="text-muted">line {count(line)}</dt>
            <dd className="break-words">{message}</dd>
          </div>
        ))}
      </dl>
    </div>
  )
}

/** Returns a file with the header and the failed rows, which can be corrected and imported. */
const rowsFile = ({ byLine, header }: ReadRows): string => `${[header, ...byLine.values()].join("\n")}\n`

const errorFile = (errors: ImportSummary["errors"], { byLine }: ReadRows): string =>
  csvOf(
    [
      { header: "line", text: ({ line }) => String(line) },
      { header: "reason", text: ({ message }) => message },
      { header: "row", text: ({ line }) => byLine.get(line) ?? "" },
    ],
    errors,
  )
