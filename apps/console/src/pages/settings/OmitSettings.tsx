import { useId } from "react"
import { CheckField } from "../../shared/fields/CheckField.tsx"
import { Group } from "./Group.tsx"
import { linesIn, type WorkspaceEdits } from "./useWorkspaceEdits.ts"

interface OmitSettingsProps {
  readonly edits: WorkspaceEdits
}

const presets = [
  {
    name: "url-tokens",
    label: "Leave out tokens and passwords in URLs",
    help: "Such as access_token, code and signature in the query of a page.",
  },
  {
    name: "url-query",
    label: "Leave out the query strings of URLs",
    help: "https://example.com/search?q=… becomes https://example.com/search.",
  },
] as const

/** The settings that decide what is taken out of calls before anything is stored, and what becomes of the calls of bots. */
export const OmitSettings = ({ edits: { edit, editText, shown, text } }: OmitSettingsProps) => {
  const id = useId()
  const omitted = text("omit")
  const lines = linesIn(omitted)
  return (
    <Group
      help="Taken out of calls before anything of them is stored, also out of rejected ones. What was stored before stays as it is."
      title="Left out of calls"
    >
      {presets.map(({ help, label, name }) => (
        <CheckField
          checked={lines.includes(name)}
          help={help}
          key={name}
          label={label}
          onChange={(isOn) => {
            const others = lines.filter((line) => line !== name)
            editText("omit", (isOn ? [...others, name] : others).join("\n"))
          }}
        />
      ))}
      <div className="space-y-1">
        <label className="block text-sm font-medium" htmlFor={id}>
          Left out, one a line
        </label>
        <textarea
          aria-describedby={`${id}-help`}
          className="w-full rounded-md border border-line-strong bg-raised px-2 py-1 font-mono text-sm disabled:cursor-not-allowed disabled:border-line disabled:text-muted"
          id={id}
          onChange={(event) => editText("omit", event.target.value)}
          rows={Math.max(3, omitted.split("\n").length)}
          spellCheck={false}
          value={omitted}
        />
        <p className="text-xs text-muted" id={`${id}-help`}>
          Up to 50 paths, such as context.page.search, properties.card and traits.ssn. A dot inside a key is
          written with a backslash before it.
        </p>
      </div>
      <CheckField
        checked={shown.bots === "ignore"}
        help="A bot is known by its user agent. If this is off, the entries of its calls say so."
        label="Ignore the calls of bots"
        onChange={(isOn) => edit({ bots: isOn ? "ignore" : "mark" })}
      />
    </Group>
  )
}
