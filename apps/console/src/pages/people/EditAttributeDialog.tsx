import { useMutation, useQueryClient } from "@tanstack/react-query"
import { useState } from "react"
import { applyOperation } from "../../shared/applyOperation.ts"
import { Field } from "../../shared/Field.tsx"
import { FormDialog } from "../../shared/FormDialog.tsx"
import { editableText, parseValue, typeOf } from "./attributeText.ts"

interface EditAttributeDialogProps {
  readonly w: string
  readonly personId: string
  /** The name of the attribute. Empty if the dialog adds a new attribute. */
  readonly name: string
  readonly value: unknown
  readonly onClose: () => void
}

/** Sets one attribute of a person. The activity log records the change with the source `management`. */
export const EditAttributeDialog = ({ name, onClose, personId, value, w }: EditAttributeDialogProps) => {
  const queries = useQueryClient()
  const [typedName, setTypedName] = useState(name)
  const [text, setText] = useState(() => editableText(value))
  const parsed = parseValue(text)
  const save = useMutation({
    mutationFn: () =>
      applyOperation(w, {
        type: "person",
        action: "identify",
        identifiers: { svc_id: personId },
        attributes: { [typedName.trim()]: JSON.parse(JSON.stringify(parsed)) },
      }),
    onSuccess: async () => {
      await queries.invalidateQueries({ queryKey: [w, "people"] })
      onClose()
    },
  })
  return (
    <FormDialog
      action={save}
      isComplete={typedName.trim() !== ""}
      onClose={onClose}
      submit="Save attribute"
      title={name === "" ? "Set attribute" : `Edit ${name}`}
    >
      {name === "" ? (
        <Field
          autoComplete="off"
          autoFocus
          label="Attribute"
          onChange={(event) => setTypedName(event.target.value)}
          required
          spellCheck={false}
          value={typedName}
        />
      ) : null}
      <Field
        autoComplete="off"
        autoFocus={name !== ""}
        className="font-mono text-xs"
        help={`The value is saved as ${typeOf(parsed)}. Quotes around a text keep it a string, such as "12". Later calls of clients can change the attribute again.`}
        label="Value"
        onChange={(event) => setText(event.target.value)}
        spellCheck={false}
        value={text}
      />
    </FormDialog>
  )
}
