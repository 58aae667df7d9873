import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { createServer } from "node:http"
import { BlockList, connect, type Server, type Socket } from "node:net"
import { countedAddress, limitConnections } from "../../src/listener/connectionLimit.ts"

const listening = (server: Server) =>
  Effect.callback<number>((resume) => {
    server.listen(0, "127.0.0.1", () => {
      const address = server.address()
      resume(Effect.succeed(typeof address === "object" && address !== null ? address.port : 0))
    })
  })

const open = (port: number, bytes: string) =>
  Effect.callback<Socket>((resume) => {
    const socket = connect(port, "127.0.0.1", () => {
      socket.write(bytes)
      resume(Effect.succeed(socket))
    })
    socket.on("error", () => {})
  })

/** Returns the first chunk that arrives, or an empty text if the server closes the connection. */
const answerOn = (socket: Socket) =>
  Effect.callback<string>((resume) => {
    socket.once("data", (bytes: Buffer) => resume(Effect.succeed(bytes.toString())))
    socket.once("close", () => resume(Effect.succeed("")))
  })

const request = "GET / HTTP/1.1\r\nhost: h\r\n\r\n"

it.live("connections beyond the limit of an address are closed, until another connection of it ends", () =>
  Effect.gen(function* () {
    const server = createServer((_request, response) => void response.end("hello"))
    limitConnections(server, null, 2, ({ remoteAddress }) => remoteAddress)
    const port = yield* listening(server)
    yield* Effect.addFinalizer(() => Effect.sync(() => server.close().closeAllConnections()))
    const [first, second] = [yield* open(port, request), yield* open(port, request)]
    for (const socket of [first, second]) assert.match(yield* answerOn(socket), /^HTTP\/1\.1 200/)
    assert.strictEqual(yield* answerOn(yield* open(port, request)), "")
    const closed = Effect.callback<void>((resume) => {
      first.once("close", () => resume(Effect.void))
    })
    first.destroy()
    yield* closed
    let answer = ""
    while (answer === "") answer = yield* answerOn(yield* open(port, request))
    assert.match(answer, /^HTTP\/1\.1 200/)
  }),
)

const counted = (remoteAddress: string, trusted: BlockList | null = null) =>
  countedAddress({ remoteAddress }, trusted)

it("public addresses are counted, IPv6 by network, and loopback and private addresses are not", () => {
  const table: ReadonlyArray<readonly [string, string | undefined]> = [
    ["8.8.8.8", "8.8.8.8"],
    ["::ffff:8.8.8.8", "8.8.8.8"],
    ["127.0.0.1", undefined],
    ["::1", undefined],
    ["::ffff:127.0.0.1", undefined],
    ["10.1.2.3", undefined],
    ["::ffff:172.17.0.1", undefined],
    ["192.168.1.1", undefined],
    ["fd00::1", undefined],
    ["fe80::1", undefined],
    ["", undefined],
  ]
  for (const [address, expected] of table)
    assert.deepStrictEqual([address, counted(address)], [address, expected])
  const network = counted("2a00:1450:4001:80b::200e")
  assert.isString(network)
  assert.strictEqual(counted("2a00:1450:4001:80b:1:2:3:4"), network)
  assert.notStrictEqual(counted("2a00:1450:4001:80c::200e"), network)
})

it("connections of a trusted proxy are not counted, though its address is public", () => {
  const proxies = new BlockList()
  proxies.addSubnet("8.8.8.0", 24, "ipv4")
  assert.isUndefined(counted("::ffff:8.8.8.8", proxies))
  assert.strictEqual(counted("9.9.9.9", proxies), "9.9.9.9")
})
