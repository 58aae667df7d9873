import { useQuery } from "@tanstack/react-query"
import { useState } from "react"
import { api } from "../../api/generated.ts"
import { useWorkspace } from "../../frame/useWorkspace.ts"
import { useRefusal } from "../../session/useRefusal.ts"
import { Button } from "../../shared/buttons/Button.tsx"
import { CollectionPage } from "../../shared/lists/CollectionPage.tsx"
import type { Column } from "../../shared/lists/DataTable.tsx"
import { EmptyState } from "../../shared/lists/EmptyState.tsx"
import { ListPage } from "../../shared/lists/ListPage.tsx"
import { Loading } from "../../shared/dialogs/Loading.tsx"
import { byteSize, count } from "../../shared/values/figures.ts"
import { usePages } from "../../shared/lists/usePages.ts"
import { FileDialog, type LakeFileDocument } from "./FileDialog.tsx"
import { LakeActions } from "./LakeActions.tsx"
import { LakeState } from "./LakeState.tsx"
import { StartLakeDialog } from "./StartLakeDialog.tsx"

/** The milliseconds after which the state of a lake is read again. */
const refreshMs = 5_000

const columns: ReadonlyArray<Column<LakeFileDocument>> = [
  { key: "table", header: "Table", width: "80px", text: ({ table }) => table },
  {
    key: "positions",
    header: "Positions",
    width: "minmax(112px, 2fr)",
    text: ({ from, table, to }) => (isSnapshot(table) ? `after ${to}` : `${from} to ${to}`),
  },
  { key: "rows", header: "Rows", width: "96px", align: "end", text: ({ rows }) => count(rows) },
  {
    key: "erased",
    header: "Erased",
    width: "80px",
    align: "end",
    showFrom: 560,
    text: ({ erased }) => count(erased),
  },
  {
    key: "bytes",
    header: "Size",
    width: "96px",
    align: "end",
    showFrom: 480,
    text: ({ bytes }) => byteSize(bytes),
  },
  {
    key: "path",
    header: "File",
    width: "minmax(112px, 4fr)",
    showFrom: 720,
    text: ({ path }) => path,
    cell: ({ path }) => <span className="font-mono text-xs text-muted">{path}</span>,
  },
]

/** People and objects are written whole, as they are after a position. */
const isSnapshot = (table: LakeFileDocument["table"]): boolean => table === "people" || table === "objects"

/** The lake of a workspace: how far it has come, its files, and SQL that reads them. */
export const LakePage = () => {
  const w = useWorkspace()
  const [isStarting, setStarting] = useState(false)
  const [shown, setShown] = useState<LakeFileDocument>()
  // A lake writes outside of its workspace, so only an admin of all workspaces starts one.
  const refusal = useRefusal("workspaces.create")
  const lake = useQuery({
    queryKey: [w, "lake", "state"],
    queryFn: ({ signal }) => api.lake.get(w, signal),
    refetchInterval: refreshMs,
  })
  const pages = usePages([w, "lake", "files", lake.data?.files], (after, signal, limit) =>
    api.lake.files(w, { after, limit }, signal),
  )
  // The files would move down once the state is shown above them.
  if (lake.isPending) {
    return (
      <ListPage isDetailOpen={false} title="Lake">
        <Loading />
      </ListPage>
    )
  }
  const state = lake.data?.target == null ? undefined : lake.data
  return (
    <CollectionPage
      actions={
        state === undefined ? (
          <Button icon="created" onClick={() => setStarting(true)} refusal={refusal} tone="primary">
            Start a lake
          </Button>
        ) : (
          <LakeActions refusal={refusal} w={w} />
        )
      }
      columns={columns}
      empty={
        lake.data === undefined ? (
          <EmptyState title="Unknown">The state of the lake could not be loaded.</EmptyState>
        ) : state === undefined ? (
          <EmptyState example="inlet lake start /var/lib/inlet/lake" title="No lake yet">
            A lake is a folder or a bucket with Parquet files of everything in the log, each position in
            exactly one file. Deleted people leave the files, too.
          </EmptyState>
        ) : (
          <EmptyState title="No files yet">
            {state.failure === null
              ? "The first ones are written as soon as the log is read, later ones after at most five minutes."
              : "The failure above says why. The log waits until files can be written."}
          </EmptyState>
        )
      }
      notice={state === undefined ? null : <LakeState lake={state} w={w} />}
      onOpen={setShown}
      openKey={shown?.path}
      pages={pages}
      rowKey={({ path }) => path}
      title="Lake"
    >
      {isStarting ? <StartLakeDialog onClose={() => setStarting(false)} w={w} /> : null}
      {shown === undefined ? null : <FileDialog file={shown} onClose={() => setShown(undefined)} />}
    </CollectionPage>
  )
}
