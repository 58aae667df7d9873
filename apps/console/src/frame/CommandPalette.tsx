import { Autocomplete } from "@base-ui/react/autocomplete"
import { Dialog } from "@base-ui/react/dialog"
import { useState } from "react"
import { useFocusReturn } from "../shared/dialogs/focusReturn.ts"
import { Icon } from "../shared/buttons/Icon.tsx"
import { useEntered } from "../shared/fields/useEntered.ts"
import { earlyText } from "./earlyKeys.ts"
import { usePaletteEntries, type PaletteCommands, type PaletteEntry } from "./paletteEntries.ts"

interface CommandPaletteProps extends PaletteCommands {
  readonly onClose: () => void
}

/** Finds pages, actions, and everything that has an id or a name. */
export const CommandPalette = ({ onAction, onClose, onKeys }: CommandPaletteProps) => {
  useFocusReturn()
  const [text, setText] = useState(earlyText)
  const { entries, isStale, notes } = usePaletteEntries(text, { onAction, onKeys })
  const choose = (entry: PaletteEntry): void => {
    onClose()
    entry.run()
  }
  const entered = useEntered({ items: entries, isStale }, choose)
  return (
    <Dialog.Root open onOpenChange={onClose}>
      <Dialog.Portal>
        <Dialog.Backdrop className="fixed inset-0 z-40 bg-backdrop" />
        <Dialog.Popup
          className="fixed top-[12vh] left-1/2 z-50 flex max-h-[70vh] w-[min(560px,calc(100vw-32px))] -translate-x-1/2 flex-col rounded-lg border border-line bg-raised shadow-lg outline-none"
          finalFocus={false}
        >
          <Dialog.Title className="sr-only">Search or go to</Dialog.Title>
          <Autocomplete.Root
            autoHighlight="always"
            inline
            itemToStringValue={(entry: PaletteEntry) => entry.label}
            items={entries}
            keepHighlight
            mode="none"
            onItemHighlighted={entered.onHighlighted}
            onValueChange={(typed) => {
              setText(typed)
              entered.onTyped()
            }}
            open
            value={text}
          >
            <Autocomplete.Input
              aria-label="Search or go to"
              className="h-12 shrink-0 border-b border-line bg-transparent px-4 text-base outline-none"
              onKeyDown={(event) => {
                if (event.key === "Enter" && entered.onEnter()) event.preventBaseUIHandler()
              }}
              placeholder="A page, an action, an id of any kind, an email or a name"
              spellCheck={false}
            />
            <Autocomplete.List aria-label="Results" className="overflow-y-auto p-1 empty:hidden">
              {(entry: PaletteEntry) => (
                <Autocomplete.Item
                  className="flex h-9 cursor-pointer items-center gap-3 rounded-md px-3 text-sm data-highlighted:bg-selected pointer-coarse:h-11"
                  key={entry.key}
                  onClick={() => choose(entry)}
                  value={entry}
                >
                  <Icon className="text-faint" name={entry.icon} />
                  <span className="truncate">{entry.label}</span>
                  <span className="ml-auto shrink-0 text-xs text-muted">{entry.hint}</span>
                </Autocomplete.Item>
              )}
            </Autocomplete.List>
            {entries.length > 0 || isStale ? null : (
              <p className="p-4 text-sm text-muted" role="status">
                Nothing has this id or name, or one that starts with it.
              </p>
            )}
            {notes.map(toNote)}
          </Autocomplete.Root>
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  )
}

const toNote = (note: string) => (
  <p className="border-t border-line px-4 py-2 text-xs text-muted" key={note} role="note">
    {note}
  </p>
)
