import { useState } from "react"
import type { DuplicateDocument } from "../../api/documents.ts"
import { api } from "../../api/generated.ts"
import { useWorkspace } from "../../frame/useWorkspace.ts"
import { CollectionPage } from "../../shared/lists/CollectionPage.tsx"
import type { Column } from "../../shared/lists/DataTable.tsx"
import { EmptyState } from "../../shared/lists/EmptyState.tsx"
import { personName } from "../../shared/values/personName.ts"
import { PersonText } from "../../shared/values/PersonText.tsx"
import { timeColumn } from "../../shared/lists/timeColumn.tsx"
import { usePages } from "../../shared/lists/usePages.ts"
import { MergePair } from "./MergePair.tsx"
import { PairDialog } from "./PairDialog.tsx"

const columns: ReadonlyArray<Column<DuplicateDocument>> = [
  {
    key: "first",
    header: "First",
    width: "minmax(96px, 2fr)",
    text: ({ people: [first] }) => personName(first),
    cell: ({ people: [first] }) => <PersonText person={first} />,
  },
  {
    key: "second",
    header: "Second",
    width: "minmax(96px, 2fr)",
    text: ({ people: [, second] }) => personName(second),
    cell: ({ people: [, second] }) => <PersonText person={second} />,
  },
  {
    key: "reasons",
    header: "Reasons",
    width: "minmax(96px, 1fr)",
    showFrom: 480,
    text: ({ reasons }) => reasons.join(", "),
  },
  timeColumn({ key: "last", header: "Last", width: "96px", showFrom: 480 }, ({ last_at }) => last_at),
]

const keyOf = ({ people: [first, second] }: DuplicateDocument): string => `${first.svc_id} ${second.svc_id}`

/** What is open: a pair, or the merge of its people. */
interface Open {
  readonly pair: DuplicateDocument
  readonly isMerging: boolean
}

/** Pairs of people who may be one: those with the newest operation first. */
export const DuplicatesPage = () => {
  const w = useWorkspace()
  const [open, setOpen] = useState<Open>()
  const pages = usePages([w, "duplicates"], (after, signal, limit) =>
    api.duplicates.list(w, { after, limit }, signal),
  )
  const close = () => setOpen(undefined)
  return (
    <CollectionPage
      columns={columns}
      empty={
        <EmptyState title="No duplicates">
          Two people appear here when an operation says that they may be one: an identifier that the other has
          was refused, a device moved from one to the other, or an alias named both.
        </EmptyState>
      }
      onOpen={(pair) => setOpen({ pair, isMerging: false })}
      pages={pages}
      rowKey={keyOf}
      title="Duplicates"
    >
      {open === undefined ? null : open.isMerging ? (
        <MergePair onClose={close} pair={open.pair} w={w} />
      ) : (
        <PairDialog
          onClose={close}
          onMerge={() => setOpen({ pair: open.pair, isMerging: true })}
          pair={open.pair}
          w={w}
        />
      )}
    </CollectionPage>
  )
}
