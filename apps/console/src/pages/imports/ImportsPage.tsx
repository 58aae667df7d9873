import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query"
import { useState } from "react"
import { api } from "../../api/generated.ts"
import { useWorkspace } from "../../frame/useWorkspace.ts"
import { useRefusal } from "../../session/useRefusal.ts"
import { ApiProblem } from "../../shared/dialogs/ApiProblem.tsx"
import { Button } from "../../shared/buttons/Button.tsx"
import { byteSize } from "../../shared/values/figures.ts"
import { Icon } from "../../shared/buttons/Icon.tsx"
import { PageTitle } from "../../shared/lists/ListPage.tsx"
import { FileColumns } from "./FileColumns.tsx"
import { FileDrop } from "./FileDrop.tsx"
import { readHeader, type ImportKind } from "./csvHeader.ts"
import { Exports } from "./Exports.tsx"
import { ImportList } from "./ImportList.tsx"
import { uploadFile } from "./uploadFile.ts"

const kinds = [
  { kind: "people", label: "People" },
  { kind: "events", label: "Events" },
] as const

/** Imports CSV files of people and events, and exports the data of the workspace. */
export const ImportsPage = () => {
  const refusal = useRefusal("importJobs.create")
  const [started, setStarted] = useState<string>()
  return (
    <div aria-label="Imports" className="h-full overflow-y-auto" role="region" tabIndex={0}>
      <PageTitle title="Imports" />
      <div className="grid max-w-7xl grid-cols-[minmax(0,1fr)] gap-x-12 gap-y-8 px-4 pb-12 xl:grid-cols-[minmax(0,3fr)_minmax(0,2fr)]">
        <div className="space-y-8">
          {refusal === undefined ? (
            <FileImport onStarted={setStarted} />
          ) : (
            <p className="text-sm text-muted">Nothing can be imported here. {refusal}</p>
          )}
          <ImportList started={started} />
        </div>
        <Exports />
      </div>
    </div>
  )
}

/** Imports the file that the operator chooses. */
const FileImport = ({ onStarted }: Pick<ChosenFileProps, "onStarted">) => {
  const [kind, setKind] = useState<ImportKind>("people")
  const [file, setFile] = useState<File>()
  return (
    <section className="space-y-3">
      <KindChooser kind={kind} onKind={setKind} />
      {file === undefined ? (
        <FileDrop kind={kind} onFile={setFile} />
      ) : (
        <ChosenFile
          file={file}
          key={kind}
          kind={kind}
          onOther={() => setFile(undefined)}
          onStarted={(importId) => {
            setFile(undefined)
            onStarted(importId)
          }}
        />
      )}
    </section>
  )
}

interface ChosenFileProps {
  readonly file: File
  readonly kind: ImportKind
  readonly onOther: () => void
  /** Called with the id of the import once the file is uploaded. */
  readonly onStarted: (importId: string) => void
}

/** The chosen file: its columns, and its upload. */
const ChosenFile = ({ file, kind, onOther, onStarted }: ChosenFileProps) => {
  const w = useWorkspace()
  const queries = useQueryClient()
  const upload = useMutation({
    mutationFn: () => uploadFile({ w, kind, file }),
    onSuccess: ({ import_id }) => onStarted(import_id),
    onSettled: () => queries.invalidateQueries({ queryKey: [w, "imports"] }),
  })
  const header = useQuery({
    queryKey: [w, "csv", file.name, file.size, file.lastModified, kind],
    queryFn: async ({ signal }) => readHeader(file, kind, await api.workspaces.get(w, signal)),
    retry: false,
    staleTime: 0,
  })
  const isImportable = header.data?.faults.length === 0
  return (
    <>
      <div className="flex flex-wrap items-center gap-3 rounded-md border border-line px-3 py-2 text-sm">
        <Icon name="imports" />
        <span className="min-w-0 truncate font-medium">{file.name}</span>
        <span className="text-muted">{byteSize(file.size)}</span>
        <Button className="ml-auto" disabled={upload.isPending} onClick={onOther}>
          Choose another file
        </Button>
        <Button disabled={!isImportable || upload.isPending} onClick={() => upload.mutate()} tone="primary">
          {upload.isPending ? "Uploading…" : "Import"}
        </Button>
      </div>
      {header.error === null ? null : (
        <ApiProblem problem={header.error} what="The file could not be read. Choose it again." />
      )}
      {upload.error === null ? null : (
        <ApiProblem
          onRetry={() => upload.mutate()}
          problem={upload.error}
          what="The file could not be uploaded."
        />
      )}
      {upload.isPending ? (
        <p className="text-sm text-muted" role="status">
          Keep this tab open until the file is uploaded. The import then goes on without it.
        </p>
      ) : null}
      {header.data === undefined ? null : <FileColumns {...header.data} />}
    </>
  )
}

interface KindChooserProps {
  readonly kind: ImportKind
  readonly onKind: (kind: ImportKind) => void
}

const KindChooser = ({ kind, onKind }: KindChooserProps) => (
  <fieldset className="flex gap-1">
    <legend className="sr-only">What the file contains</legend>
    {kinds.map((choice) => (
      <label
        className="flex h-8 cursor-pointer items-center rounded-md px-3 text-sm text-muted hover:bg-hover has-checked:bg-selected has-checked:font-medium has-checked:text-ink has-focus-visible:outline-2 has-focus-visible:outline-accent pointer-coarse:h-11"
        key={choice.kind}
      >
        <input
          checked={kind === choice.kind}
          className="sr-only"
          name="kind"
          onChange={() => onKind(choice.kind)}
          type="radio"
        />
        {choice.label}
      </label>
    ))}
  </fieldset>
)
