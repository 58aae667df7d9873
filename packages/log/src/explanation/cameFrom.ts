import { isJsonObject, type Json } from "@inlethq/core/values/Json"
import type { CallProvenanceDocument } from "@inlethq/contract/activity/CallProvenance"

/** Returns where the call of an entry came from, as labelled facts. Only facts that the call told are listed. */
export const cameFrom = ({
  bot,
  context = {},
  context_omitted,
  geo,
  integrations,
  omitted,
}: CallProvenanceDocument): ReadonlyArray<readonly [label: string, text: string]> => {
  const facts: ReadonlyArray<readonly [string, ReadonlyArray<string | undefined>]> = [
    ["page", [pageOf(context)]],
    ["title", [textIn(context, "page", "title")]],
    ["referrer", [referrerOf(context)]],
    ["campaign", campaignKeys.map((key) => textIn(context, "campaign", key))],
    ["app", [appOf(context)]],
    ["device", [deviceOf(context)]],
    ["system", [textIn(context, "os", "name"), textIn(context, "os", "version")]],
    ["address", [textIn(context, "ip")]],
    ["place", [geo?.city, geo?.region, geo?.country]],
    ["locale", [textIn(context, "locale"), textIn(context, "timezone")]],
    ["user agent", [textIn(context, "userAgent")]],
    ["library", [textIn(context, "library", "name"), textIn(context, "library", "version")]],
    ["bot", [bot === true ? "yes, by its user agent" : undefined]],
    ["integrations", [integrations === undefined ? undefined : JSON.stringify(integrations)]],
    ["too large", context_omitted ?? []],
    ["left out", omitted ?? []],
  ]
  return facts.flatMap(([label, texts]) => {
    const told = texts.filter((text) => text !== undefined && text !== "")
    return told.length === 0
      ? []
      : [[label, told.join(told.length > 1 && isList(label) ? ", " : " ")] as const]
  })
}

const campaignKeys = ["name", "source", "medium", "term", "content"]

const isList = (label: string): boolean => ["campaign", "place", "too large", "left out"].includes(label)

type Context = NonNullable<CallProvenanceDocument["context"]>

/** The address of the page on which a call was made, or its path. */
export const pageOf = (context: Context): string | undefined =>
  textAt(context, "page", "url") ?? textAt(context, "page", "path")

/** The name and the version of the app in which a call was made. */
export const appOf = (context: Context): string | undefined =>
  joined([textAt(context, "app", "name"), textAt(context, "app", "version")])

/** The maker, the model and the type of the device on which a call was made. */
export const deviceOf = (context: Context): string | undefined =>
  joined(["manufacturer", "model", "type"].map((key) => textAt(context, "device", key)))

const joined = (texts: ReadonlyArray<string | undefined>): string | undefined => {
  const told = texts.filter((text) => text !== undefined)
  return told.length === 0 ? undefined : told.join(" ")
}

const textAt = (context: Context, ...path: ReadonlyArray<string>): string | undefined => {
  const text = textIn(context, ...path)
  return text === "" ? undefined : text
}

const referrerOf = (context: Context): string | undefined =>
  textIn(context, "page", "referrer") ?? textIn(context, "referrer", "url") ?? textIn(context, "referrer")

/** Returns the text or the number at a path of a context. */
export const textIn = (context: Context, ...path: ReadonlyArray<string>): string | undefined => {
  let value: Json | undefined = context
  for (const key of path) value = isJsonObject(value) && Object.hasOwn(value, key) ? value[key] : undefined
  return typeof value === "string" ? value : typeof value === "number" ? String(value) : undefined
}
