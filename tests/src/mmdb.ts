/** A value in a database of places. */
export type MmdbValue = string | number | ReadonlyArray<MmdbValue> | { readonly [key: string]: MmdbValue }

const separator = Buffer.alloc(16)
const metadataStart = Buffer.from("\xab\xcd\xefMaxMind.com", "latin1")

/** Where a bit of an address leads: to a node or to a record, by their numbers, or nowhere. */
type Branch = { readonly node: number } | { readonly record: number } | null

/**
 * Builds a database in the MaxMind format (version 2.0, IPv6, records of 32 bits) from subnets such as `203.0.113.0/24` and their
 * records. IPv4 subnets are those of `::/96`, as readers expect. A subnet must not contain another.
 */
export const buildMmdb = (places: Readonly<Record<string, MmdbValue>>): Buffer => {
  const nodes: Array<[Branch, Branch]> = [[null, null]]
  const records: Array<Buffer> = []
  for (const [subnet, value] of Object.entries(places)) {
    const bits = bitsOf(subnet)
    let at = 0
    for (const [depth, bit] of bits.entries()) {
      const node = nodes[at]
      if (node === undefined) throw new Error(`${subnet} has no node ${at}`)
      if (depth === bits.length - 1) node[bit] = { record: records.length }
      else at = nodeBehind(nodes, node, bit)
    }
    records.push(encode(value))
  }
  const offsets = records.map((_, index) =>
    records.slice(0, index).reduce((sum, { length }) => sum + length, 0),
  )
  const tree = Buffer.alloc(nodes.length * 8)
  const pointer = (branch: Branch): number => {
    if (branch === null) return nodes.length
    return "node" in branch
      ? branch.node
      : nodes.length + separator.length + (offsets[branch.record] ?? Number.NaN)
  }
  for (const [index, [left, right]] of nodes.entries()) {
    tree.writeUInt32BE(pointer(left), index * 8)
    tree.writeUInt32BE(pointer(right), index * 8 + 4)
  }
  const metadata = encode({
    binary_format_major_version: 2,
    binary_format_minor_version: 0,
    build_epoch: 1_700_000_000,
    database_type: "Test-City",
    description: { en: "places of tests" },
    ip_version: 6,
    languages: ["en"],
    node_count: nodes.length,
    record_size: 32,
  })
  return Buffer.concat([tree, separator, ...records, metadataStart, metadata])
}

const nodeBehind = (nodes: Array<[Branch, Branch]>, node: [Branch, Branch], bit: 0 | 1): number => {
  const known = node[bit]
  if (known !== null && "node" in known) return known.node
  nodes.push([null, null])
  node[bit] = { node: nodes.length - 1 }
  return nodes.length - 1
}

const bitsOf = (subnet: string): ReadonlyArray<0 | 1> => {
  const [address = "", length = ""] = subnet.split("/")
  const isIpv6 = address.includes(":")
  const groups = isIpv6 ? ipv6Groups(address) : [0, 0, 0, 0, 0, 0, ...ipv4Groups(address)]
  const bits = groups.flatMap((group) =>
    Array.from({ length: 16 }, (_, bit): 0 | 1 => (((group >> (15 - bit)) & 1) === 1 ? 1 : 0)),
  )
  return bits.slice(0, Number(length) + (isIpv6 ? 0 : 96))
}

const ipv4Groups = (address: string): ReadonlyArray<number> => {
  const [a = 0, b = 0, c = 0, d = 0] = address.split(".").map(Number)
  return [a * 256 + b, c * 256 + d]
}

const ipv6Groups = (address: string): ReadonlyArray<number> => {
  const [head = "", tail = ""] = address.split("::")
  const [first, last] = [head, tail].map((part) => (part === "" ? [] : part.split(":")))
  const known = [...(first ?? []), ...(last ?? [])].length
  const zeros = Array.from({ length: 8 - known }, () => "0")
  return [...(first ?? []), ...zeros, ...(last ?? [])].map((group) => Number.parseInt(group, 16))
}

const types = { text: 2, unsigned: 6, map: 7, list: 11 } as const

const encode = (value: MmdbValue): Buffer => {
  if (typeof value === "string") {
    const bytes = Buffer.from(value)
    return Buffer.concat([control(types.text, bytes.length), bytes])
  }
  if (typeof value === "number") {
    const bytes = Buffer.alloc(4)
    bytes.writeUInt32BE(value)
    return Buffer.concat([control(types.unsigned, bytes.length), bytes])
  }
  if (Array.isArray(value)) {
    const items: ReadonlyArray<MmdbValue> = value
    return Buffer.concat([control(types.list, items.length), ...items.map(encode)])
  }
  const pairs = Object.entries(value)
  return Buffer.concat([
    control(types.map, pairs.length),
    ...pairs.flatMap(([key, item]) => [encode(key), encode(item)]),
  ])
}

/** The bytes that say the type and the size of a value. Types from 8 on stand in a byte of their own. */
const control = (type: number, size: number): Buffer => {
  if (size > 28) throw new Error("longer values have no use in tests")
  return type > 7 ? Buffer.from([size, type - 7]) : Buffer.from([(type << 5) | size])
}
