import { BlockList } from "node:net"
import { ipVersion } from "./ipVersion.ts"

/** IPv4 addresses that are not public, and addresses of cloud metadata services (contract §17). */
const refusedIpv4 = [
  [0, 0, 0, 0, 8],
  [10, 0, 0, 0, 8],
  [100, 64, 0, 0, 10],
  [127, 0, 0, 0, 8],
  [168, 63, 129, 16, 32],
  [169, 254, 0, 0, 16],
  [172, 16, 0, 0, 12],
  [192, 0, 0, 0, 24],
  [192, 0, 2, 0, 24],
  [192, 88, 99, 0, 24],
  [192, 168, 0, 0, 16],
  [198, 18, 0, 0, 15],
  [198, 51, 100, 0, 24],
  [203, 0, 113, 0, 24],
  [224, 0, 0, 0, 4],
  [240, 0, 0, 0, 4],
] as const

/**
 * Gateways forward packets for the IPv6 addresses of `64:ff9b::/96` and `2002::/16` to the IPv4 address that these
 * contain, so the IPv6 forms of a refused subnet are refused too. `BlockList` itself covers the form `::ffff:0:0/96`.
 */
const refused = new BlockList()
for (const [a, b, c, d, prefix] of refusedIpv4) {
  const [high, low] = [(a * 256 + b).toString(16), (c * 256 + d).toString(16)]
  refused.addSubnet(`${a}.${b}.${c}.${d}`, prefix, "ipv4")
  refused.addSubnet(`64:ff9b::${high}:${low}`, 96 + prefix, "ipv6")
  refused.addSubnet(`2002:${high}:${low}::`, 16 + prefix, "ipv6")
}
// Teredo and other special purposes, and documentation.
refused.addSubnet("2001::", 23, "ipv6")
refused.addSubnet("2001:db8::", 32, "ipv6")
refused.addSubnet("3fff::", 20, "ipv6")

/** The subnets of the public IPv6 addresses, and of the forms of IPv4 addresses. */
const publicIpv6 = new BlockList()
publicIpv6.addSubnet("2000::", 3, "ipv6")
publicIpv6.addSubnet("64:ff9b::", 96, "ipv6")
publicIpv6.addSubnet("::ffff:0:0", 96, "ipv6")

const nothingAllowed = new BlockList()

/** Returns whether an address is public (contract §17). */
export const isPublicAddress = (address: string): boolean => isAllowedAddress(address, nothingAllowed)

/**
 * Returns whether a webhook may connect to an address: to public addresses, and to those of the subnets of `allowed`. An
 * IPv4 subnet also covers the IPv6-mapped form of its addresses (contract §17).
 */
export const isAllowedAddress = (address: string, allowed: BlockList): boolean => {
  switch (ipVersion(address)) {
    case undefined:
      return false
    case 4:
      return allowed.check(address, "ipv4") || !refused.check(address, "ipv4")
    case 6:
      return (
        allowed.check(address, "ipv6") ||
        (publicIpv6.check(address, "ipv6") && !refused.check(address, "ipv6"))
      )
  }
}

/** Adds a subnet such as `10.1.0.0/16`, or a single address. Returns false for any other text, which adds nothing. */
export const addSubnet = (list: BlockList, text: string): boolean => {
  const [address = "", length, ...others] = text.split("/")
  const version = ipVersion(address)
  if (version === undefined || others.length > 0) return false
  const bits = version === 4 ? 32 : 128
  const prefix = length === undefined ? bits : /^\d{1,3}$/.test(length) ? Number(length) : Number.NaN
  if (!(prefix <= bits)) return false
  list.addSubnet(address, prefix, `ipv${version}`)
  return true
}
