import { useBlocker } from "@tanstack/react-router"
import { Button } from "../buttons/Button.tsx"
import { ModalDialog } from "./ModalDialog.tsx"

interface UnsavedChangesProps {
  readonly isChanged: boolean
}

/** Asks before changes that are not saved are lost: when another page is opened, and when the window is closed. */
export const UnsavedChanges = ({ isChanged }: UnsavedChangesProps) => {
  const leaving = useBlocker({
    shouldBlockFn: ({ current, next }) => isChanged && current.pathname !== next.pathname,
    enableBeforeUnload: () => isChanged,
    withResolver: true,
  })
  if (leaving.status !== "blocked") return null
  return (
    <ModalDialog onClose={leaving.reset} title="Changes are not saved">
      <p className="pb-4 text-sm text-muted">What you changed on this page is not saved yet.</p>
      <div className="flex flex-wrap justify-end gap-2">
        <Button autoFocus onClick={leaving.reset}>
          Stay
        </Button>
        <Button onClick={leaving.proceed} tone="primary">
          Leave without saving
        </Button>
      </div>
    </ModalDialog>
  )
}
