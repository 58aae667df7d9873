import type { Workspace } from "@inlethq/core/workspace/Workspace"
import ipaddr from "ipaddr.js"

/** The longest text that is read as an address: an IPv6 address in brackets, with a zone and a port. */
const addressCharactersMax = 100

/**
 * Returns the IP address in a text, in its usual form, or undefined if there is none. A port, a zone and everything after
 * a comma are left out, and an IPv4 address that is mapped into IPv6 is an IPv4 address.
 */
export const addressIn = (text: string): string | undefined =>
  lastDotOfIpv4(text) === undefined ? parse(text)?.toString() : text

/** The address that a text begins with. */
const parse = (text: string): ipaddr.IPv4 | ipaddr.IPv6 | undefined => {
  const comma = text.indexOf(",")
  const one = (comma < 0 ? text : text.slice(0, comma)).trim()
  if (one.length > addressCharactersMax) return undefined
  const bare = one.includes(":") ? withoutPort(one) : one
  return bare.includes(":") ? parseIpv6(bare) : parseIpv4(bare)
}

/** Only an IPv6 address has several colons. In front of a port it stands in brackets. */
const withoutPort = (text: string): string => {
  const bracketed = /^\[([^\]]*)\](?::\d{1,5})?$/.exec(text)?.[1] ?? text
  return /^([\d.]+):\d{1,5}$/.exec(bracketed)?.[1] ?? bracketed
}

const zero = 48
const nine = 57
const dot = 46

/**
 * Returns where the last part of a text begins that is an IPv4 address in its usual form and nothing else, as nearly every address
 * is. Anything else takes ten times as long to read.
 */
const lastDotOfIpv4 = (text: string): number | undefined => {
  let parts = 1
  let from = 0
  let value = 0
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === dot) {
      if (at === from || ++parts > 4) return undefined
      from = at + 1
      value = 0
      continue
    }
    if (code < zero || code > nine || (value === 0 && at > from)) return undefined
    value = value * 10 + code - zero
    if (value > 255) return undefined
  }
  return parts === 4 && from < text.length ? from - 1 : undefined
}

const parseIpv4 = (text: string): ipaddr.IPv4 | undefined =>
  ipaddr.IPv4.isValidFourPartDecimal(text) ? ipaddr.IPv4.parse(text) : undefined

const ipv6Characters = /^[\da-f:.]+$/i

const parseIpv6 = (text: string): ipaddr.IPv4 | ipaddr.IPv6 | undefined => {
  const zone = text.indexOf("%")
  const bare = zone < 0 ? text : text.slice(0, zone)
  if (!ipv6Characters.test(bare)) return undefined
  try {
    return ipaddr.process(bare)
  } catch {
    return undefined
  }
}

/** What a workspace keeps of addresses. */
type AddressSetting = Workspace["ip"]

/**
 * Returns what a workspace keeps of the address in a text: nothing, its network (`203.0.113.0` of an IPv4 address, which is /24,
 * and `2001:db8:1::` of an IPv6 address, which is /48), or the text as it is. A text that is no address has no network.
 */
export const keptAddress = (setting: AddressSetting, text: string): string | undefined => {
  switch (setting) {
    case "drop":
      return undefined
    case "truncate":
      return networkIn(text)
    case "keep":
      return text
  }
}

const networkIn = (text: string): string | undefined => {
  const lastDot = lastDotOfIpv4(text)
  if (lastDot !== undefined) return `${text.slice(0, lastDot)}.0`
  const address = parse(text)
  if (address === undefined) return undefined
  if (address instanceof ipaddr.IPv4) return `${address.octets.slice(0, 3).join(".")}.0`
  return new ipaddr.IPv6([...address.parts.slice(0, 3), 0, 0, 0, 0, 0]).toString()
}
