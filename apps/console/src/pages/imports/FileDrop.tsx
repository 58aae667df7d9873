import { useState, type DragEvent } from "react"
import { Code } from "../../shared/values/Code.tsx"
import { Icon } from "../../shared/buttons/Icon.tsx"
import type { ImportKind } from "./csvHeader.ts"

const examples: Readonly<Record<ImportKind, string>> = {
  people: "id,email,plan,created_at\nada,ada@example.com,pro,1735689600\nbob,bob@example.com,free,1735776000",
  events:
    "_svc_name,_svc_customer_id,_svc_timestamp,total\norder_placed,ada,1735689600,12.50\norder_placed,bob,1735776000,8.00",
}

const rules: Readonly<Record<ImportKind, string>> = {
  people: "The first line names the columns. One of them must be id or email. All others become attributes.",
  events:
    "The first line names the columns. _svc_name and _svc_customer_id are required, and _svc_timestamp is optional. All others become data of the event.",
}

interface FileDropProps {
  readonly kind: ImportKind
  readonly onFile: (file: File) => void
}

/** An area on which the operator drops a CSV file, with a button that chooses a file. */
export const FileDrop = ({ kind, onFile }: FileDropProps) => {
  const [isOver, setOver] = useState(false)
  const onDrop = (event: DragEvent) => {
    event.preventDefault()
    setOver(false)
    const [file] = event.dataTransfer.files
    if (file !== undefined) onFile(file)
  }
  return (
    <>
      <label
        className={`flex h-32 cursor-pointer flex-col items-center justify-center gap-2 rounded-md border border-dashed border-line-strong px-4 text-center text-sm has-focus-visible:outline-2 has-focus-visible:outline-accent ${isOver ? "bg-selected" : "hover:bg-hover"}`}
        onDragLeave={() => setOver(false)}
        onDragOver={(event) => {
          event.preventDefault()
          setOver(true)
        }}
        onDrop={onDrop}
      >
        <input
          accept=".csv,text/csv"
          className="sr-only"
          onChange={(event) => {
            const file = event.target.files?.[0]
            if (file !== undefined) onFile(file)
          }}
          type="file"
        />
        <Icon className="text-faint" name="imports" />
        <span>
          Drop a CSV file of {kind} here, or <span className="text-accent">choose a file</span>
        </span>
      </label>
      <p className="text-sm text-muted">{rules[kind]} For example:</p>
      <Code label={`Example of a file of ${kind}`} text={examples[kind]} />
    </>
  )
}
