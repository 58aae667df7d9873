import type { Command } from "@inlethq/core/Command"
import { kindOf } from "@inlethq/core/CommandTable"
import { keptValues, type ReadOtherwise } from "@inlethq/core/log/KeptValue"
import type { Fault } from "@inlethq/core/log/Outcome"
import { placeholderNamed, type Placeholder } from "@inlethq/core/placeholderNamed"
import type { RejectOperation } from "@inlethq/core/operation/commands"
import type { Json } from "@inlethq/core/values/Json"
import type { Workspace } from "@inlethq/core/workspace/Workspace"
import { Result } from "effect"
import type { Receipt } from "./Receipt.ts"
import { reject } from "./reject.ts"
import { changedIn } from "./sentText.ts"
import { identifierTexts, valueTexts } from "../texts/wireTexts.ts"

/** Returns a command with further values that its decoder read differently than they were sent. */
export const withReadOtherwise = <C extends Command>(command: C, read: ReadonlyArray<ReadOtherwise>): C =>
  read.length === 0 ? command : { ...command, keptAs: [...(command.keptAs ?? []), ...keptValues(read)] }

/**
 * Adds to a command which of the values that it stores were changed by parsing: integers that lost digits, and texts with
 * half a character, which are faults as well. Costs one look for an item in which nothing was changed.
 */
export const withChangedValues = <C extends Command>(command: C, item: Json): C => {
  const changed = changedIn(item).filter(
    ({ path }) => isStored(command, path) && !command.faults.some((fault) => isPartOf(path, fault.field)),
  )
  if (changed.length === 0) return command
  const read = changed.map(({ path, sent, value, why }): ReadOtherwise => ({
    path,
    sent,
    kept: typeof value === "number" || typeof value === "string" ? value : null,
    why,
  }))
  const broken = changed.filter(({ why }) => why === "characters")
  const faults = broken.map(({ path, sent }): Fault => ({ ...valueTexts.halfCharacter(path), value: sent }))
  return withReadOtherwise(
    faults.length === 0 ? command : { ...command, faults: [...command.faults, ...faults] },
    read,
  )
}

const isPartOf = (path: string, of: string): boolean => path === of || path.startsWith(`${of}.`)

/** Names of times. A time of 2^53 or more is read as nanoseconds, and none of its digits matter. */
const times: ReadonlySet<string> = new Set([
  "timestamp",
  "_timestamp",
  "created_at",
  "createdAt",
  "last_used",
])

/** Where an item has values that are stored, by the API that it belongs to. */
const storedIn: Readonly<Record<"track-v2" | "pipelines", ReadonlySet<string>>> = {
  "track-v2": new Set(["attributes", "data", "device", "name", "svc_relationships", "cio_relationships"]),
  pipelines: new Set(["traits", "properties", "objectAttributes", "event", "name", "category"]),
}

const relationshipTraits = /^(?:relationship_?traits|relationship_?attributes)$/i

/** Returns whether a value at a path of an item is stored with the command that was decoded from it. */
const isStored = ({ _tag, source, workspace }: Command, path: string): boolean => {
  const [root = ""] = path.split(".", 1)
  if (times.has(path.slice(path.lastIndexOf(".") + 1))) return false
  switch (source) {
    case "track-v1":
      if (_tag === "IdentifyPerson") return true
      if (_tag === "AddDevice") return root === "device"
      return _tag === "SubmitForm" ? root === "data" : _tag === "RecordEvent" && root !== "id"
    case "track-v2":
      return storedIn[source].has(root)
    case "pipelines":
      return (
        storedIn[source].has(root) ||
        relationshipTraits.test(root) ||
        (root === "context" && isStoredContext(workspace, path)) ||
        root === "integrations"
      )
    case "csv":
    case "management":
    case "system":
      return false
  }
}

/** The traits and the device of a context are read even if the workspace keeps no context. An address may be cut. */
const isStoredContext = ({ context, ip }: Workspace, path: string): boolean =>
  (context === "keep" && (ip === "keep" || path !== "context.ip")) ||
  path.startsWith("context.traits.") ||
  path.startsWith("context.device.")

/**
 * Refuses a command that names somebody or something by a text with half a character, because two such texts could not be
 * told apart once the half is replaced.
 */
export const refuseBroken = (
  receipt: Receipt,
  decoded: Result.Result<Command, RejectOperation>,
  item: unknown,
): Result.Result<Command, RejectOperation> => {
  if (Result.isFailure(decoded)) return decoded
  const command = decoded.success
  const placeholder = refusedPlaceholder(command)
  if (placeholder !== null) {
    const fault = identifierTexts.placeholder(placeholder.kind)
    return Result.fail(reject(receipt, kindOf(command), [fault], command.deduplicationKey))
  }
  const broken = changedIn(item).filter(
    ({ path, why }) => why === "characters" && isIdentifier(command, path),
  )
  if (broken.length === 0) return decoded
  const faults = broken.map(({ path }) => identifierTexts.halfCharacter(path))
  const key = broken.some(({ path }) => path === "id" || path === "messageId")
    ? null
    : command.deduplicationKey
  return Result.fail(reject(receipt, kindOf(command), faults, key))
}

/**
 * Returns the placeholder in a command if its workspace refuses them, or null. A person who has one can still be deleted and
 * suppressed.
 */
export const refusedPlaceholder = (command: Command): Placeholder | null => {
  if (command.workspace.placeholderIds === "mark") return null
  if (/^(?:Delete|Suppress|Unsuppress)Person$/.test(command._tag)) return null
  return placeholderNamed(command)
}

/** The places of an item that hold identifiers and nothing else. */
const identifierPlaces = /(?:^|\.)(?:identifiers|primary|secondary)$/

const topNames: ReadonlySet<string> = new Set([
  "id",
  "svc_id",
  "cio_id",
  "anonymous_id",
  "userId",
  "anonymousId",
  "previousId",
  "groupId",
  "messageId",
])

/** Names of identifiers among the attributes of a person. An email with half a character is no email, so it is left out. */
const attributeNames: ReadonlySet<string> = new Set(["id", "svc_id", "cio_id", "anonymous_id", "objectId"])

const deviceNames: ReadonlySet<string> = new Set(["id", "token"])

const isIdentifier = ({ _tag }: Command, path: string): boolean => {
  const end = path.lastIndexOf(".")
  const place = end < 0 ? "" : path.slice(0, end)
  const name = path.slice(end + 1)
  switch (place) {
    case "":
      return topNames.has(name)
    case "attributes":
    case "traits":
    case "context.traits":
      return _tag === "IdentifyPerson" && attributeNames.has(name)
    case "device":
    case "context.device":
    case "properties.device":
      return deviceNames.has(name)
    default:
      return identifierPlaces.test(place)
  }
}
