import type { QueryKey } from "@tanstack/react-query"
import { useState } from "react"
import { FormDialog } from "../../shared/dialogs/FormDialog.tsx"
import { useChange } from "../../shared/dialogs/useChange.ts"
import { Field } from "../../shared/fields/Field.tsx"
import { timeTyped, useZone, zoneName } from "../../shared/time/zone.ts"
import { counted } from "../../shared/values/figures.ts"

interface RecoverDialogProps {
  /** What is sent again, such as "event". */
  readonly thing: string
  /** Sends again what arrived since a time and was not delivered. Returns how much that is. */
  readonly recover: (since: string) => Promise<number>
  readonly outdates: QueryKey
  readonly onClose: () => void
}

/** Asks for a time. What a webhook or a forward did not deliver since is sent again. */
export const RecoverDialog = ({ onClose, outdates, recover, thing }: RecoverDialogProps) => {
  const zone = useZone()
  const [since, setSince] = useState("")
  const recovery = useChange({ call: () => recover(timeTyped(since, zone)), outdates })
  return (
    <FormDialog
      action={recovery}
      dismiss="Close"
      isComplete={!Number.isNaN(Date.parse(since))}
      onClose={onClose}
      submit="Send again"
      title={`Send failed ${thing}s again`}
    >
      <Field
        help={`Every ${thing} that arrived since this time and was not delivered is sent again.`}
        label={`Since (${zoneName(Date.now(), zone)})`}
        onChange={(event) => setSince(event.target.value)}
        required
        type="datetime-local"
        value={since}
      />
      {recovery.data === undefined ? null : (
        <p className="text-sm text-muted" role="status">
          {counted(recovery.data, `${thing} is`, `${thing}s are`)} sent again.
        </p>
      )}
    </FormDialog>
  )
}
