import type { ImportProgress, ImportSummary } from "@inlet/api/management/Imports"
import { api } from "../../api/generated.ts"
import { failureOf } from "../../api/request.ts"
import type { ImportKind } from "./csvHeader.ts"

/** The largest number of errors that the summary of an import lists, which is the largest number that the server allows. */
export const errorsMax = 10_000

type ImportLine = ImportProgress | ImportSummary

const isSummary = (line: ImportLine): line is ImportSummary => "errors" in line

interface RunOptions {
  readonly w: string
  readonly kind: ImportKind
  readonly file: File
  readonly signal: AbortSignal
  readonly onProgress: (progress: ImportProgress) => void
}

/** Uploads a file and returns the summary of its import. Throws if the import is interrupted. */
export const runImport = async ({
  file,
  kind,
  onProgress,
  signal,
  w,
}: RunOptions): Promise<ImportSummary> => {
  const response = await fetch(api.imports[kind](w, { errors: errorsMax }), {
    method: "POST",
    credentials: "same-origin",
    headers: { "content-type": "text/csv" },
    body: file,
    signal,
  })
  if (!response.ok || response.body === null) throw await failureOf(response)
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader()
  let rest = ""
  for (;;) {
    const { done, value } = await reader.read()
    if (done) break
    const lines = (rest + value).split("\n")
    rest = lines.pop() ?? ""
    for (const text of lines.filter((line) => line !== "")) {
      const line: ImportLine = JSON.parse(text)
      if (isSummary(line)) return line
      onProgress(line)
    }
  }
  throw new Error(
    "The import was interrupted. Import the same file again: rows that were imported are skipped.",
  )
}
