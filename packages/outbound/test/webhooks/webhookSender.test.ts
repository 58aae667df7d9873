import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber, type Scope } from "effect"
import { createServer, type RequestListener } from "node:http"
import { BlockList, type AddressInfo } from "node:net"
import { addSubnet } from "../../src/addressRules.ts"
import { makeResolve, type Resolve } from "../../src/sending/resolveName.ts"
import { excerptBytesMax, Sender } from "../../src/sending/Sender.ts"
import { dnsServer } from "./dnsServer.ts"

const loopback = new BlockList()
addSubnet(loopback, "127.0.0.1")

/** Starts a server on a free port of the loopback address. Returns its port. */
const receiver = (listener: RequestListener): Effect.Effect<number, never, Scope.Scope> =>
  Effect.acquireRelease(
    Effect.callback<ReturnType<typeof createServer>>((resume) => {
      const server = createServer(listener)
      server.listen(0, "127.0.0.1", () => resume(Effect.succeed(server)))
    }),
    (server) =>
      Effect.callback<void>((resume) => {
        server.close(() => resume(Effect.void))
        server.closeAllConnections()
      }),
  ).pipe(Effect.map((server) => (server.address() as AddressInfo).port))

/**
 * Makes a resolver that ignores the host name. Each call returns the next of these lists of addresses. After the last
 * list, every call returns the last list again.
 */
const resolvingTo = (...answers: ReadonlyArray<ReadonlyArray<string>>): Resolve => {
  let calls = 0
  return (_host, done) => {
    const addresses = answers[Math.min(calls++, answers.length - 1)] ?? []
    done(
      null,
      addresses.map((address) => ({ address, family: address.includes(":") ? 6 : 4 })),
    )
  }
}

const send = (url: string, options: { readonly allow?: boolean; readonly resolve?: Resolve } = {}) =>
  Sender.use((sender) =>
    sender.send({ url: new URL(url), headers: { "x-test": "1" }, body: '{"a":1}' }, 0),
  ).pipe(
    Effect.provide(
      Sender.layerWith({
        allowed: options.allow === false ? new BlockList() : loopback,
        resolve: options.resolve ?? resolvingTo(["127.0.0.1"]),
      }),
    ),
  )

const collect =
  (done: (body: string) => void): RequestListener =>
  (request, response) => {
    let body = ""
    request.setEncoding("utf8")
    request.on("data", (chunk: string) => (body += chunk))
    request.on("end", () => {
      done(body)
      response.end("thanks")
    })
  }

