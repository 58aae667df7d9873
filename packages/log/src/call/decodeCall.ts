import type { Command } from "@inlethq/core/Command"
import type { Receipt } from "@inlethq/wire/decoding/Receipt"
import type { Call } from "./Call.ts"
import { routesTo } from "./routes.ts"

/**
 * Decodes a call as its API does. Returns null if no API has its path and its method. The commands carry the source of that
 * API.
 */
export const decodeCall = (
  receipt: Omit<Receipt, "source" | "batchIndex">,
  { body, method, path }: Pick<Call, "method" | "path" | "body">,
): ReadonlyArray<Command> | null => {
  const [place = "", query = ""] = path.split("?", 2)
  const found = routesTo(place).find(({ route }) => route.method === method)
  if (found === undefined) return null
  const { parameters, route } = found
  return route.decode({ ...receipt, source: route.protocol, batchIndex: null }, { parameters, query, body })
}
