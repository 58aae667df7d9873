import { useQuery } from "@tanstack/react-query"
import { useState } from "react"
import { api } from "../../api/generated.ts"
import { useWorkspace } from "../../frame/useWorkspace.ts"
import { useRefusal } from "../../session/useRefusal.ts"
import { ApiProblem } from "../../shared/ApiProblem.tsx"
import { Button } from "../../shared/Button.tsx"
import { byteSize } from "../../shared/figures.ts"
import { Icon } from "../../shared/Icon.tsx"
import { PageTitle } from "../../shared/ListPage.tsx"
import { FileColumns } from "./FileColumns.tsx"
import { FileDrop } from "./FileDrop.tsx"
import { readHeader, type ImportKind } from "./csvHeader.ts"
import { Exports } from "./Exports.tsx"
import { ImportRun } from "./ImportRun.tsx"

const kinds = [
  { kind: "people", label: "People" },
  { kind: "events", label: "Events" },
] as const

/** Imports CSV files of people and events, and exports the data of the workspace. */
export const ImportsPage = () => {
  const refusal = useRefusal("imports.people")
  return (
    <div aria-label="Imports" className="h-full overflow-y-auto" role="region" tabIndex={0}>
      <PageTitle title="Imports" />
      <div className="grid max-w-7xl grid-cols-[minmax(0,1fr)] gap-x-12 gap-y-8 px-4 pb-12 xl:grid-cols-[minmax(0,3fr)_minmax(0,2fr)]">
        {refusal === undefined ? (
          <FileImport />
        ) : (
          <p className="text-sm text-muted">Nothing can be imported here. {refusal}</p>
        )}
        <Exports />
      </div>
    </div>
  )
}

/** Imports the file that the operator chooses. */
const FileImport = () => {
  const [kind, setKind] = useState<ImportKind>("people")
  const [file, setFile] = useState<File>()
  return (
    <section className="space-y-3">
      <KindChooser kind={kind} onKind={setKind} />
      {file === undefined ? (
        <FileDrop kind={kind} onFile={setFile} />
      ) : (
        <ChosenFile file={file} key={kind} kind={kind} onOther={() => setFile(undefined)} />
      )}
    </section>
  )
}

interface ChosenFileProps {
  readonly file: File
  readonly kind: ImportKind
  readonly onOther: () => void
}

/** The chosen file: its columns, and then its import. */
const ChosenFile = ({ file, kind, onOther }: ChosenFileProps) => {
  const w = useWorkspace()
  const [runs, setRuns] = useState(0)
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
        <Button className="ml-auto" onClick={onOther}>
          Choose another file
        </Button>
        {runs === 0 ? (
          <Button disabled={!isImportable} onClick={() => setRuns(1)} tone="primary">
            Import
          </Button>
        ) : null}
      </div>
      {header.error === null ? null : (
        <ApiProblem problem={header.error} what="The file could not be read. Choose it again." />
      )}
      {runs > 0 ? <ImportRun file={file} key={runs} kind={kind} onAgain={() => setRuns(runs + 1)} /> : null}
      {runs === 0 && header.data !== undefined ? <FileColumns {...header.data} /> : null}
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
