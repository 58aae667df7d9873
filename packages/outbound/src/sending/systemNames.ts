import { open } from "node:fs/promises"
import { ipVersion } from "../ipVersion.ts"

/** The largest part of a file with names that is read, in bytes. */
const fileBytesMax = 1024 * 1024

/** The paths of the files in which the system configures names. */
export interface SystemNameFiles {
  /** A hosts file: addresses with their names. */
  readonly hosts: string
  /** The configuration of the resolver, of which the search domains are read. */
  readonly resolver: string
}

/** The names that the system knows without the DNS, and the domains in which it searches for short names. */
export interface SystemNames {
  /** Addresses by lower-case host name. */
  readonly hosts: ReadonlyMap<string, ReadonlyArray<string>>
  readonly searchDomains: ReadonlyArray<string>
  /** A name with at least this number of dots is tried as it is before the search domains. */
  readonly dots: number
}

/** The largest number of search domains that are tried. */
const searchDomainsMax = 6

/** Reads the names of the system. A file that is missing or cannot be read is treated as empty. */
export const readSystemNames = async (files: SystemNameFiles): Promise<SystemNames> => {
  const [hosts, resolver] = await Promise.all([beginningOf(files.hosts), beginningOf(files.resolver)])
  return { hosts: parseHosts(hosts), ...parseResolver(resolver) }
}

/**
 * Returns the names to ask the DNS for, in order. As in the resolvers of operating systems, a name that ends in a dot is
 * complete, and a name with few dots is searched for in the search domains first.
 */
export const namesToAsk = (host: string, { dots, searchDomains }: SystemNames): ReadonlyArray<string> => {
  if (host.endsWith(".")) return [host]
  const inDomains = searchDomains.map((domain) => `${host}.${domain}`)
  return host.split(".").length > dots ? [host, ...inDomains] : [...inDomains, host]
}

const beginningOf = async (path: string): Promise<string> => {
  try {
    await using file = await open(path)
    const { buffer, bytesRead } = await file.read(Buffer.alloc(fileBytesMax), 0, fileBytesMax, 0)
    return buffer.toString("utf8", 0, bytesRead)
  } catch {
    return ""
  }
}

/** Returns the words of each line, without comments. */
const wordsOf = (text: string): ReadonlyArray<ReadonlyArray<string>> =>
  text.split("\n").map((line) =>
    line
      .replace(/[#;].*/, "")
      .split(/\s+/)
      .filter((word) => word !== ""),
  )

const parseHosts = (text: string): ReadonlyMap<string, ReadonlyArray<string>> => {
  const hosts = new Map<string, Array<string>>()
  for (const [address = "", ...names] of wordsOf(text)) {
    if (ipVersion(address) === undefined) continue
    for (const name of names.map((one) => one.toLowerCase())) {
      const addresses = hosts.get(name)
      if (addresses === undefined) hosts.set(name, [address])
      else addresses.push(address)
    }
  }
  return hosts
}

/** Reads `search`, `domain` (an old form of `search`) and `options ndots`. The last line of each kind counts. */
const parseResolver = (text: string): Omit<SystemNames, "hosts"> => {
  let searchDomains: ReadonlyArray<string> = []
  let dots = 1
  for (const [keyword, ...values] of wordsOf(text)) {
    if (keyword === "search" || keyword === "domain") {
      searchDomains = values.map((domain) => domain.replace(/\.$/, "")).filter((domain) => domain !== "")
    }
    if (keyword !== "options") continue
    for (const option of values) dots = Number(/^ndots:(\d{1,2})$/.exec(option)?.[1] ?? dots)
  }
  return { searchDomains: searchDomains.slice(0, searchDomainsMax), dots }
}
