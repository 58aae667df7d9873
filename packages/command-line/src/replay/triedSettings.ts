import { WorkspaceDocument, WorkspacePatch } from "@inlethq/contract/workspaces/Workspaces"
import { Effect, Schema } from "effect"
import { WrongOption } from "../texts/commandErrors.ts"
import { cliTexts } from "../texts/cliTexts.ts"

const settingNames = [
  "bots",
  "identifiers",
  "email_update_by_id",
  "event_merging",
  "placeholder_ids",
  "context",
  "omit",
  "ip",
  "records_max",
  "unknown_events",
]
const limitNames = Object.keys(WorkspaceDocument.fields.limits.fields)

const decodePatch = Schema.decodeUnknownEffect(WorkspacePatch)

/** Returns the settings of a workspace that decide what becomes of a call, without those of its name and what it sends on. */
export const decidingSettings = ({
  bots,
  context,
  email_update_by_id,
  event_merging,
  identifiers,
  ip,
  limits,
  omit,
  placeholder_ids,
  records_max,
  region,
}: WorkspaceDocument): WorkspacePatch => ({
  bots,
  context,
  email_update_by_id,
  event_merging,
  identifiers,
  ip,
  limits,
  omit,
  placeholder_ids,
  records_max,
  region,
})

/** Reads settings such as `email_update_by_id=true`, `identifiers=email` and `attributes_per_person=50`. */
export const triedSettings = Effect.fnUntraced(function* (given: Readonly<Record<string, string>>) {
  const settings: Record<string, unknown> = {}
  const limits: Record<string, unknown> = {}
  for (const [name, text] of Object.entries(given)) {
    if (limitNames.includes(name)) limits[name] = valueOf(text)
    else if (name === "identifiers" || name === "omit") settings[name] = text.split(",")
    else if (settingNames.includes(name)) settings[name] = valueOf(text)
    else {
      const names = [...settingNames, ...limitNames].join(", ")
      return yield* new WrongOption({ message: cliTexts.unknownSetting({ name, names }) })
    }
  }
  const patch = { ...settings, ...(Object.keys(limits).length > 0 && { limits }) }
  return yield* decodePatch(patch).pipe(
    Effect.mapError(({ message }) => {
      const problem = message.replaceAll(/\s+/g, " ")
      return new WrongOption({ message: cliTexts.wrongSetting({ problem }) })
    }),
  )
})

const valueOf = (text: string): unknown => {
  if (text === "unlimited") return null
  if (text === "true" || text === "false") return text === "true"
  return /^\d{1,15}$/.test(text) ? Number(text) : text
}
