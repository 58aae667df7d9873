import { useState } from "react"
import { ModalDialog } from "../shared/dialogs/ModalDialog.tsx"
import { activeShortcuts, type Shortcut } from "../shared/fields/shortcuts.ts"

interface KeysDialogProps {
  readonly onClose: () => void
}

const searchKeys: Shortcut = { keys: "Ctrl K", does: "Search or go to" }

/** The dialog that lists the keyboard shortcuts: those of the current page, and those that open other pages. */
export const KeysDialog = ({ onClose }: KeysDialogProps) => {
  const [shortcuts] = useState(activeShortcuts)
  const pageKeys = shortcuts.filter(({ keys }) => !keys.startsWith("g "))
  const goKeys = shortcuts.filter(({ keys }) => keys.startsWith("g "))
  return (
    <ModalDialog onClose={onClose} title="Keys">
      <div className="grid gap-x-8 gap-y-4 sm:grid-cols-2">
        <Keys shortcuts={[searchKeys, ...pageKeys.toSorted((a, b) => a.keys.localeCompare(b.keys))]} />
        <Keys shortcuts={goKeys} />
      </div>
    </ModalDialog>
  )
}

const Keys = ({ shortcuts }: { readonly shortcuts: ReadonlyArray<Shortcut> }) => (
  <dl className="space-y-1 text-sm">
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
)
