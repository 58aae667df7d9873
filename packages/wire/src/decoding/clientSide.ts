import { isJsonObject, type JsonObject } from "@inlethq/core/values/Json"
import type { Client } from "./Receipt.ts"

/** The names of libraries for browsers and apps, with which their `User-Agent` begins too. */
const clientSideLibrary =
  /^(analytics(\.js|-(ios|swift|android|kotlin|react-native|flutter))|@segment\/analytics-react-native|customer\.io (ios|android|react ?native|flutter|expo) client|rudder(labs javascript sdk|-ios-library|-react-native|-flutter)|com\.rudderstack\.android\.sdk)/i

/**
 * Returns whether a call was sent by the browser or the app of the person whom it is about: by a page of another origin, or by a
 * library that runs only there. The address of such a request is theirs.
 */
export const isClientSide = ({ hasOrigin, userAgent }: Client, context: JsonObject): boolean => {
  if (hasOrigin === true || (userAgent !== null && clientSideLibrary.test(userAgent))) return true
  const { library, userAgent: told } = context
  const name = isJsonObject(library) ? library["name"] : undefined
  return isClientSideName(name) || isClientSideName(told)
}

const isClientSideName = (name: unknown): boolean => typeof name === "string" && clientSideLibrary.test(name)
