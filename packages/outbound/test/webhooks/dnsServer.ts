import { createSocket, type RemoteInfo } from "node:dgram"
import type { AddressInfo } from "node:net"
import { Effect, type Scope } from "effect"

/** What a DNS server says about a name: its addresses, or nothing at all. A name that is not listed does not exist. */
export type DnsRecords = Readonly<Record<string, ReadonlyArray<string> | "silent">>

export interface DnsServer {
  /** The address of the server, in the form that `Resolver.setServers` takes. */
  readonly address: string
  /** The names that it was asked for, in order. */
  readonly asked: ReadonlyArray<string>
}

const typeA = 1
const nameErrorFlags = 0x8183
const answerFlags = 0x8180

/** Starts a DNS server on a free UDP port of the loopback address. It knows IPv4 addresses only. */
export const dnsServer = (records: DnsRecords): Effect.Effect<DnsServer, never, Scope.Scope> =>
  Effect.acquireRelease(
    Effect.callback<{ readonly server: DnsServer; close(): void }>((resume) => {
      const socket = createSocket("udp4")
      const asked: Array<string> = []
      socket.on("message", (query: Buffer, from: RemoteInfo) => {
        const name = nameIn(query)
        asked.push(name)
        const known = records[name]
        if (known !== "silent") socket.send(answerTo(query, name, known), from.port, from.address)
      })
      socket.bind(0, "127.0.0.1", () => {
        const address = `127.0.0.1:${(socket.address() as AddressInfo).port}`
        resume(Effect.succeed({ server: { address, asked }, close: () => socket.close() }))
      })
    }),
    ({ close }) => Effect.sync(close),
  ).pipe(Effect.map(({ server }) => server))

/** The name in the question of a query, which begins at byte 12 as labels with their lengths in front. */
const nameIn = (query: Buffer): string => {
  const labels: Array<string> = []
  for (let at = 12; (query[at] ?? 0) > 0; at += 1 + (query[at] ?? 0)) {
    labels.push(query.toString("latin1", at + 1, at + 1 + (query[at] ?? 0)))
  }
  return labels.join(".").toLowerCase()
}

const answerTo = (query: Buffer, name: string, addresses: ReadonlyArray<string> | undefined): Buffer => {
  // After the name come its closing zero byte, the type and the class.
  const questionEnd = 12 + name.length + 2 + 4
  const type = query.readUInt16BE(questionEnd - 4)
  const records = type === typeA ? (addresses ?? []).map(addressRecord) : []
  const header = Buffer.alloc(12)
  header.writeUInt16BE(query.readUInt16BE(0), 0)
  header.writeUInt16BE(addresses === undefined ? nameErrorFlags : answerFlags, 2)
  header.writeUInt16BE(1, 4)
  header.writeUInt16BE(records.length, 6)
  return Buffer.concat([header, query.subarray(12, questionEnd), ...records])
}

/** A record of type A that refers to the name of the question, valid for a minute. */
const addressRecord = (address: string): Buffer =>
  Buffer.from([0xc0, 12, 0, typeA, 0, 1, 0, 0, 0, 60, 0, 4, ...address.split(".").map(Number)])
