import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { makeResolve, type Resolve } from "../../src/sending/resolveName.ts"
import { dnsServer, type DnsRecords } from "./dnsServer.ts"

/** Makes a `Resolve` over a DNS server with these records, and over files with these texts. */
const resolving = Effect.fnUntraced(function* (
  records: DnsRecords,
  texts: { readonly hosts?: string; readonly resolver?: string } = {},
) {
  const server = yield* dnsServer(records)
  const folder = yield* Effect.acquireRelease(
    Effect.sync(() => mkdtempSync(join(tmpdir(), "inlet-names-"))),
    (path) => Effect.sync(() => rmSync(path, { recursive: true })),
  )
  const files = { hosts: join(folder, "hosts"), resolver: join(folder, "resolv.conf") }
  writeFileSync(files.hosts, texts.hosts ?? "")
  writeFileSync(files.resolver, texts.resolver ?? "")
  return { server, resolve: makeResolve({ files, servers: [server.address] }) }
})

const addressesOf = (resolve: Resolve, host: string) =>
  Effect.callback<ReadonlyArray<string>, string>((resume) =>
    resolve(host, (error, addresses) =>
      resume(
        error === null
          ? Effect.succeed(addresses.map(({ address }) => address))
          : Effect.fail(error.code ?? error.message),
      ),
    ),
  )

const silentNames = Array.from({ length: 16 }, (_, index) => `silent${index}.test`)

describe("the addresses of a webhook's host name", () => {
  it.live("names without an answer of the DNS delay no other name", () =>
    Effect.gen(function* () {
      const silent = Object.fromEntries(silentNames.map((name) => [name, "silent" as const]))
      const { resolve } = yield* resolving({ ...silent, "receiver.test": ["127.0.0.1"] })
      const unanswered = Effect.all(
        silentNames.map((name) => Effect.flip(addressesOf(resolve, name))),
        { concurrency: "unbounded" },
      )
      const first = yield* Effect.raceFirst(unanswered, addressesOf(resolve, "receiver.test"))
      assert.deepStrictEqual(first, ["127.0.0.1"])
    }).pipe(Effect.scoped),
  )

  it.live("a name without an answer of the DNS fails with a timeout", () =>
    Effect.gen(function* () {
      const { resolve } = yield* resolving({ "silent.test": "silent" })
      assert.strictEqual(yield* Effect.flip(addressesOf(resolve, "silent.test")), "ETIMEOUT")
    }).pipe(Effect.scoped),
  )

  it.live("all IPv4 addresses in the answer of the DNS are returned, and none for an unknown name", () =>
    Effect.gen(function* () {
      const { resolve } = yield* resolving({ "receiver.test": ["1.1.1.1", "10.0.0.1"], "empty.test": [] })
      assert.sameMembers([...(yield* addressesOf(resolve, "receiver.test"))], ["1.1.1.1", "10.0.0.1"])
      assert.deepStrictEqual(yield* addressesOf(resolve, "empty.test"), [])
      assert.deepStrictEqual(yield* addressesOf(resolve, "unknown.test"), [])
    }).pipe(Effect.scoped),
  )

  it.live("the hosts file is read before the DNS is asked", () =>
    Effect.gen(function* () {
      const hosts =
        "127.0.0.1 localhost\n10.0.0.5\tReceiver.test other.test # receiver\n::1 receiver.test\n# 1.1.1.1 commented.test\n"
      const { resolve, server } = yield* resolving({ "receiver.test": ["1.1.1.1"] }, { hosts })
      assert.deepStrictEqual(yield* addressesOf(resolve, "receiver.test"), ["10.0.0.5", "::1"])
      assert.deepStrictEqual(yield* addressesOf(resolve, "OTHER.test."), ["10.0.0.5"])
      assert.deepStrictEqual(yield* addressesOf(resolve, "localhost"), ["127.0.0.1"])
      assert.deepStrictEqual(server.asked, [])
      assert.deepStrictEqual(yield* addressesOf(resolve, "commented.test"), [])
    }).pipe(Effect.scoped),
  )

  it.live("reserved names are not asked of the DNS", () =>
    Effect.gen(function* () {
      const { resolve, server } = yield* resolving({ localhost: ["1.1.1.1"] })
      assert.deepStrictEqual(yield* addressesOf(resolve, "localhost"), ["127.0.0.1", "::1"])
      assert.deepStrictEqual(yield* addressesOf(resolve, "app.localhost"), ["127.0.0.1", "::1"])
      assert.deepStrictEqual(yield* addressesOf(resolve, "receiver.invalid"), [])
      assert.deepStrictEqual(server.asked, [])
    }).pipe(Effect.scoped),
  )

  it.live("a short name is searched for in the search domains of the system", () =>
    Effect.gen(function* () {
      const { resolve, server } = yield* resolving(
        { "receiver.shop.test": ["10.0.0.6"], "api.receiver": ["10.0.0.7"], "full.shop.test": ["10.0.0.8"] },
        { resolver: "nameserver 10.0.0.1\nsearch first.test shop.test.\noptions timeout:1\n" },
      )
      assert.deepStrictEqual(yield* addressesOf(resolve, "receiver"), ["10.0.0.6"])
      assert.deepStrictEqual(yield* addressesOf(resolve, "api.receiver"), ["10.0.0.7"])
      assert.deepStrictEqual(yield* addressesOf(resolve, "full."), [])
      const asked = [...new Set(server.asked)]
      assert.deepStrictEqual(asked, ["receiver.first.test", "receiver.shop.test", "api.receiver", "full"])
    }).pipe(Effect.scoped),
  )

  it.live("with ndots, names with few dots are searched for in the search domains first", () =>
    Effect.gen(function* () {
      const { resolve } = yield* resolving(
        { "receiver.shop.cluster.test": ["10.0.0.6"], "receiver.shop": ["1.1.1.1"] },
        { resolver: "search cluster.test\noptions ndots:5\n" },
      )
      assert.deepStrictEqual(yield* addressesOf(resolve, "receiver.shop"), ["10.0.0.6"])
    }).pipe(Effect.scoped),
  )
})
