import { Dialog } from "@base-ui/react/dialog"
import type { ReactNode } from "react"
import { useFocusReturn } from "./focusReturn.ts"

interface ModalDialogProps {
  readonly title: string
  readonly onClose: () => void
  readonly children: ReactNode
  /** True if a click outside the dialog does not close it. */
  readonly isStaying?: boolean
}

/** A dialog over the page. The Esc key and, unless `isStaying`, a click outside the dialog close it. */
export const ModalDialog = ({ children, isStaying = false, onClose, title }: ModalDialogProps) => {
  useFocusReturn()
  return (
    <Dialog.Root
      disablePointerDismissal={isStaying}
      onOpenChange={(open) => (open ? undefined : onClose())}
      open
    >
      <Dialog.Portal>
        <Dialog.Backdrop className="fixed inset-0 z-40 bg-backdrop" />
        <Dialog.Popup
          className="fixed top-1/2 left-1/2 z-50 max-h-[85vh] w-[min(520px,calc(100vw-32px))] -translate-x-1/2 -translate-y-1/2 overflow-y-auto rounded-lg outline-none border border-line bg-raised p-4 shadow-lg"
          finalFocus={false}
        >
          <Dialog.Title className="pb-3 text-base font-semibold">{title}</Dialog.Title>
          {children}
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  )
}
