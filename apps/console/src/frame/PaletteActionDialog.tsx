import { useNavigate } from "@tanstack/react-router"
import { useWorkspace } from "./useWorkspace.ts"
import { lazily } from "../shared/dialogs/lazily.tsx"

const SendOperationDialog = lazily(
  async () => (await import("../shared/dialogs/SendOperationDialog.tsx")).SendOperationDialog,
)
const SuppressionDialog = lazily(
  async () => (await import("../pages/people/SuppressionDialog.tsx")).SuppressionDialog,
)
const CreateKeyDialog = lazily(
  async () => (await import("../pages/keys/CreateKeyDialog.tsx")).CreateKeyDialog,
)
const CreateSegmentDialog = lazily(
  async () => (await import("../pages/segments/CreateSegmentDialog.tsx")).CreateSegmentDialog,
)
const NewWorkspaceDialog = lazily(
  async () => (await import("../pages/settings/NewWorkspaceDialog.tsx")).NewWorkspaceDialog,
)
const WorkspaceDialog = lazily(async () => (await import("./WorkspaceDialog.tsx")).WorkspaceDialog)

/** What the palette does in a dialog. */
export type PaletteAction = "send" | "unsuppress" | "key" | "segment" | "workspace" | "switch"

const person = {
  type: "person",
  action: "identify",
  identifiers: { id: "ada" },
  attributes: { email: "ada@example.com", plan: "pro" },
}

interface PaletteActionDialogProps {
  readonly action: PaletteAction
  readonly onClose: () => void
}

/** The dialog of an action that was chosen in the palette. */
export const PaletteActionDialog = ({ action, onClose }: PaletteActionDialogProps) => {
  const w = useWorkspace()
  const navigate = useNavigate()
  switch (action) {
    case "send":
      return <SendOperationDialog onClose={onClose} operation={person} title="Send an operation" w={w} />
    case "unsuppress":
      return <SuppressionDialog onClose={onClose} w={w} />
    case "key":
      return <CreateKeyDialog onClose={onClose} w={w} />
    case "segment":
      return (
        <CreateSegmentDialog
          initialRule={undefined}
          onClose={onClose}
          onCreated={(id) =>
            void navigate({ to: "/w/$w/segments/$segmentId", params: { w, segmentId: String(id) } })
          }
          w={w}
        />
      )
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