describe("a request to a receiver", () => {
  it.live(
    "contract §17 requests: a request to a webhook's receiver is a POST with JSON and succeeds with a 2xx status",
    () =>
      Effect.gen(function* () {
        const bodies: Array<string> = []
        const port = yield* receiver(collect((body) => bodies.push(body)))
        const result = yield* send(`http://receiver.test:${port}/hook`)
        assert.deepStrictEqual(result, { failure: null, status: 200, excerpt: "thanks", retryAfterMs: null })
        assert.deepStrictEqual(bodies, ['{"a":1}'])
      }),
  )

  it.live.each([301, 302, 307, 308])("contract §17 requests: a request follows no redirect (%d)", (status) =>
    Effect.gen(function* () {
      let redirected = 0
      const target = yield* receiver((_, response) => {
        redirected++
        response.end()
      })
      const port = yield* receiver((_, response) => {
        response.writeHead(status, { location: `http://127.0.0.1:${target}/` }).end()
      })
      const { failure } = yield* send(`http://127.0.0.1:${port}/`)
      assert.deepStrictEqual(failure, { kind: "status", status })
      assert.strictEqual(redirected, 0)
    }),
  )

  it.live.each(["127.0.0.1", "10.0.0.1", "169.254.169.254", "::1", "::ffff:127.0.0.1"])(
    "contract §17 addresses: a request is refused if the name resolves to a private address (%s)",
    (address) =>
      Effect.gen(function* () {
        let requests = 0
        const port = yield* receiver((_, response) => {
          requests++
          response.end()
        })
        const resolve = resolvingTo([address])
        const { excerpt, failure } = yield* send(`http://receiver.test:${port}/`, { allow: false, resolve })
        assert.deepStrictEqual(failure, { kind: "connection" })
        assert.include(excerpt, `receiver.test has the address ${address}, which is not public`)
        assert.strictEqual(requests, 0)
      }),
  )

  it.live(
    "contract §17 addresses: a request to a webhook's receiver is refused if one of several addresses of the host name is private",
    () =>
      Effect.gen(function* () {
        const resolve = resolvingTo(["1.1.1.1", "10.0.0.1"])
        const { excerpt } = yield* send("http://receiver.test/", { allow: false, resolve })
        assert.include(excerpt, "10.0.0.1")
      }),
  )

  it.live(
    "contract §17 addresses: a request to a webhook's receiver is refused if the host name resolves to a private address after the check",
    () =>
      Effect.gen(function* () {
        let requests = 0
        const port = yield* receiver((_, response) => {
          requests++
          response.end()
        })
        const url = new URL(`http://rebind.test:${port}/`)
        const resolve = resolvingTo(["1.1.1.1"], ["127.0.0.1"])
        yield* Effect.gen(function* () {
          const sender = yield* Sender
          assert.isNull(yield* sender.refusalOf(url))
          const { excerpt } = yield* sender.send({ url, headers: {}, body: "{}" }, 0)
          assert.include(excerpt, "127.0.0.1, which is not public")
        }).pipe(Effect.provide(Sender.layerWith({ allowed: new BlockList(), resolve })))
        assert.strictEqual(requests, 0)
      }),
  )

  it.live("requests to names without an answer of the DNS delay no other request", () =>
    Effect.gen(function* () {
      const port = yield* receiver((_, response) => void response.end("thanks"))
      const silent = ["a.test", "b.test", "c.test", "d.test", "e.test", "f.test"]
      const records = Object.fromEntries(silent.map((name) => [name, "silent" as const]))
      const dns = yield* dnsServer({
        ...records,
        "receiver.test": ["127.0.0.1"],
        "private.test": ["10.0.0.1"],
      })
      const files = { hosts: "/dev/null", resolver: "/dev/null" }
      const post = (host: string) =>
        Sender.use((sender) =>
          sender.send({ url: new URL(`http://${host}:${port}/`), headers: {}, body: "{}" }, 0),
        )
      yield* Effect.gen(function* () {
        const waiting = yield* Effect.forkChild(Effect.forEach(silent, post, { concurrency: "unbounded" }))
        const { excerpt } = yield* Effect.raceFirst(
          post("receiver.test"),
          Effect.map(Fiber.join(waiting), ([first]) => first ?? assert.fail()),
        )
        assert.strictEqual(excerpt, "thanks")
        assert.include((yield* post("private.test")).excerpt, "10.0.0.1, which is not public")
        for (const result of yield* Fiber.join(waiting)) {
          assert.deepStrictEqual(result.failure, { kind: "connection" })
          assert.match(result.excerpt ?? "", /no DNS server answered for the host name [a-f]\.test in time/)
        }
      }).pipe(
        Effect.provide(
          Sender.layerWith({
            allowed: loopback,
            resolve: makeResolve({ files, servers: [dns.address] }),
          }),
        ),
      )
    }),
  )

  it.live.each([
    "http://127.0.0.1:PORT/",
    "http://2130706433:PORT/",
    "http://0x7f.1:PORT/",
    "http://[::1]:PORT/",
  ])("contract §17 addresses: a request is refused for a private address in the URL (%s)", (text) =>
    Effect.gen(function* () {
      const port = yield* receiver((_, response) => void response.end())
      const { excerpt } = yield* send(text.replace("PORT", String(port)), { allow: false })
      assert.include(excerpt, "which is not public")
    }),
  )

  it.live(
    "contract §17 addresses: a request to a webhook's receiver ignores the proxy settings of the environment",
    () =>
      Effect.gen(function* () {
        let proxied = 0
        const proxy = yield* receiver((_, response) => {
          proxied++
          response.end()
        })
        const port = yield* receiver((_, response) => void response.end())
        yield* Effect.acquireRelease(
          Effect.sync(() =>
            Object.assign(process.env, { HTTP_PROXY: `http://127.0.0.1:${proxy}`, NODE_USE_ENV_PROXY: "1" }),
          ),
          () =>
            Effect.sync(() => {
              delete process.env["HTTP_PROXY"]
              delete process.env["NODE_USE_ENV_PROXY"]
            }),
        )
        assert.isNull((yield* send(`http://receiver.test:${port}/`)).failure)
        assert.strictEqual(proxied, 0)
      }),
  )

  it.live(
    "a request to a webhook's receiver fails if the connection is refused or the name does not resolve",
    () =>
      Effect.gen(function* () {
        const port = yield* Effect.scoped(receiver((_, response) => void response.end()))
        const closed = yield* send(`http://127.0.0.1:${port}/`)
        assert.deepStrictEqual(closed.failure, { kind: "connection" })
        assert.match(closed.excerpt ?? "", /^connection failed: .*ECONNREFUSED/)
        const unknown = yield* send("http://nowhere.test/", { resolve: resolvingTo([]) })
        assert.include(unknown.excerpt, "the host name nowhere.test does not resolve")
      }),
  )

  it.live("a request to a webhook's receiver fails if the receiver resets the connection", () =>
    Effect.gen(function* () {
      const port = yield* receiver((request) => request.socket.resetAndDestroy())
      assert.deepStrictEqual((yield* send(`http://127.0.0.1:${port}/`)).failure, { kind: "connection" })
    }),
  )

  it.live(
    "a request to a webhook's receiver is sent again on a new connection if the receiver had closed the idle connection",
    () =>
      Effect.gen(function* () {
        let requests = 0
        const port = yield* receiver((request, response) => {
          requests++
          if (requests === 2) request.socket.resetAndDestroy()
          else response.end()
        })
        yield* Effect.gen(function* () {
          const { send } = yield* Sender
          const request = { url: new URL(`http://127.0.0.1:${port}/`), headers: {}, body: "{}" }
          assert.isNull((yield* send(request, 0)).failure)
          // Node returns a connection to its pool only in the next turn of the event loop.
          yield* Effect.callback<void>((resume) => void setImmediate(() => resume(Effect.void)))
          assert.isNull((yield* send(request, 0)).failure)
        }).pipe(Effect.provide(Sender.layerWith({ allowed: loopback })))
        assert.strictEqual(requests, 3)
      }),
  )

  it.live(
    "contract §17 requests: a request to a webhook's receiver fails if no answer arrives within 4 seconds",
    () =>
      Effect.gen(function* () {
        const port = yield* receiver(() => undefined)
        const { excerpt, failure } = yield* send(`http://127.0.0.1:${port}/`)
        assert.deepStrictEqual(failure, { kind: "timeout" })
        assert.strictEqual(excerpt, "no answer within 4 seconds")
      }),
  )

  it.live(
    "a request to a webhook's receiver succeeds with a 2xx status even if the body of the answer never ends",
    () =>
      Effect.gen(function* () {
        const port = yield* receiver((_, response) => {
          response.writeHead(200)
          response.write("slow")
        })
        const { excerpt, failure } = yield* send(`http://127.0.0.1:${port}/`)
        assert.isNull(failure)
        assert.strictEqual(excerpt, "slow")
      }),
  )

  it.live("only the beginning of a receiver's long answer is recorded", () =>
    Effect.gen(function* () {
      const port = yield* receiver((_, response) => {
        response.writeHead(500)
        const more = (): void => {
          while (response.write("x".repeat(10_000)));
        }
        response.on("drain", more)
        more()
      })
      const { excerpt, failure } = yield* send(`http://127.0.0.1:${port}/`)
      assert.deepStrictEqual(failure, { kind: "status", status: 500 })
      assert.strictEqual(excerpt, "x".repeat(excerptBytesMax))
    }),
  )

  it.live.each([
    ["120", 120_000],
    ["Thu, 01 Jan 1970 00:05:00 GMT", 300_000],
    ["soon", null],
  ] as const)(
    "contract §17 requests: reports the wait that the receiver asks for (%s)",
    ([value, expected]) =>
      Effect.gen(function* () {
        const port = yield* receiver((_, response) => {
          response.writeHead(503, { "retry-after": value }).end()
        })
        assert.strictEqual((yield* send(`http://127.0.0.1:${port}/`)).retryAfterMs, expected)
      }),
  )
})
