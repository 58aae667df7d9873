import type { AnswerOf } from "@inlethq/contract/ManagementCall"
import { useQuery } from "@tanstack/react-query"
import type { ImportDocument } from "../../api/documents.ts"
import { api } from "../../api/generated.ts"
import { useEffect, useState } from "react"
import { ActionError } from "../../shared/dialogs/ActionError.tsx"
import { Button } from "../../shared/buttons/Button.tsx"
import { csvOf } from "../../shared/lists/csv.ts"
import { download } from "../../shared/lists/download.ts"
import { count, counted } from "../../shared/values/figures.ts"
import { readRows, textOf, type ReadRows } from "./readRows.ts"

/** The largest number of errors that the page shows. The downloaded files contain every error that is kept. */
const errorsShownMax = 100

/** The largest number of errors that the server keeps of an import, and of a page of them. */
const errorsKeptMax = 10_000
const pageItems = 1_000

type ImportError = AnswerOf<"importJobs", "errors">["items"][number]

interface FailedLinesProps {
  readonly w: string
  readonly job: ImportDocument
  /** The file, if it was chosen since the page was loaded. */
  readonly file: File | undefined
}

/** Reads every error that is kept of an import. */
const readErrors = async (w: string, importId: string): Promise<ReadonlyArray<ImportError>> => {
  const errors: Array<ImportError> = []
  let after: string | undefined
  do {
    const page = await api.importJobs.errors(w, importId, { limit: pageItems, after })
    errors.push(...page.items)
    after = page.next ?? undefined
  } while (after !== undefined)
  return errors
}

/**
 * The errors of an import, with two downloads: the failed rows, which can be corrected and imported again, and the
 * reasons. Without its file there are only the reasons, because the server does not keep the rows.
 */
export const FailedLines = ({ file, job, w }: FailedLinesProps) => {
  const { import_id: importId, name } = job
  const shown = useQuery({
    queryKey: [w, "imports", importId, "errors"],
    queryFn: ({ signal }) => api.importJobs.errors(w, importId, { limit: errorsShownMax }, signal),
  })
  const [problem, setProblem] = useState<Error | null>(null)
  const [stopping] = useState(() => ({ current: new AbortController() }))
  useEffect(() => {
    const controller = new AbortController()
    stopping.current = controller
    return () => controller.abort()
  }, [file, stopping])
  const save = async (suffix: string, textFrom: TextFrom): Promise<void> => {
    const { signal } = stopping.current
    try {
      const errors = await readErrors(w, importId)
      const lines = new Set(errors.map(({ line }) => line))
      const read = file === undefined ? noRows : await readRows(textOf(file, signal), lines)
      download(`${name ?? importId}.${suffix}.csv`, textFrom(read, errors))
      setProblem(null)
    } catch {
      if (signal.aborted) return
      setProblem(
        new Error("The errors or the file could not be read. Choose the file again and repeat the import."),
      )
    }
  }
  return (
    <div className="space-y-2">
      <div className="flex flex-wrap items-center gap-3">
        <h2 className="mr-auto w-full text-xs font-medium text-faint sm:w-auto">
          {job.errors > errorsShownMax
            ? `First ${errorsShownMax} of ${counted(job.errors, "error", "errors")}`
            : "What was not imported"}
        </h2>
        {file === undefined ? null : (
          <Button icon="imports" onClick={() => void save("failed", rowsFile)}>
            Download these rows
          </Button>
        )}
        <Button icon="imports" onClick={() => void save("errors", errorFile)}>
          Download the reasons
        </Button>
      </div>
      {job.errors < errorsKeptMax ? null : (
        <p className="text-sm text-muted">
          The files contain the first {count(errorsKeptMax)} errors. Correct these rows and import the file
          again to get the next ones. Rows that were imported are skipped.
        </p>
      )}
      <ActionError error={problem} />
      <dl className="max-h-80 divide-y divide-line overflow-y-auto border-y border-line text-sm" tabIndex={0}>
        {(shown.data?.items ?? []).map(({ line, message }) => (
          <div className="grid grid-cols-[72px_minmax(0,1fr)] gap-4 py-1.5" key={`${line} ${message}`}>
            <dt className="text-muted">line {count(line)}</dt>
            <dd className="break-words">{message}</dd>
          </div>
        ))}
      </dl>
    </div>
  )
}

type TextFrom = (read: ReadRows, errors: ReadonlyArray<ImportError>) => string

const noRows: ReadRows = { header: "", byLine: new Map() }

/** Returns a file with the header and the failed rows, which can be corrected and imported. */
const rowsFile = ({ byLine, header }: ReadRows): string => `${[header, ...byLine.values()].join("\n")}\n`

const errorFile: TextFrom = ({ byLine }, errors) =>
  csvOf(
    [
      { header: "line", text: ({ line }) => String(line) },
      { header: "reason", text: ({ message }) => message },
      { header: "row", text: ({ line }) => byLine.get(line) ?? "" },
    ],
    errors,
  )
