import type { PersonDocument } from "@inlet/api/management/People"
import { useQuery } from "@tanstack/react-query"
import { useState } from "react"
import { Field } from "./Field.tsx"
import { findPeople } from "./findPeople.ts"
import { personName } from "./personName.ts"

/** The largest number of people that the search shows. */
const foundMax = 5

interface PersonPickerProps {
  readonly w: string
  readonly label: string
  /** The `svc_id` of a person who cannot be chosen. */
  readonly except?: string
  readonly onPick: (person: PersonDocument) => void
}

/** Searches people as the operator types. A click chooses a person. */
export const PersonPicker = ({ except, label, onPick, w }: PersonPickerProps) => {
  const [text, setText] = useState("")
  const found = useQuery({
    queryKey: [w, "people", "find", text],
    queryFn: async ({ signal }) => (await findPeople(w, text.trim(), {}, signal)).items,
    enabled: text.trim() !== "",
  })
  const others = (found.data ?? []).filter(({ svc_id }) => svc_id !== except).slice(0, foundMax)
  return (
    <div className="space-y-4">
      <Field
        autoComplete="off"
        autoFocus
        error={found.error?.message}
        help="The start of an id or email, a svc_id, or an anonymous id."
        label={label}
        onChange={(event) => setText(event.target.value)}
        spellCheck={false}
        value={text}
      />
      <ul aria-label="People found" className="min-h-40">
        {others.map((person) => (
          <li key={person.svc_id}>
            <button
              className="flex h-8 w-full items-center gap-3 rounded-md px-2 text-left text-sm hover:bg-hover pointer-coarse:h-10"
              onClick={() => onPick(person)}
              type="button"
            >
              <span className="truncate">{personName(person)}</span>
              <span className="ml-auto font-mono text-xs text-faint">{person.svc_id}</span>
            </button>
          </li>
        ))}
        {found.isSuccess && others.length === 0 ? (
          <li className="px-2 text-sm text-muted">Nobody was found.</li>
        ) : null}
      </ul>
    </div>
  )
}
