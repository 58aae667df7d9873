import { useState } from "react"
import { ModalDialog } from "../shared/ModalDialog.tsx"
import { activeShortcuts } from "../shared/shortcuts.ts"

interface KeysDialogProps {
  readonly onClose: () => void
}

/** The dialog that lists the keyboard shortcuts of the current page. */
export const KeysDialog = ({ onClose }: KeysDialogProps) => {
  const [shortcuts] = useState(() => [
    ...activeShortcuts().toSorted((a, b) => a.keys.localeCompare(b.keys)),
    { keys: "Ctrl K", does: "Search or go to" },
  ])
  return (
    <ModalDialog onClose={onClose} title="Keys">
      <dl className="grid gap-x-8 gap-y-1 text-sm sm:grid-cols-2">
        {shortcuts.map(({ does, keys }) => (
          <div className="flex h-7 items-center justify-between gap-4" key={keys}>
            <dt className="text-muted">{does}</dt>
            <dd className="flex gap-1">
              {keys.split(" ").map((key) => (
                <kbd
                  className="min-w-6 rounded-sm border border-line bg-surface px-1.5 text-center font-mono text-xs leading-5"
                  key={key}
                >
                  {key}
                </kbd>
              ))}
            </dd>
          </div>
        ))}
      </dl>
    </ModalDialog>
  )
}
