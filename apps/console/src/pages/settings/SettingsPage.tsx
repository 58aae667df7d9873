import { useQuery } from "@tanstack/react-query"
import { useNavigate } from "@tanstack/react-router"
import { useState } from "react"
import { workspaceQuery } from "../../api/workspaceQuery.ts"
import { useWorkspace } from "../../frame/useWorkspace.ts"
import { useRefusal } from "../../session/useRefusal.ts"
import { ApiProblem } from "../../shared/dialogs/ApiProblem.tsx"
import { Button } from "../../shared/buttons/Button.tsx"
import { PageTitle } from "../../shared/lists/ListPage.tsx"
import { Loading } from "../../shared/dialogs/Loading.tsx"
import { NewWorkspaceDialog } from "./NewWorkspaceDialog.tsx"
import { WorkspaceForm } from "./WorkspaceForm.tsx"

/** The settings and limits of the workspace, its deletion, and a dialog that creates another workspace. */
export const SettingsPage = () => {
  const w = useWorkspace()
  const navigate = useNavigate()
  const [isCreating, setIsCreating] = useState(false)
  const refusal = useRefusal("workspaces.create")
  const workspace = useQuery({
    ...workspaceQuery(w),
    // While the operator edits, the form must not change by itself.
    refetchOnWindowFocus: false,
  })
  return (
    <section aria-label="Settings" className="flex h-full min-h-0 flex-col">
      <PageTitle
        actions={
          <Button icon="created" onClick={() => setIsCreating(true)} refusal={refusal}>
            New workspace
          </Button>
        }
        title="Settings"
      />
      {workspace.error === null ? null : (
        <ApiProblem
          onRetry={() => void workspace.refetch()}
          problem={workspace.error}
          what="The settings could not be loaded."
        />
      )}
      {workspace.isPending ? <Loading /> : null}
      {workspace.data === undefined ? null : (
        <WorkspaceForm key={w} onDeleted={() => navigate({ to: "/" })} workspace={workspace.data} />
      )}
      {isCreating ? (
        <NewWorkspaceDialog
          onClose={() => setIsCreating(false)}
          onCreated={(created) => void navigate({ to: "/w/$w/start", params: { w: String(created) } })}
        />
      ) : null}
    </section>
  )
}
