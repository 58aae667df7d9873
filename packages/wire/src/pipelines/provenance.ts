import type { Command } from "@inlethq/core/Command"
import type { Provenance } from "@inlethq/core/log/Provenance"
import type { ReadOtherwise } from "@inlethq/core/log/KeptValue"
import { isJsonObject, setKey, type Json, type JsonObject } from "@inlethq/core/values/Json"
import type { Workspace } from "@inlethq/core/workspace/Workspace"
import { isClientSide } from "../decoding/clientSide.ts"
import { isAbsent, isEmptyArray } from "../decoding/fieldValues.ts"
import { addressIn, keptAddress } from "../decoding/ipAddress.ts"
import { isEmpty, keptProvenance } from "../decoding/keptProvenance.ts"
import { withReadOtherwise } from "../decoding/readOtherwise.ts"
import type { Client } from "../decoding/Receipt.ts"
import { omitsOfContext } from "../decoding/Omitting.ts"
import { objectOr, type Call } from "./Call.ts"
import { isBot } from "./isBot.ts"

/** Adds to the command of a call where the call came from. */
export const withProvenance = <C extends Command>(call: Call, command: C): C => {
  if (command._tag === "RejectOperation") return command
  const { client, workspace } = call.receipt
  const context = sentContext(call)
  const address = clientAddress(workspace, client, context)
  const geo = placeOf(workspace, client, address ?? context["ip"])
  const provenance = keptProvenance(workspace, {
    context: address === undefined ? context : withAddress(workspace, context, address),
    ...(geo !== undefined && { geo }),
    integrations: sentIntegrations(call),
    ...(isOfBot(call, client) && { bot: true }),
  })
  const told = provenance === undefined ? command : { ...command, provenance }
  const otherwise = readOtherwise(call)
  return otherwise === none ? told : withReadOtherwise(told, otherwise)
}

/**
 * Returns whether the user agent in the context is that of a bot. If the context has none and a browser sent the call, that of the
 * request counts; libraries of servers and apps have user agents of their own.
 */
const isOfBot = ({ body, userAgent }: Call, client: Client | undefined): boolean => {
  if (typeof userAgent === "string") return isBot(userAgent)
  const sent = client?.userAgent ?? null
  if (client === undefined || sent === null || !sent.startsWith("Mozilla/")) return false
  return isClientSide(client, objectOr(body["context"], noContext)) && isBot(sent)
}

const noContext: JsonObject = {}

/** The address of the request, for a context without one, if the browser or the app of the person sent it. */
const clientAddress = (
  workspace: Pick<Workspace, "context" | "omit">,
  client: Client | undefined,
  context: JsonObject,
): string | undefined =>
  workspace.context === "off" ||
  omitsOfContext(workspace, "ip") ||
  client === undefined ||
  client.address === null ||
  !isAbsent(context["ip"]) ||
  !isClientSide(client, context)
    ? undefined
    : client.address

const withAddress = (
  { ip: setting }: Pick<Workspace, "ip">,
  context: JsonObject,
  address: string,
): JsonObject => {
  const ip = keptAddress(setting, address)
  return ip === undefined ? context : { ...context, ip }
}

/** The place of an address, which is looked up before the address is cut. */
const placeOf = (
  { context: setting }: Pick<Workspace, "context">,
  client: Client | undefined,
  ip: Json | undefined,
): Provenance["geo"] => {
  if (client?.locate === undefined || setting === "off" || typeof ip !== "string") return undefined
  const address = addressIn(ip)
  return address === undefined ? undefined : client.locate(address)
}

/** The context of a call, over that of its batch by key (contract §13). */
const sentContext = ({ body, defaults }: Call): JsonObject => {
  const own = body["context"]
  if (!isJsonObject(own)) return defaults.context
  if (isEmpty(defaults.context)) return own
  const merged: { [key: string]: Json } = {}
  for (const [key, value] of Object.entries(defaults.context)) setKey(merged, key, value)
  for (const [key, value] of Object.entries(own)) setKey(merged, key, value)
  return merged
}

const sentIntegrations = ({ body, defaults }: Call): JsonObject => {
  const own = body["integrations"]
  return isJsonObject(own) ? own : defaults.integrations
}

const none: ReadonlyArray<ReadOtherwise> = []

/** What is no object is read as an empty one, and named. An empty list is one in PHP's spelling (contract §4). */
const readOtherwise = ({ body }: Call): ReadonlyArray<ReadOtherwise> =>
  isObjectOrAbsent(body["context"]) && isObjectOrAbsent(body["integrations"])
    ? none
    : (["context", "integrations"] as const).flatMap((path) => {
        const sent = body[path] ?? null
        return isObjectOrAbsent(sent) ? [] : [{ path, sent, kept: {}, why: "not_an_object" } as const]
      })

const isObjectOrAbsent = (value: Json | undefined): boolean =>
  isJsonObject(value) || isAbsent(value) || isEmptyArray(value)
