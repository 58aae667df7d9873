import type { ImportProgress, ImportSummary } from "@inlet/api/management/Imports"
import { useQueryClient } from "@tanstack/react-query"
import { useEffect, useState } from "react"
import { useWorkspace } from "../../frame/useWorkspace.ts"
import { ApiProblem } from "../../shared/ApiProblem.tsx"
import { Button } from "../../shared/Button.tsx"
import { count } from "../../shared/figures.ts"
import type { ImportKind } from "./csvHeader.ts"
import { FailedLines } from "./FailedLines.tsx"
import { runImport } from "./runImport.ts"

interface ImportRunProps {
  readonly file: File
  readonly kind: ImportKind
  readonly onAgain: () => void
}

interface RunState {
  readonly progress: ImportProgress
  readonly summary: ImportSummary | undefined
  readonly problem: Error | undefined
  readonly startedAt: number
  readonly isStopped: boolean
}

const nothingYet: ImportProgress = { rows: 0, imported: 0, skipped: 0, failed: 0, bytes: 0 }

/** Uploads a file as soon as this component is shown. Shows the progress and the result. */
export const ImportRun = ({ file, kind, onAgain }: ImportRunProps) => {
  const { state, stop } = useImport(file, kind)
  if (state.problem !== undefined) {
    return <ApiProblem onRetry={onAgain} problem={state.problem} what="The file could not be imported." />
  }
  const seconds = Math.max(0.001, (Date.now() - state.startedAt) / 1000)
  const counts = state.summary ?? state.progress
  return (
    <div className="space-y-3">
      {state.summary === undefined ? (
        <div className="flex items-center gap-3">
          <progress
            aria-label="Progress of the import"
            className="h-2 flex-1 accent-accent-solid"
            max={file.size}
            value={state.progress.bytes}
          />
          {state.isStopped ? (
            <Button onClick={onAgain}>Continue</Button>
          ) : (
            <Button onClick={stop}>Stop</Button>
          )}
        </div>
      ) : (
        <p className="text-base font-medium" role="status">
          {resultText(state.summary)}
        </p>
      )}
      <dl className="grid grid-cols-2 gap-4 sm:grid-cols-4">
        <Figure name="rows read" value={count(counts.rows)} />
        <Figure name="imported" value={count(counts.imported)} />
        <Figure name="skipped" value={count(counts.skipped)} />
        <Figure name="failed" value={count(counts.failed)} />
      </dl>
      <p className="text-sm text-muted">
        {state.summary === undefined
          ? `${count(counts.rows / seconds)} rows a second.`
          : "Skipped rows had no effect, because the same file was imported before or the person is suppressed."}
        {state.isStopped ? " Stopped. Rows that were imported stay, and are skipped when you continue." : ""}
      </p>
      {state.summary === undefined || state.summary.errors.length === 0 ? null : (
        <FailedLines file={file} summary={state.summary} />
      )}
    </div>
  )
}

/** Says what became of a file. A row that was imported in part is not a failed row, and has a reason. */
const resultText = ({ errors, failed, rows }: ImportSummary): string => {
  if (rows === 0) return errors.length === 0 ? "The file has no rows." : "Nothing was imported."
  if (failed > 0) return "The import is complete. Some rows failed."
  return errors.length === 0
    ? "Every row was read."
    : "Every row was read. Of some rows, a part was left out."
}

const Figure = ({ name, value }: { readonly name: string; readonly value: string }) => (
  <div>
    <dt className="text-xs text-faint">{name}</dt>
    <dd className="text-lg font-semibold">{value}</dd>
  </div>
)

const useImport = (file: File, kind: ImportKind) => {
  const w = useWorkspace()
  const queries = useQueryClient()
  const [stopping] = useState(() => ({ current: new AbortController() }))
  const [state, setState] = useState<RunState>(() => ({
    progress: nothingYet,
    summary: undefined,
    problem: undefined,
    startedAt: Date.now(),
    isStopped: false,
  }))
  useEffect(() => {
    const controller = new AbortController()
    stopping.current = controller
    const { signal } = controller
    const onProgress = (progress: ImportProgress) => setState((before) => ({ ...before, progress }))
    runImport({ w, kind, file, signal, onProgress })
      .then((summary) => {
        setState((before) => ({ ...before, summary }))
        return queries.invalidateQueries({ queryKey: [w] })
      })
      .catch((cause: unknown) => {
        if (signal.aborted) return
        const problem = cause instanceof Error ? cause : new Error(String(cause))
        setState((before) => ({ ...before, problem }))
      })
    return () => controller.abort()
  }, [file, kind, queries, stopping, w])
  const stop = () => {
    stopping.current.abort()
    setState((before) => ({ ...before, isStopped: true }))
  }
  return { state, stop }
}
