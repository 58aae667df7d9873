import type { ViewDocument } from "@inlethq/contract/workspaces/Views"
import { useQuery } from "@tanstack/react-query"
import { useState } from "react"
import { api } from "../../api/generated.ts"
import { useRefusal } from "../../session/useRefusal.ts"
import { Icon } from "../../shared/buttons/Icon.tsx"
import { MenuButton, PopoverMenu } from "../../shared/buttons/PopoverMenu.tsx"
import { lazily } from "../../shared/dialogs/lazily.tsx"
import { PartBoundary } from "../../shared/dialogs/PartBoundary.tsx"
import { useChange } from "../../shared/dialogs/useChange.ts"
import type { ViewQuery } from "./ViewQuery.ts"

const ConfirmDialog = lazily(
  async () => (await import("../../shared/dialogs/ConfirmDialog.tsx")).ConfirmDialog,
)
const SaveViewDialog = lazily(async () => (await import("./SaveViewDialog.tsx")).SaveViewDialog)

interface SavedViewsProps {
  readonly w: string
  readonly page: ViewDocument["page"]
  /** The list as it is shown now: the parameters of its address. */
  readonly query: ViewQuery
  readonly onOpen: (query: ViewQuery) => void
}

/** The most views of a page that are offered. */
const viewsMax = 500

/** A menu of the views of a page that the workspace has saved, which also saves and deletes them. */
export const SavedViews = ({ onOpen, page, query, w }: SavedViewsProps) => {
  const [dialog, setDialog] = useState<"save" | "delete" | null>(null)
  const refusal = useRefusal("views.create")
  const { data } = useQuery({
    queryKey: [w, "views", page],
    queryFn: ({ signal }) => api.views.list(w, { page, limit: viewsMax, order: "asc" }, signal),
  })
  const views = (data?.items ?? []).toSorted((a, b) => a.name.localeCompare(b.name))
  const open = views.find((view) => isSame(view.query, query))
  const remove = useChange({
    call: () => (open === undefined ? Promise.resolve() : api.views.delete(w, open.view_id)),
    outdates: [w, "views", page],
  })
  const close = (): void => setDialog(null)
  return (
    <>
      <PopoverMenu
        className="inline-flex h-8 max-w-48 shrink-0 items-center gap-1.5 rounded-md border border-line bg-raised px-3 text-sm font-medium hover:bg-hover pointer-coarse:h-11"
        trigger={
          <>
            <span className="truncate">{open?.name ?? "Views"}</span>
            <Icon className="size-3" name="down" />
          </>
        }
      >
        <ViewItems {...{ onOpen, open, refusal, views }} onDialog={setDialog} />
      </PopoverMenu>
      <PartBoundary onFailure={close}>
        {dialog === "save" ? <SaveViewDialog {...{ page, query, views, w }} onClose={close} /> : null}
        {dialog === "delete" && open !== undefined ? (
          <ConfirmDialog
            action="Delete view"
            onClose={close}
            onConfirm={() => remove.mutateAsync()}
            title={`Delete the view “${open.name}”?`}
          >
            It goes for everybody in the workspace. What it lists stays.
          </ConfirmDialog>
        ) : null}
      </PartBoundary>
    </>
  )
}

interface ViewItemsProps {
  readonly views: ReadonlyArray<ViewDocument>
  /** The view that is shown now. */
  readonly open: ViewDocument | undefined
  readonly refusal: string | undefined
  readonly onOpen: (query: ViewQuery) => void
  readonly onDialog: (dialog: "save" | "delete") => void
}

const ViewItems = ({ onDialog, onOpen, open, refusal, views }: ViewItemsProps) => (
  <>
    {views.map((view) => (
      <MenuButton key={view.view_id} onClick={() => onOpen(view.query)}>
        <span className="size-4 shrink-0">{view === open ? <Icon name="check" /> : null}</span>
        <span className="truncate">{view.name}</span>
      </MenuButton>
    ))}
    {views.length === 0 ? null : <div className="my-1 h-px bg-line" role="separator" />}
    <MenuButton
      isDisabled={refusal !== undefined}
      onClick={() => onDialog("save")}
      title={
        refusal ?? "Keeps the filter, the period and the columns under a name, for everybody in the workspace"
      }
    >
      Save this view…
    </MenuButton>
    {open === undefined ? null : (
      <MenuButton isDangerous isDisabled={refusal !== undefined} onClick={() => onDialog("delete")}>
        Delete “{open.name}”…
      </MenuButton>
    )}
  </>
)

const isSame = (one: ViewQuery, other: ViewQuery): boolean => textOf(one) === textOf(other)

const textOf = (query: ViewQuery): string =>
  JSON.stringify(
    Object.entries(query)
      .filter(([, value]) => value !== "")
      .toSorted(([a], [b]) => (a < b ? -1 : 1)),
  )
