import { useState } from "react"
import type { OperationDocument } from "../../api/documents.ts"
import { useWorkspace } from "../../frame/useWorkspace.ts"
import { useRefusal } from "../../session/useRefusal.ts"
import { Button } from "../../shared/buttons/Button.tsx"
import { SendOperationDialog } from "../../shared/dialogs/SendOperationDialog.tsx"

interface ResendProps {
  readonly call: NonNullable<OperationDocument["call"]>
}

/** Opens an editor with the call, from which it is sent again. */
export const Resend = ({ call: { body, method, path } }: ResendProps) => {
  const w = useWorkspace()
  const [isOpen, setOpen] = useState(false)
  const refusal = useRefusal("activity.apply")
  return (
    <>
      <Button onClick={() => setOpen(true)} refusal={refusal}>
        Send again
      </Button>
      {isOpen ? (
        <SendOperationDialog
          onClose={() => setOpen(false)}
          operation={{ method, path, body }}
          title="Send the call again"
          w={w}
        />
      ) : null}
    </>
  )
}
