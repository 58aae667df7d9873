import { useState } from "react"
import { api } from "../../api/generated.ts"
import { ChoiceField } from "../../shared/fields/ChoiceField.tsx"
import { Field } from "../../shared/fields/Field.tsx"
import { FormDialog } from "../../shared/dialogs/FormDialog.tsx"
import { useChange } from "../../shared/dialogs/useChange.ts"

interface StartLakeDialogProps {
  readonly w: string
  readonly onClose: () => void
}

const targets = [
  { value: "folder", label: "A folder", help: "On the machine of the server." },
  { value: "s3", label: "A bucket", help: "Of any storage that speaks the S3 protocol." },
] as const

/** The fields of a bucket, with an example of each. */
const bucketFields = [
  ["endpoint", "Endpoint", "https://s3.eu-central-1.amazonaws.com"],
  ["region", "Region", "eu-central-1"],
  ["access_key_id", "Access key id", ""],
  ["secret_access_key", "Secret access key", ""],
] as const

type BucketField = (typeof bucketFields)[number][0]

const emptyBucket: Readonly<Record<BucketField, string>> = {
  endpoint: "",
  region: "",
  access_key_id: "",
  secret_access_key: "",
}

/** Asks where a lake shall be written, and starts it. */
export const StartLakeDialog = ({ onClose, w }: StartLakeDialogProps) => {
  const [target, setTarget] = useState<"folder" | "s3">("folder")
  const [url, setUrl] = useState("")
  const [bucket, setBucket] = useState(emptyBucket)
  const start = useChange({
    call: () =>
      api.workspaces.update(w, { lake: target === "folder" ? { target, url } : { target, url, ...bucket } }),
    outdates: [w, "lake"],
    onDone: onClose,
  })
  const isComplete =
    url !== "" && (target === "folder" || Object.values(bucket).every((value) => value !== ""))
  return (
    <FormDialog
      action={start}
      isComplete={isComplete}
      onClose={onClose}
      submit="Start the lake"
      title="Start a lake"
    >
      <ChoiceField
        choices={targets}
        label="Where the files are written"
        onChange={setTarget}
        value={target}
      />
      <Field
        autoComplete="off"
        help={target === "folder" ? "An absolute path." : "The bucket, and the prefix of all keys."}
        label={target === "folder" ? "Folder" : "Bucket"}
        onChange={(event) => setUrl(event.target.value.trim())}
        placeholder={target === "folder" ? "/var/lib/inlet/lake" : "s3://events/inlet"}
        spellCheck={false}
        value={url}
      />
      {target === "folder"
        ? null
        : bucketFields.map(([name, label, example]) => (
            <Field
              autoComplete="off"
              key={name}
              label={label}
              onChange={(event) => setBucket({ ...bucket, [name]: event.target.value.trim() })}
              placeholder={example}
              spellCheck={false}
              type={name === "secret_access_key" ? "password" : "text"}
              value={bucket[name]}
            />
          ))}
    </FormDialog>
  )
}
