/** The bytes of an IP address: 4 for IPv4, 16 for IPv6. */
export type IpAddress = ReadonlyArray<number>

/** The IP addresses that have the same first `prefix` bits as `address`. */
export interface Subnet {
  readonly address: IpAddress
  readonly prefix: number
}

const ipv4Bytes = 4
const ipv6Bytes = 16

/**
 * Parses an IPv4 address with four decimal parts, or an IPv6 address, with or without brackets. Returns undefined for
 * anything else, including IPv6 addresses with a zone. Other spellings of IPv4 addresses need no support, because the
 * URL parser has rewritten them.
 */
export const parseIpAddress = (text: string): IpAddress | undefined => {
  const isBracketed = text.startsWith("[") && text.endsWith("]")
  const address = isBracketed ? text.slice(1, -1) : text
  return address.includes(":") ? parseIpv6(address) : isBracketed ? undefined : parseIpv4(address)
}

/** Parses a subnet such as `10.1.0.0/16`, or a single address. Returns undefined for anything else. */
export const parseSubnet = (text: string): Subnet | undefined => {
  const [address = "", length, ...others] = text.split("/")
  const parsed = parseIpAddress(address)
  if (parsed === undefined || others.length > 0) return undefined
  const bits = parsed.length * 8
  if (length === undefined) return { address: parsed, prefix: bits }
  const prefix = /^\d{1,3}$/.test(length) ? Number(length) : Number.NaN
  return prefix <= bits ? { address: parsed, prefix } : undefined
}

/** Returns whether an address is in a subnet of the same version of IP. */
export const isInSubnet = (address: IpAddress, subnet: Subnet): boolean => {
  if (address.length !== subnet.address.length) return false
  const wholeBytes = Math.floor(subnet.prefix / 8)
  for (let at = 0; at < wholeBytes; at++) if (address[at] !== subnet.address[at]) return false
  const rest = subnet.prefix % 8
  if (rest === 0) return true
  const [a = 0, b = 0] = [address[wholeBytes], subnet.address[wholeBytes]]
  return a >> (8 - rest) === b >> (8 - rest)
}

const parseIpv4 = (text: string): IpAddress | undefined => {
  const parts = text.split(".")
  const isAddress = parts.length === ipv4Bytes && parts.every((part) => /^(0|[1-9]\d{0,2})$/.test(part))
  const bytes = parts.map(Number)
  return isAddress && bytes.every((byte) => byte <= 255) ? bytes : undefined
}

const parseIpv6 = (text: string): IpAddress | undefined => {
  const [head = "", tail, ...others] = text.split("::")
  if (others.length > 0) return undefined
  const first = groupBytes(head)
  if (tail === undefined) return first?.length === ipv6Bytes ? first : undefined
  const last = groupBytes(tail)
  if (first === undefined || last === undefined) return undefined
  const zeros = ipv6Bytes - first.length - last.length
  // A double colon replaces at least one group of two zero bytes.
  return zeros < 2 ? undefined : [...first, ...Array.from({ length: zeros }, () => 0), ...last]
}

/**
 * Returns the bytes of hexadecimal groups separated by colons, as in an IPv6 address. The last group may be an IPv4
 * address.
 */
const groupBytes = (text: string): IpAddress | undefined => {
  if (text === "") return []
  const bytes: Array<number> = []
  const groups = text.split(":")
  for (const [index, group] of groups.entries()) {
    if (index === groups.length - 1 && group.includes(".")) {
      const embedded = parseIpv4(group)
      if (embedded === undefined) return undefined
      bytes.push(...embedded)
    } else {
      if (!/^[0-9a-f]{1,4}$/i.test(group)) return undefined
      const value = Number.parseInt(group, 16)
      bytes.push(value >> 8, value & 0xff)
    }
  }
  return bytes
}
