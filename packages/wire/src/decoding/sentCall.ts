import type { Command } from "@inlethq/core/Command"
import type { RejectOperation } from "@inlethq/core/operation/commands"
import {
  rejectedDataMax,
  userAgentCharactersMax,
  wordsIn,
  type SentCall,
} from "@inlethq/core/log/RejectedCall"
import type { Identifier } from "@inlethq/core/values/Identifier"
import { exceedsBytes, isJsonObject, type Json } from "@inlethq/core/values/Json"
import { keptAddress } from "./ipAddress.ts"
import { withKeptAddress } from "./keptProvenance.ts"
import { identifierOf, isStorable, withLeftOut } from "./leftOut.ts"
import { withChangedValues } from "./readOtherwise.ts"
import { omitsAnything, omitsOfContext } from "./Omitting.ts"
import type { Receipt } from "./Receipt.ts"
import type { UnreadableBody } from "./unreadableBody.ts"

/**
 * Adds to a command what its log entry keeps of the item, which must be an object to be kept: the values that decoding left
 * out, and the call itself of a command that is refused, or that deciding may refuse (contract §16 *rejected calls*).
 */
export const withSent = <C extends Command>(receipt: Receipt, command: C, sent: unknown): C => {
  const item = isJsonObject(sent) ? sent : null
  if (command._tag === "RejectOperation") return withCall(receipt, command, item)
  const whole = withLeftOut(withChangedValues(command, item), item)
  return mayBeRefused(whole) ? withCall(receipt, whole, item) : whole
}

/** Returns whether deciding may refuse a command: every one if the workspace may be full. */
const mayBeRefused = ({ _tag, workspace }: Command): boolean =>
  _tag === "SubmitForm" || _tag === "ChangeMembership" || workspace.recordsMax !== null

const withCall = <C extends Command>(receipt: Receipt, command: C, item: Json): C =>
  command.sent === undefined ? { ...command, sent: sentCall(receipt, item) } : command

/**
 * Adds to a refused command what its log entry keeps of a body that is no JSON (contract §4). Nothing is kept of its text if the
 * workspace omits anything, since it cannot be found in there.
 */
export const withUnreadable = (
  receipt: Receipt,
  command: RejectOperation,
  { beginning, cutFrom }: UnreadableBody,
): RejectOperation => {
  const sent = sentCall(receipt, null)
  if (omitsAnything(receipt.workspace)) return { ...command, sent }
  return {
    ...command,
    sent: {
      ...sent,
      identifiers: [...sent.identifiers, ...identifiersInText(beginning)],
      call: { ...sent.call, data: beginning, cutFrom },
    },
  }
}

/** The largest number of words of an unreadable body that are looked up as identifiers. */
const wordsMax = 64

/** Any word may be an identifier, because it is unknown what it stands for. */
const identifiersInText = (text: string): ReadonlyArray<Identifier> =>
  wordsIn(text)
    .slice(0, wordsMax)
    .flatMap((value) => [
      { kind: "id", value } as const,
      { kind: "email", value } as const,
      { kind: "anonymous_id", value } as const,
    ])

const sentCall = (receipt: Receipt, item: Json): SentCall => {
  const { client, workspace } = receipt
  const { ip, limits, openedBy } = workspace
  const address = client?.address ?? null
  const text = isStorable(item) ? JSON.stringify(withoutAddress(receipt, item), withoutCredentials) : null
  const fits = text !== null && text.length <= rejectedDataMax
  const form = omitsAnything(workspace) ? formInPath(client?.path ?? "") : undefined
  return {
    name: nameIn(item, limits.eventNameBytesMax),
    identifiers: [...identifiersInPath(client?.path ?? ""), ...identifiersIn(item)],
    ...(form !== undefined && { form }),
    call: {
      path: client?.path ?? null,
      key: openedBy ?? null,
      userAgent: omitsOfContext(workspace, "userAgent")
        ? null
        : (client?.userAgent?.slice(0, userAgentCharactersMax) ?? null),
      address:
        address === null || omitsOfContext(workspace, "ip") ? null : (keptAddress(ip, address) ?? null),
      data: fits ? JSON.parse(text) : null,
      cutFrom: fits || text === null ? null : text.length,
      ...(client?.strict === true && { strict: true }),
    },
  }
}

/** Of the address in the context of a Pipelines call, the same is kept as of every other address. */
const withoutAddress = ({ source, workspace }: Receipt, item: Json): Json => {
  const context = source === "pipelines" && isJsonObject(item) ? item["context"] : undefined
  return isJsonObject(item) && isJsonObject(context)
    ? { ...item, context: withKeptAddress(workspace.ip, context) }
    : item
}

/** Keys of credentials, in lower case without separators. Their values are never stored. */
const credentials = new Set(["writekey", "apikey", "siteid", "authorization"])

const withoutCredentials = (key: string, value: unknown): unknown =>
  credentials.has(key.replaceAll(/[_-]/g, "").toLowerCase()) ? undefined : value

const nameIn = (item: Json, bytesMax: number): string | null => {
  if (!isJsonObject(item)) return null
  for (const name of [item["event"], item["name"]]) {
    const trimmed = typeof name === "string" ? name.trim() : ""
    if (trimmed !== "" && !exceedsBytes(trimmed, bytesMax)) return trimmed
  }
  return null
}

/** The largest number of levels of an item that are searched for identifiers. */
const levelsMax = 3

const identifiersIn = (item: Json, level = 0): ReadonlyArray<Identifier> =>
  !isJsonObject(item) || level > levelsMax
    ? []
    : Object.entries(item).flatMap(([key, value]) => {
        const identifier = identifierOf(key, value)
        return identifier === undefined ? identifiersIn(value, level + 1) : [identifier]
      })

/** Decodes a segment of a path, which may be refused because it cannot be decoded. */
const decoded = (segment: string): string => {
  try {
    return decodeURIComponent(segment)
  } catch {
    return segment
  }
}

const customerPath = /\/customers\/([^/]+)/

const identifiersInPath = (path: string): ReadonlyArray<Identifier> => {
  const segment = customerPath.exec(path)?.[1]
  if (segment === undefined) return []
  const value = decoded(segment)
  return [
    { kind: "id", value },
    { kind: "email", value },
  ]
}

const formPath = /\/forms\/([^/]+)\/submit$/

const formInPath = (path: string): string | undefined => {
  const segment = formPath.exec(path)?.[1]
  return segment === undefined ? undefined : decoded(segment)
}
