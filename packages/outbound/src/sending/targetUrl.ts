import { Result } from "effect"
import type { BlockList } from "node:net"
import { isAllowedAddress } from "../addressRules.ts"
import { ipVersion } from "../ipVersion.ts"
import { sendingTexts } from "./sendingTexts.ts"

/** The largest number of characters of a webhook's URL. */
const urlLengthMax = 2048

/** Returns the host name or the address in a URL, without brackets. */
const hostOf = (url: URL): string => (url.hostname.startsWith("[") ? url.hostname.slice(1, -1) : url.hostname)

/**
 * Parses the URL of a webhook. The URL must be an http or https URL without credentials. Fails with a text that names
 * the problem.
 */
export const parseTargetUrl = (text: string): Result.Result<URL, string> => {
  if (text.length > urlLengthMax) return Result.fail(sendingTexts.longUrl({ max: urlLengthMax }))
  const url = URL.parse(text)
  const isHttp = url?.protocol === "http:" || url?.protocol === "https:"
  if (url === null || !isHttp || url.hostname === "") return Result.fail(sendingTexts.wrongUrl())
  if (url.username !== "" || url.password !== "") return Result.fail(sendingTexts.urlCredentials())
  return Result.succeed(url)
}

/** Returns the host of a URL if it is an IP address, without brackets. Returns null if the host is a name. */
export const literalAddress = (url: URL): string | null => {
  const host = hostOf(url)
  return ipVersion(host) === undefined ? null : host
}

/**
 * Returns whether webhooks may connect to a URL. Returns true for every host name, because the sender checks the
 * addresses of host names later.
 */
export const isAllowedUrl = (url: URL, allowed: BlockList): boolean => {
  const address = literalAddress(url)
  return address === null || isAllowedAddress(address, allowed)
}
