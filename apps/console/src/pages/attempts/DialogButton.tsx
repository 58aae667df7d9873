import type { EndpointName } from "@inlethq/contract/access/requirements"
import { useState, type ReactNode } from "react"
import { useRefusal } from "../../session/useRefusal.ts"
import { Button } from "../../shared/buttons/Button.tsx"

interface DialogButtonProps {
  readonly label: string
  /** The endpoint that the dialog calls. */
  readonly needs: EndpointName
  /** The dialog, given what closes it. */
  readonly children: (close: () => void) => ReactNode
}

/** A button that opens a dialog. */
export const DialogButton = ({ children, label, needs }: DialogButtonProps) => {
  const [isOpen, setOpen] = useState(false)
  const refusal = useRefusal(needs)
  return (
    <>
      <Button onClick={() => setOpen(true)} refusal={refusal}>
        {label}
      </Button>
      {isOpen ? children(() => setOpen(false)) : null}
    </>
  )
}
