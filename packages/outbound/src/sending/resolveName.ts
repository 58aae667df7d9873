import type { LookupAddress } from "node:dns"
import { Resolver } from "node:dns/promises"
import { ipVersion } from "../ipVersion.ts"
import { namesToAsk, readSystemNames, type SystemNameFiles, type SystemNames } from "./systemNames.ts"

/** The longest time that all questions about one host name may take. */
const nameMsMax = 3000

/** The time after which a DNS server is asked again or the next one is asked, and the number of rounds. */
const serverMsMax = 1000
const serverRoundsMax = 2

/** The time for which the files of the system and the list of its DNS servers are used before they are read again. */
const systemMsMax = 5000

/** The error code of a name for which the DNS did not answer in time. */
export const timeoutCode = "ETIMEOUT"

/** Resolves a host name to all of its addresses. */
export type Resolve = (
  host: string,
  done: (error: NodeJS.ErrnoException | null, addresses: ReadonlyArray<LookupAddress>) => void,
) => void

/** Where a `Resolve` finds names. */
interface NameSources {
  readonly files: SystemNameFiles
  /** DNS servers in place of those of the system. */
  readonly servers?: ReadonlyArray<string>
}

interface OpenSources {
  readonly names: Promise<SystemNames>
  readonly resolver: Resolver
}

/** The addresses of `localhost` and of the names below it. */
const loopback = ["127.0.0.1", "::1"]

/**
 * Makes a `Resolve` that reads the hosts file and asks the DNS servers itself. `dns.lookup` waits on threads of which
 * Node has two for this, so a few names whose servers do not answer would stop every other name.
 */
export const makeResolve = (
  { files, servers }: NameSources = { files: { hosts: "/etc/hosts", resolver: "/etc/resolv.conf" } },
): Resolve => {
  let opened: OpenSources | null = null
  let openedAt = Number.NEGATIVE_INFINITY

  const sources = (): OpenSources => {
    const now = performance.now()
    if (opened !== null && now - openedAt < systemMsMax) return opened
    const resolver = new Resolver({ timeout: serverMsMax, tries: serverRoundsMax })
    if (servers !== undefined) resolver.setServers(servers)
    openedAt = now
    opened = { names: readSystemNames(files), resolver }
    return opened
  }

  return (host, done) => {
    let timer: NodeJS.Timeout | null = setTimeout(() => settle(timeoutError(host), []), nameMsMax)
    const settle = (error: NodeJS.ErrnoException | null, addresses: ReadonlyArray<LookupAddress>): void => {
      if (timer === null) return
      clearTimeout(timer)
      timer = null
      done(error, addresses)
    }
    addressesOf(host, sources()).then(
      (addresses) => settle(null, addresses),
      (error) => settle(error, []),
    )
  }
}

const addressesOf = async (
  host: string,
  { names, resolver }: OpenSources,
): Promise<ReadonlyArray<LookupAddress>> => {
  const system = await names
  const name = host.toLowerCase().replace(/\.$/, "")
  const known = system.hosts.get(name) ?? reservedAddresses(name)
  if (known !== undefined) return known.map(lookupAddress)
  for (const asked of namesToAsk(host, system)) {
    const addresses = await ask(resolver, asked)
    if (addresses.length > 0) return addresses
  }
  return []
}

/** Returns the addresses of names that must not be asked of the DNS (RFC 6761), or undefined for any other name. */
const reservedAddresses = (name: string): ReadonlyArray<string> | undefined => {
  const topLevel = name.slice(name.lastIndexOf(".") + 1)
  return topLevel === "localhost" ? loopback : topLevel === "invalid" ? [] : undefined
}

/**
 * Asks the DNS for the addresses of one name, IPv4 first. Fails if it gives none and one of the two questions was not
 * answered.
 */
const ask = async (resolver: Resolver, name: string): Promise<ReadonlyArray<LookupAddress>> => {
  const answers = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)])
  const addresses = answers.flatMap((answer) => (answer.status === "fulfilled" ? answer.value : []))
  const silent = answers.find((answer) => answer.status === "rejected" && answer.reason.code === timeoutCode)
  if (addresses.length === 0 && silent !== undefined) throw timeoutError(name)
  return addresses.map(lookupAddress)
}

const lookupAddress = (address: string): LookupAddress => ({
  address,
  family: ipVersion(address) === 4 ? 4 : 6,
})

const timeoutError = (host: string): NodeJS.ErrnoException =>
  Object.assign(new Error(`no DNS server answered for ${host}`), { code: timeoutCode })
