import { Dialog } from "@base-ui/react/dialog"
import { useFocusReturn } from "../shared/dialogs/focusReturn.ts"
import { Navigation } from "./Navigation.tsx"

interface NavigationSheetProps {
  readonly onClose: () => void
}

/** The navigation on a phone, which covers the page. */
export const NavigationSheet = ({ onClose }: NavigationSheetProps) => {
  useFocusReturn()
  return (
    <Dialog.Root open onOpenChange={onClose}>
      <Dialog.Portal>
        <Dialog.Backdrop className="fixed inset-0 z-40 bg-backdrop" />
        <Dialog.Popup
          className="fixed inset-y-0 left-0 z-50 w-64 border-r border-line bg-surface shadow-lg"
          finalFocus={false}
        >
          <Dialog.Title className="sr-only">Pages</Dialog.Title>
          <Navigation isFolded={false} onGo={onClose} />
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  )
}
