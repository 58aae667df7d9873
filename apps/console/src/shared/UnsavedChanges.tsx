import { useBlocker } from "@tanstack/react-router"
import { FormDialog } from "../../shared/FormDialog.tsx"

/** Asks before changes that are not saved are lost: when another page is opened, and when the window is closed. */
export const UnsavedChanges = ({ isChanged }: { readonly isChanged: boolean }) => {
  const leaving = useBlocker({
    shouldBlockFn: ({ current, next }) => isChanged && current.pathname !== next.pathname,
    enableBeforeUnload: () => isChanged,
    withResolver: true,
  })
  if (leaving.status !== "blocked") return null
  return (
    <FormDialog
      action={{ mutate: leaving.proceed, isPending: false, error: null }}
      dismiss="Stay"
      onClose={leaving.reset}
      submit="Leave without saving"
      title="Changes are not saved"
    >
      <p className="text-sm text-muted">The settings that you changed on this page are not saved yet.</p>
    </FormDialog>
  )
}
