import type { Command } from "./Command.ts"
import type { SentCall } from "./log/RejectedCall.ts"
import type { FieldMapping } from "./state/Form.ts"
import { isPreferencePath } from "./state/preferenceBounds.ts"
import { formText } from "./values/Identifier.ts"
import { isJsonObject } from "./values/Json.ts"
import { isOmitPreset, parseOmitPath } from "./workspace/OmitPath.ts"
import type { Workspace } from "./workspace/Workspace.ts"
import { subjectByText, type WorkingSet } from "./fold/WorkingSet.ts"
import { Result } from "effect"

/**
 * Leaves the fields out of a submission that set an attribute which the workspace omits (contract §13 *omit*), also out of what is
 * kept of it if it is refused. Decoding has left out those that have the name of such an attribute themselves.
 */
export const withoutOmittedFields = <C extends Command>(state: WorkingSet, command: C): C => {
  const { omit } = command.workspace
  if (omit.length === 0) return command
  const formId = command._tag === "SubmitForm" ? command.formId : command.sent?.form
  if (formId === undefined) return command
  const form = subjectByText(state, formText(formId))
  if (form?._tag !== "Form") return command
  const omitted = omittedBy(omit, form.mapping)
  return omitted.size === 0 ? command : withoutFields(command, omitted)
}

/** The fields that are left out, with the path that says so. */
type OmittedFields = ReadonlyMap<string, string>

const omittedBy = (omit: Workspace["omit"], mapping: FieldMapping): OmittedFields => {
  const fields = new Map<string, string>()
  for (const path of omit) {
    const parsed = isOmitPreset(path) ? undefined : Result.getOrUndefined(parseOmitPath(path))
    if (parsed?.root !== "traits") continue
    for (const [field, attribute] of mapping) {
      if (!fields.has(field) && isBelow(keysOf(attribute), parsed.keys)) fields.set(field, path)
    }
  }
  return fields
}

/** A field can set one of the subscription preferences, whose name is a path. */
const keysOf = (attribute: string): ReadonlyArray<string> =>
  isPreferencePath(attribute) ? attribute.split(".") : [attribute]

const isBelow = (keys: ReadonlyArray<string>, path: ReadonlyArray<string>): boolean =>
  path.every((key, index) => index < keys.length && branded(key) === branded(keys[index] ?? ""))

/** Replaces the prefix `cio_` of reserved names, as in requests. */
const branded = (name: string): string => name.replace(/^(_?)cio_/, "$1svc_")

const withoutFields = <C extends Command>(command: C, omitted: OmittedFields): C => {
  const { faults, keptAs, provenance, sent } = command
  const given = namesIn(command)
  const paths = [...omitted].flatMap(([field, path]) => (given.has(field) ? [path] : []))
  if (paths.length === 0) return command
  const isLeft = (path: string) => path.startsWith(dataStart) && omitted.has(path.slice(dataStart.length))
  return {
    ...command,
    ...(command._tag === "SubmitForm" && { fields: command.fields.filter(({ name }) => !omitted.has(name)) }),
    faults: faults.filter(({ field }) => !isLeft(field)),
    ...(keptAs !== undefined && { keptAs: keptAs.filter(({ path }) => !isLeft(path)) }),
    ...(sent !== undefined && { sent: withoutSent(sent, omitted) }),
    provenance: { ...provenance, omitted: [...new Set([...(provenance?.omitted ?? []), ...paths])] },
  }
}

const dataStart = "data."

const namesIn = (command: Command): ReadonlySet<string> => {
  const fields = command._tag === "SubmitForm" ? command.fields.map(({ name }) => name) : []
  return new Set([...fields, ...Object.keys(sentData(command.sent)).map(branded)])
}

const sentData = (sent: SentCall | undefined) => {
  const body = sent?.call.data
  const data = isJsonObject(body) ? body["data"] : undefined
  return isJsonObject(data) ? data : {}
}

const withoutSent = (sent: SentCall, omitted: OmittedFields): SentCall => {
  const { call } = sent
  if (!isJsonObject(call.data)) return sent
  const kept = Object.entries(sentData(sent)).filter(([name]) => !omitted.has(branded(name)))
  return { ...sent, call: { ...call, data: { ...call.data, data: Object.fromEntries(kept) } } }
}
