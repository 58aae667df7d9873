import { useNavigate } from "@tanstack/react-router"
import type { ActionDialogProps } from "../../frame/PaletteAction.ts"
import { useWorkspace } from "../../frame/useWorkspace.ts"
import { WorkspaceDialog } from "../../frame/WorkspaceDialog.tsx"
import { SendOperationDialog } from "../../shared/dialogs/SendOperationDialog.tsx"
import { CreateKeyDialog } from "../keys/CreateKeyDialog.tsx"
import { SuppressionDialog } from "../people/SuppressionDialog.tsx"
import { NewWorkspaceDialog } from "../settings/NewWorkspaceDialog.tsx"

const person = {
  type: "person",
  action: "identify",
  identifiers: { id: "ada" },
  attributes: { email: "ada@example.com", plan: "pro" },
}

/** The dialog of an action that was chosen in the palette. */
export const PaletteActionDialog = ({ action, onClose }: ActionDialogProps) => {
  const w = useWorkspace()
  const navigate = useNavigate()
  switch (action) {
    case "send":
      return <SendOperationDialog onClose={onClose} operation={person} title="Send an operation" w={w} />
    case "unsuppress":
      return <SuppressionDialog onClose={onClose} w={w} />
    case "key":
      return <CreateKeyDialog onClose={onClose} w={w} />
    case "workspace":
      return (
        <NewWorkspaceDialog
          onClose={onClose}
          onCreated={(id) => void navigate({ to: "/w/$w/start", params: { w: String(id) } })}
        />
      )
    case "switch":
      return <WorkspaceDialog onClose={onClose} onGo={() => undefined} />
  }
}
