import { managementPath } from "@inlethq/contract/values/managementPath"
import { Schema } from "effect"
import { timingSafeEqual } from "node:crypto"
import { once } from "node:events"
import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import { Advance, Expectation, FaultRequest } from "./controlRequests.ts"
import { fillText } from "@inlethq/sdk/texts/fillText"
import { emulatorTexts } from "./emulatorTexts.ts"
import { EmulatorRestarted, ExpectationFailed } from "./expectations.ts"
import type { EmulatorSnapshot } from "./emulator/Emulator.ts"
import type { InletEmulator } from "./InletEmulator.ts"

const base = `${managementPath}/emulator`

/** The largest number of bytes of a request body. */
const bodyBytesMax = 1_000_000

/** The largest number of stored snapshots. A further snapshot removes the oldest one. */
const snapshotsMax = 16

/** A server through which programs in other languages control an emulator. */
export interface EmulatorControl {
  /** The beginning of the URL of every control request, such as `http://127.0.0.1:41235/management/v1/emulator`. */
  readonly url: string
  readonly close: () => Promise<void>
}

/** The answer to a request. An answer without a body has the status 204. */
interface Answer {
  readonly status: number
  readonly body?: unknown
}

const done: Answer = { status: 204 }

/**
 * Serves the methods of an emulator over HTTP. Uses a port of its own, because `reset` and `restore` close the
 * emulator's port.
 */
export const startControl = async (emulator: InletEmulator): Promise<EmulatorControl> => {
  const control = new Control(emulator)
  const server = createServer((request, response) => {
    void control.answer(request).then((answer) => write(response, answer))
  })
  server.listen(0, "127.0.0.1")
  await once(server, "listening")
  const address = server.address()
  const port = typeof address === "object" ? address?.port : undefined
  return {
    url: `http://127.0.0.1:${port}${base}`,
    close: async () => {
      server.close()
      server.closeAllConnections()
      await once(server, "close")
    },
  }
}

class Control {
  readonly #emulator: InletEmulator
  readonly #snapshots = new Map<string, EmulatorSnapshot>()
  #made = 0
  /**
   * Resolves when the most recent reset or restore has ended, even if it failed. Every request waits for this promise,
   * because requests need a running server.
   */
  #last: Promise<unknown> = Promise.resolve()

  constructor(emulator: InletEmulator) {
    this.#emulator = emulator
  }

  async answer(request: IncomingMessage): Promise<Answer> {
    if (!isAuthorized(request, this.#emulator.managementToken)) {
      return problem(401, emulatorTexts.unauthorized)
    }
    try {
      const body = await readBody(request)
      const path = (request.url ?? "/").split("?", 1)[0]?.slice(base.length) ?? ""
      const route = `${request.method} ${path}`
      const restarts = /^POST \/(reset|snapshots\/\w+\/restore)$/.test(route)
      const answered = this.#last.then(() => this.#route(route, body))
      if (restarts) this.#last = answered.catch(() => undefined)
      return await answered
    } catch (error) {
      if (error instanceof ExpectationFailed) return problem(422, error.message)
      if (error instanceof EmulatorRestarted) return problem(409, error.message)
      if (Schema.isSchemaError(error) || error instanceof SyntaxError) return problem(400, error.message)
      return problem(500, String(error))
    }
  }

  async #route(route: string, body: string): Promise<Answer> {
    const emulator = this.#emulator
    switch (route) {
      case "GET /clock":
        return { status: 200, body: { now: emulator.now().toISOString() } }
      case "POST /clock":
        emulator.advance(decode(Advance, body).advance_ms)
        return { status: 200, body: { now: emulator.now().toISOString() } }
      case "POST /faults":
        emulator.fail(decode(FaultRequest, body))
        return done
      case "POST /reset":
        await emulator.reset()
        return done
      case "POST /snapshots":
        return { status: 201, body: { snapshot_id: this.#keep(emulator.snapshot()) } }
      case "POST /expectations":
        return this.#expect(decode(Expectation, body))
      default:
        return this.#restore(route)
    }
  }

  #keep(snapshot: EmulatorSnapshot): string {
    const [oldest] = this.#snapshots.keys()
    if (oldest !== undefined && this.#snapshots.size >= snapshotsMax) this.#snapshots.delete(oldest)
    const id = `s${++this.#made}`
    this.#snapshots.set(id, snapshot)
    return id
  }

  async #restore(route: string): Promise<Answer> {
    const id = /^POST \/snapshots\/(\w+)\/restore$/.exec(route)?.[1]
    if (id === undefined) return problem(404, fillText(emulatorTexts.unknownRoute, { route }))
    const snapshot = this.#snapshots.get(id)
    if (snapshot === undefined) return problem(404, fillText(emulatorTexts.unknownSnapshot, { id }))
    await this.#emulator.restore(snapshot)
    return done
  }

  async #expect(expected: Expectation): Promise<Answer> {
    const { timeout_ms } = expected
    if ("no_person" in expected) {
      await this.#emulator.expectNoPerson(expected.no_person, timeout_ms)
      return done
    }
    return { status: 200, body: await this.#find(expected) }
  }

  #find(expected: Exclude<Expectation, { readonly no_person: unknown }>): Promise<unknown> {
    const { pattern, timeout_ms } = expected
    if ("person" in expected) return this.#emulator.expectPerson(expected.person, pattern, timeout_ms)
    if ("event" in expected) return this.#emulator.expectEvent(expected.event, pattern, timeout_ms)
    return this.#emulator.expectActivity(expected.activity, pattern, timeout_ms)
  }
}

const decode = <A, I>(schema: Schema.Codec<A, I>, body: string): A =>
  Schema.decodeUnknownSync(schema, { onExcessProperty: "error" })(JSON.parse(body))

const problem = (status: number, detail: string): Answer => ({ status, body: { status, detail } })

const isAuthorized = ({ headers }: IncomingMessage, token: string): boolean => {
  const given = Buffer.from(headers.authorization ?? "")
  const expected = Buffer.from(`Bearer ${token}`)
  return given.length === expected.length && timingSafeEqual(given, expected)
}

/**
 * Reads a body to its end, even if it is too large. If the connection were closed earlier, the client could lose the
 * answer.
 */
const readBody = async (request: IncomingMessage): Promise<string> => {
  const parts: Array<Buffer> = []
  let bytes = 0
  for await (const part of request) {
    bytes += part.length
    if (bytes <= bodyBytesMax) parts.push(part)
  }
  if (bytes > bodyBytesMax) throw new SyntaxError(fillText(emulatorTexts.bodyTooLarge, { max: bodyBytesMax }))
  return Buffer.concat(parts).toString()
}

const write = (response: ServerResponse, { body, status }: Answer): void => {
  const type = status < 400 ? "application/json" : "application/problem+json"
  response.writeHead(status, body === undefined ? {} : { "content-type": type })
  response.end(body === undefined ? undefined : `${JSON.stringify(body)}\n`)
}
