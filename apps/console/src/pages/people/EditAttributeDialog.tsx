import { useMutation, useQueryClient } from "@tanstack/react-query"
import { useState } from "react"
import { applyOperation } from "../../shared/dialogs/applyOperation.ts"
import { Button } from "../../shared/buttons/Button.tsx"
import { Field } from "../../shared/fields/Field.tsx"
import { FormDialog } from "../../shared/dialogs/FormDialog.tsx"
import { editableText, parseValue, typeOf } from "./attributeText.ts"

interface EditAttributeDialogProps {
  readonly w: string
  readonly personId: string
  /** The name of the attribute. Empty if the dialog adds a new attribute. */
  readonly name: string
  readonly value: unknown
  readonly onClose: () => void
}

/** The value that removes an attribute, as clients send it. */
const removed = ""

/** Sets or removes one attribute of a person. The activity log records the change with the source `management`. */
export const EditAttributeDialog = ({ name, onClose, personId, value, w }: EditAttributeDialogProps) => {
  const queries = useQueryClient()
  const [typedName, setTypedName] = useState(name)
  const [text, setText] = useState(() => editableText(value))
  const parsed = parseValue(text)
  const save = useMutation({
    mutationFn: (set: unknown) =>
      applyOperation(
        w,
        {
          type: "person",
          action: "identify",
          identifiers: { svc_id: personId },
          attributes: { [typedName.trim()]: JSON.parse(JSON.stringify(set)) },
        },
        `${typedName.trim()} was ${set === removed ? "removed" : "saved"}.`,
      ),
    onSuccess: async () => {
      onClose()
      await queries.invalidateQueries({ queryKey: [w, "people"] })
    },
  })
  return (
    <FormDialog
      action={{ ...save, mutate: () => save.mutate(parsed) }}
      actions={
        name === "" ? null : (
          <Button
            className="mr-auto"
            disabled={save.isPending}
            onClick={() => save.mutate(removed)}
            tone="danger"
          >
            Remove attribute
          </Button>
        )
      }
      isComplete={typedName.trim() !== "" && parsed !== removed}
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
