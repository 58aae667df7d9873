import type { ImportSummary } from "@inlet/api/management/Imports"
import { Button } from "../../shared/Button.tsx"
import { count } from "../../shared/figures.ts"

interface FailedLinesProps {
  readonly file: File
  readonly summary: ImportSummary
}

/** The rows that failed, with a download of these rows that the operator can correct and import. */
export const FailedLines = ({ file, summary }: FailedLinesProps) => {
  const { errors, failed } = summary
  return (
    <div className="space-y-2">
      <div className="flex flex-wrap items-center gap-3">
        <h2 className="mr-auto text-xs font-medium text-faint">
          {errors.length < failed ? `First ${count(errors.length)} failed rows` : "Failed rows"}
        </h2>
        <Button icon="imports" onClick={() => download(`${file.name}.errors.csv`, errorFile(errors))}>
          Download the reasons
        </Button>
      </div>
      <dl className="max-h-80 divide-y divide-line overflow-y-auto border-y border-line text-sm" tabIndex={0}>
        {errors.map(({ line, message }) => (
          <div className="grid grid-cols-[72px_minmax(0,1fr)] gap-4 py-1.5" key={`${line} ${message}`}>
            <dt className="text-muted">line {count(line)}</dt>
            <dd className="break-words">{message}</dd>
          </div>
        ))}
      </dl>
    </div>
  )
}

const errorFile = (errors: ImportSummary["errors"]): string =>
  ["line,reason", ...errors.map(({ line, message }) => `${line},"${message.replaceAll('"', '""')}"`)].join(
    "\n",
  )

const download = (name: string, text: string): void => {
  const url = URL.createObjectURL(new Blob([text], { type: "text/csv" }))
  const link = document.createElement("a")
  link.href = url
  link.download = name
  link.click()
  URL.revokeObjectURL(url)
}
