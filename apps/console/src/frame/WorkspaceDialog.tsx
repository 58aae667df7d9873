import { useNavigate } from "@tanstack/react-router"
import { useState } from "react"
import type { WorkspaceDocument } from "../api/documents.ts"
import { api } from "../api/generated.ts"
import { ApiProblem } from "../shared/dialogs/ApiProblem.tsx"
import { Button } from "../shared/buttons/Button.tsx"
import { Field } from "../shared/fields/Field.tsx"
import { count, counted } from "../shared/values/figures.ts"
import { ModalDialog } from "../shared/dialogs/ModalDialog.tsx"
import { usePages, type Pages } from "../shared/lists/usePages.ts"
import { useCurrentPage } from "./destinations.ts"
import { useWorkspace } from "./useWorkspace.ts"

/** The number of workspaces that are loaded at a time. */
const pageItems = 1_000

/** The largest number of workspaces that are listed. A search narrows the list. */
const listedMax = 100

interface WorkspaceDialogProps {
  readonly onClose: () => void
  /** Called after the operator has chosen a workspace. */
  readonly onGo: () => void
}

/** Finds a workspace by name or number, and opens the current page in it. */
export const WorkspaceDialog = ({ onClose, onGo }: WorkspaceDialogProps) => {
  const w = useWorkspace()
  const to = useCurrentPage()
  const navigate = useNavigate()
  const [text, setText] = useState("")
  const pages = usePages(["workspaces", "all"], (after, signal) =>
    api.workspaces.list({ after, limit: pageItems, order: "asc" }, signal),
  )
  const found = pages.items.filter(matches(text.trim()))
  const open = ({ environment_id }: WorkspaceDocument): void => {
    onClose()
    onGo()
    void navigate({ to, params: { w: String(environment_id) } })
  }
  return (
    <ModalDialog onClose={onClose} title="Switch workspace">
      <form
        className="space-y-3"
        onSubmit={(event) => {
          event.preventDefault()
          const [first] = found
          if (first !== undefined) open(first)
        }}
      >
        <Field
          autoComplete="off"
          autoFocus
          label="Name or number"
          onChange={(event) => setText(event.target.value)}
          spellCheck={false}
          type="search"
          value={text}
        />
        {pages.problem === null ? null : (
          <ApiProblem problem={pages.problem} what="The workspaces could not be loaded." />
        )}
        <ul aria-label="Workspaces" className="max-h-80 min-h-40 overflow-y-auto">
          {found.slice(0, listedMax).map((workspace) => (
            <li key={workspace.environment_id}>
              <button
                aria-current={String(workspace.environment_id) === w}
                className="flex h-8 w-full items-center gap-3 rounded-md px-2 text-left text-sm hover:bg-hover aria-[current=true]:bg-selected pointer-coarse:h-11"
                onClick={() => open(workspace)}
                type="button"
              >
                <span className="truncate">{workspace.name}</span>
                <span className="ml-auto font-mono text-xs text-faint">{workspace.environment_id}</span>
              </button>
            </li>
          ))}
          {found.length === 0 && !pages.isLoading ? (
            <li className="px-2 text-sm text-muted">{noneText(pages)}</li>
          ) : null}
          {found.length > listedMax ? (
            <li className="px-2 text-xs text-muted">
              {counted(found.length - listedMax, "more matches", "more match")}: type more of the name.
            </li>
          ) : null}
        </ul>
        {pages.hasMore ? (
          <Button disabled={pages.isLoadingMore} onClick={pages.loadMore}>
            Load more workspaces
          </Button>
        ) : null}
      </form>
    </ModalDialog>
  )
}

const noneText = ({ hasMore, isCut, items }: Pages<WorkspaceDocument>): string =>
  hasMore || isCut
    ? `None of the ${count(items.length)} workspaces that are loaded has this name or number.`
    : "No workspace has this name or number."

const matches =
  (text: string) =>
  ({ environment_id, name }: WorkspaceDocument): boolean =>
    String(environment_id) === text || name.toLowerCase().includes(text.toLowerCase())
