import { CopyId } from "../../shared/values/CopyId.tsx"
import { Facts } from "../../shared/dialogs/Detail.tsx"
import { byteSize, count } from "../../shared/values/figures.ts"
import { ResultDialog } from "../../shared/dialogs/ResultDialog.tsx"
import type { api } from "../../api/generated.ts"

export type LakeFileDocument = Awaited<ReturnType<typeof api.lake.files>>["items"][number]

interface FileDialogProps {
  readonly file: LakeFileDocument
  readonly onClose: () => void
}

/** One file of a lake, as its manifest lists it. */
export const FileDialog = ({ file, onClose }: FileDialogProps) => (
  <ResultDialog onClose={onClose} title={`File of the table ${file.table}`}>
    <Facts
      facts={[
        ["Path", <CopyId id={file.path} key="path" label="path" />],
        ["Positions", `${file.from} to ${file.to}`],
        ["Rows", count(file.rows)],
        ["Erased", count(file.erased)],
        ["Pruned before it was written", count(file.pruned)],
        ["Size", byteSize(file.bytes)],
        ["Generation", String(file.generation)],
        ["SHA-256", <CopyId id={file.sha256} key="sha256" label="SHA-256" />],
      ]}
    />
  </ResultDialog>
)
