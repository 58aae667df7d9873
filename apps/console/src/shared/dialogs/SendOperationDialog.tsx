import { useMutation, useQueryClient } from "@tanstack/react-query"
import { useId, useState } from "react"
import { api } from "../../api/generated.ts"
import { FormDialog } from "./FormDialog.tsx"
import { notify } from "./notices.ts"

type Operation = Parameters<typeof api.activity.apply>[1]

interface SendOperationDialogProps {
  readonly w: string
  readonly title: string
  /** The operation with which the operator begins. */
  readonly operation: Readonly<Record<string, unknown>>
  readonly onClose: () => void
}

/** Applies an operation that the operator edits as JSON, and leads to what became of it. */
export const SendOperationDialog = ({ onClose, operation, title, w }: SendOperationDialogProps) => {
  const id = useId()
  const queries = useQueryClient()
  const [text, setText] = useState(() => JSON.stringify(operation, null, 2))
  const parsed = operationIn(text)
  const send = useMutation({
    mutationFn: (edited: Operation) => api.activity.apply(w, edited),
    onSuccess: async ({ operation_id, outcome, reason }) => {
      notify(`The outcome is “${outcome}”${reason === null ? "." : `: ${reason}.`}`, {
        w,
        operationId: operation_id,
      })
      onClose()
      await queries.invalidateQueries({ queryKey: [w] })
    },
  })
  return (
    <FormDialog
      action={{
        ...send,
        mutate: () => {
          if (parsed !== undefined) send.mutate(parsed)
        },
      }}
      isComplete={parsed !== undefined}
      onClose={onClose}
      submit="Send"
      title={title}
    >
      <div className="space-y-1">
        <label className="block text-sm font-medium" htmlFor={id}>
          Operation
        </label>
        <textarea
          aria-describedby={`${id}-help`}
          aria-invalid={parsed === undefined}
          autoCapitalize="off"
          autoFocus
          className="h-72 w-full rounded-md border border-line-strong bg-raised p-2 font-mono text-xs leading-5"
          id={id}
          onChange={(event) => setText(event.target.value)}
          spellCheck={false}
          value={text}
        />
        <p className="text-xs text-muted" id={`${id}-help`}>
          {parsed === undefined
            ? "This must be a JSON object with the texts type and action, or method and path."
            : "An entity of the Track API v2, or a call with its method, path and body. It is applied at once, without the id that would make it a duplicate, and recorded with the source management."}
        </p>
      </div>
    </FormDialog>
  )
}

/** Returns the operation in a text, or undefined if the text is not one. The server checks the rest. */
const operationIn = (text: string): Operation | undefined => {
  try {
    const value: Operation | null = JSON.parse(text)
    if (value === null) return undefined
    const texts = "method" in value ? [value.method, value.path] : [value.type, value.action]
    return texts.every((one) => typeof one === "string") ? value : undefined
  } catch {
    return undefined
  }
}
