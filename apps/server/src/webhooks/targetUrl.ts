import { Result } from "effect"
import { isAllowedAddress } from "./addressRules.ts"
import { parseIpAddress, type Subnet } from "./ipAddress.ts"
import { webhookTexts } from "./webhookTexts.ts"

/** Characters of a webhook's URL. */
const urlLengthMax = 2048

/** The name or the address that a URL leads to. */
const hostOf = (url: URL): string => (url.hostname.startsWith("[") ? url.hostname.slice(1, -1) : url.hostname)

/**
 * Parses the URL of a webhook. It must be an http or https URL without credentials. Returns a text that says what is wrong.
 */
export const parseTargetUrl = (text: string): Result.Result<URL, string> => {
  if (text.length > urlLengthMax) return Result.fail(webhookTexts.longUrl({ max: urlLengthMax }))
  const url = URL.parse(text)
  const isHttp = url?.protocol === "http:" || url?.protocol === "https:"
  if (url === null || !isHttp || url.hostname === "") return Result.fail(webhookTexts.wrongUrl())
  if (url.username !== "" || url.password !== "") return Result.fail(webhookTexts.urlCredentials())
  return Result.succeed(url)
}

/** Returns the address in a URL that names an address instead of a host; null otherwise. */
export const literalAddress = (url: URL): string | null => {
  const host = hostOf(url)
  return parseIpAddress(host) === undefined ? null : host
}

/** Returns whether a URL may be connected to. A URL with a host name may, because its addresses are checked later. */
export const isAllowedUrl = (url: URL, allowed: ReadonlyArray<Subnet>): boolean => {
  const address = literalAddress(url)
  return address === null || isAllowedAddress(address, allowed)
}
