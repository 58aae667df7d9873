import { useMutation, useQueryClient } from "@tanstack/react-query"
import { useId, useState } from "react"
import type { ImportDocument } from "../../api/documents.ts"
import { api } from "../../api/generated.ts"
import { useWorkspace } from "../../frame/useWorkspace.ts"
import { useRefusal } from "../../session/useRefusal.ts"
import { ActionError } from "../../shared/dialogs/ActionError.tsx"
import { ApiProblem } from "../../shared/dialogs/ApiProblem.tsx"
import { Button } from "../../shared/buttons/Button.tsx"
import { byteSize, count } from "../../shared/values/figures.ts"
import { Time } from "../../shared/time/Time.tsx"
import { usePages } from "../../shared/lists/usePages.ts"
import { FailedLines } from "./FailedLines.tsx"
import { hasEnded, resultText, stateTexts } from "./importTexts.ts"
import { uploadedFile } from "./uploadFile.ts"

/** The number of imports that are loaded at a time. */
const pageItems = 20

/** The milliseconds after which the list is read again. */
const refreshMs = 1_000

interface ImportListProps {
  /** The import that was started last on this page. It is shown open. */
  readonly started: string | undefined
}

/** The imports of the workspace, newest first: those that run with their progress, and those that have ended with their result. */
export const ImportList = ({ started }: ImportListProps) => {
  const w = useWorkspace()
  const pages = usePages(
    [w, "imports"],
    (after, signal) => api.importJobs.list(w, { limit: pageItems, after }, signal),
    refreshMs,
  )
  if (pages.problem !== null) {
    return (
      <ApiProblem onRetry={pages.reload} problem={pages.problem} what="The imports could not be loaded." />
    )
  }
  if (pages.items.length === 0) return null
  return (
    <section aria-label="Imports of this workspace" className="space-y-2">
      <h2 className="text-xs font-medium text-faint">Imports</h2>
      <ul className="divide-y divide-line border-y border-line text-sm">
        {pages.items.map((job) => (
          <ImportRow isStarted={job.import_id === started} job={job} key={job.import_id} w={w} />
        ))}
      </ul>
      {pages.hasMore ? (
        <Button disabled={pages.isLoadingMore} onClick={pages.loadMore}>
          Show older imports
        </Button>
      ) : null}
    </section>
  )
}

interface ImportRowProps {
  readonly w: string
  readonly job: ImportDocument
  readonly isStarted: boolean
}

const ImportRow = ({ isStarted, job, w }: ImportRowProps) => {
  const [isToggled, setToggled] = useState(false)
  const id = useId()
  const isOpen = isToggled ? !isStarted : isStarted
  const name = job.name ?? job.import_id
  return (
    <li className="py-1.5">
      <div className="flex flex-wrap items-center gap-x-3">
        <button
          aria-controls={id}
          aria-expanded={isOpen}
          className="min-w-0 flex-1 truncate text-left hover:underline pointer-coarse:min-h-11"
          onClick={() => setToggled(!isToggled)}
          type="button"
        >
          <span className="font-medium">{name}</span>{" "}
          <span className="text-muted">
            {job.kind}, {byteSize(job.bytes)}
          </span>
        </button>
        <span className="text-muted">
          {count(job.rows)} rows, {stateTexts[job.state]}
        </span>
        <span className="text-muted">
          <Time at={job.created_at} />
        </span>
        {hasEnded(job) ? null : <CancelImport job={job} w={w} />}
      </div>
      {hasEnded(job) ? null : (
        <progress
          aria-label={`Progress of the import of ${name}`}
          className="h-2 w-full accent-accent-solid"
          {...(job.state === "uploading" ? {} : { max: Math.max(1, job.bytes), value: job.bytes_read })}
        />
      )}
      <div className="space-y-3 pt-2" hidden={!isOpen} id={id}>
        {isOpen ? <ImportResult job={job} w={w} /> : null}
      </div>
    </li>
  )
}

const ImportResult = ({ job, w }: Omit<ImportRowProps, "isStarted">) => (
  <>
    <p className="font-medium" role="status">
      {resultText(job)}
    </p>
    <dl className="grid grid-cols-2 gap-4 sm:grid-cols-4">
      <Figure name="rows read" value={count(job.rows)} />
      <Figure name="imported" value={count(job.imported)} />
      <Figure name="skipped" value={count(job.skipped)} />
      <Figure name="failed" value={count(job.failed)} />
    </dl>
    {job.skipped === 0 ? null : (
      <p className="text-muted">
        Skipped rows had no effect, because the same file was imported before, or because the person is
        suppressed or was deleted after the upload.
      </p>
    )}
    {hasEnded(job) && job.errors > 0 ? (
      <FailedLines file={uploadedFile(job.import_id)} job={job} w={w} />
    ) : null}
  </>
)

const Figure = ({ name, value }: { readonly name: string; readonly value: string }) => (
  <div>
    <dt className="text-xs text-faint">{name}</dt>
    <dd className="text-lg font-semibold">{value}</dd>
  </div>
)

const CancelImport = ({ job: { import_id, state }, w }: Omit<ImportRowProps, "isStarted">) => {
  const queries = useQueryClient()
  const refusal = useRefusal("importJobs.cancel")
  const cancel = useMutation({
    mutationFn: () => api.importJobs.cancel(w, import_id),
    onSettled: () => queries.invalidateQueries({ queryKey: [w, "imports"] }),
  })
  return (
    <>
      <ActionError error={cancel.error} />
      <Button
        disabled={cancel.isPending || state === "cancelling"}
        onClick={() => cancel.mutate()}
        refusal={refusal}
      >
        Cancel
      </Button>
    </>
  )
}
