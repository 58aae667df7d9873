import { isInSubnet, parseIpAddress, parseSubnet, type IpAddress, type Subnet } from "./ipAddress.ts"

const subnets = (...texts: ReadonlyArray<string>): ReadonlyArray<Subnet> =>
  texts.flatMap((text) => parseSubnet(text) ?? [])

/** IPv4 addresses that are not public, and addresses of cloud metadata services (contract §17). */
const refusedIpv4 = subnets(
  "0.0.0.0/8",
  "10.0.0.0/8",
  "100.64.0.0/10",
  "127.0.0.0/8",
  "168.63.129.16",
  "169.254.0.0/16",
  "172.16.0.0/12",
  "192.0.0.0/24",
  "192.0.2.0/24",
  "192.88.99.0/24",
  "192.168.0.0/16",
  "198.18.0.0/15",
  "198.51.100.0/24",
  "203.0.113.0/24",
  "224.0.0.0/4",
  "240.0.0.0/4",
)

/** All public IPv6 addresses are in this subnet, apart from IPv6 addresses that contain an IPv4 address. */
const publicIpv6 = subnets("2000::/3")

/** IPv6 addresses in `publicIpv6` that are for special purposes (Teredo and others) or documentation. */
const refusedIpv6 = subnets("2001::/23", "2001:db8::/32", "3fff::/20")

const mapped = subnets("::ffff:0:0/96")

/**
 * Subnets in which every IPv6 address contains an IPv4 address. Gateways forward packets for such an IPv6 address to
 * the IPv4 address. `offset` is the index of the first byte of the IPv4 address.
 */
const translated = [
  { in: subnets("64:ff9b::/96"), offset: 12 },
  { in: subnets("2002::/16"), offset: 2 },
]

const isInAny = (address: IpAddress, all: ReadonlyArray<Subnet>): boolean =>
  all.some((subnet) => isInSubnet(address, subnet))

/**
 * Returns whether a webhook may connect to an address. Public addresses and addresses in the subnets of `allowed` are
 * accepted. An IPv4 subnet also covers the IPv6-mapped form of its addresses (contract §17).
 */
export const isAllowedAddress = (text: string, allowed: ReadonlyArray<Subnet>): boolean => {
  const address = parseIpAddress(text)
  return address !== undefined && isAllowed(address, allowed)
}

const isAllowed = (address: IpAddress, allowed: ReadonlyArray<Subnet>): boolean => {
  if (isInAny(address, allowed)) return true
  if (isInAny(address, mapped)) return isAllowed(address.slice(12), allowed)
  return isPublic(address)
}

const isPublic = (address: IpAddress): boolean => {
  if (address.length === 4) return !isInAny(address, refusedIpv4)
  const translation = translated.find((one) => isInAny(address, one.in))
  if (translation !== undefined) return isPublic(address.slice(translation.offset, translation.offset + 4))
  return isInAny(address, publicIpv6) && !isInAny(address, refusedIpv6)
}
