import { useState } from "react"
import { Code } from "../../shared/values/Code.tsx"
import { Field } from "../../shared/fields/Field.tsx"
import { snippetsFor, type Target } from "./snippets.ts"

interface SnippetChooserProps {
  readonly writeKey: string
}

const languageKey = "inlet.language"

/** A complete program in the language that the operator chooses. */
export const SnippetChooser = ({ writeKey }: SnippetChooserProps) => {
  const [chosen, setChosen] = useState(() => localStorage.getItem(languageKey) ?? "curl")
  const [address, setAddress] = useState(location.origin)
  const snippets = snippetsFor({ ...targetAt(address), writeKey })
  const snippet = snippets.find(({ id }) => id === chosen) ?? snippets[0]
  if (snippet === undefined) return null
  const choose = (id: string) => {
    localStorage.setItem(languageKey, id)
    setChosen(id)
  }
  return (
    <div className="space-y-3">
      <fieldset className="flex flex-wrap gap-1">
        <legend className="sr-only">Language</legend>
        {snippets.map(({ id, label }) => (
          <label
            className="flex h-8 cursor-pointer items-center rounded-md px-3 text-sm text-muted hover:bg-hover has-checked:bg-selected has-checked:font-medium has-checked:text-ink has-focus-visible:outline-2 has-focus-visible:outline-accent pointer-coarse:h-11"
            key={id}
          >
            <input
              checked={id === snippet.id}
              className="sr-only"
              name="language"
              onChange={() => choose(id)}
              type="radio"
            />
            {label}
          </label>
        ))}
      </fieldset>
      {snippet.install === null ? null : <Code label="Installation" text={snippet.install} />}
      <Code label={`Example for ${snippet.label}`} text={snippet.code} />
      <details className="text-sm">
        <summary className="text-muted hover:text-ink">Clients reach this server at another address</summary>
        <div className="max-w-96 pt-2">
          <Field
            help="The examples use this address. Changing the address changes nothing on the server."
            label="Address for clients"
            onChange={(event) => setAddress(event.target.value)}
            spellCheck={false}
            type="url"
            value={address}
          />
        </div>
      </details>
      {snippet.needsTls === true && address.startsWith("http:") ? (
        <p className="text-sm text-muted">
          This client sends over https only. Give the server a certificate with INLET_TLS_CERT and
          INLET_TLS_KEY, and open this page at its https address.
        </p>
      ) : null}
    </div>
  )
}

/** Returns a server's address in the forms that the code examples need. */
const targetAt = (address: string): Pick<Target, "url" | "host"> => {
  const url = address.trim().replace(/\/+$/, "")
  return { url, host: url.replace(/^https?:\/\//, "") }
}
