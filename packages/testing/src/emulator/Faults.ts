import type { Intercept } from "@inlethq/runtime/Host"
import type { ServerResponse } from "node:http"
import { Schema } from "effect"
import { operationOf, OperationName, type Operation } from "./operationOf.ts"

/** A failure that an emulator simulates for some requests. */
export interface Fault {
  /**
   * The fault applies to requests with a path that begins with this text, such as `/v1/batch`. By default, the fault
   * applies to every ingestion call.
   */
  readonly path?: string
  /**
   * The fault applies to requests of this operation, such as `merge`. The calls of `@inlethq/sdk` arrive as `batch`. By
   * default, the fault applies to every operation.
   */
  readonly operation?: Operation
  /** The number of requests to which the fault applies. 1 by default. */
  readonly times?: number
  /** The time, in milliseconds, that the emulator waits before it handles the request. */
  readonly latencyMs?: number
  /** If set, the emulator answers with this status and does not apply the request. */
  readonly status?: number
  /** The `Retry-After` header of the answer, in seconds. The header is sent only if `status` is set. */
  readonly retryAfterSeconds?: number
  /**
   * If `before`, the emulator closes the connection and does not apply the request. If `after`, the emulator applies
   * the request and closes the connection without an answer.
   */
  readonly drop?: "before" | "after"
}

/** The largest number of requests to which one fault applies. */
const faultTimesMax = 1_000_000

/** The longest delay of a request, in milliseconds. */
const latencyMsMax = 3_600_000

/** The longest time in seconds after which a client is asked to try again. */
const retryAfterSecondsMax = 60_000

const between = (minimum: number, maximum: number) => Schema.Int.check(Schema.isBetween({ minimum, maximum }))

/** The fields of a fault, with their limits. */
export const FaultFields = Schema.Struct({
  path: Schema.optionalKey(Schema.String),
  operation: Schema.optionalKey(OperationName),
  times: Schema.optionalKey(between(1, faultTimesMax)),
  latencyMs: Schema.optionalKey(between(0, latencyMsMax)),
  status: Schema.optionalKey(between(200, 599)),
  retryAfterSeconds: Schema.optionalKey(between(0, retryAfterSecondsMax)),
  drop: Schema.optionalKey(Schema.Literals(["before", "after"])),
})

const decodeFault: (fault: unknown) => Fault = Schema.decodeUnknownSync(FaultFields, {
  onExcessProperty: "error",
})

/** The faults that are still to be applied. */
export class Faults {
  #waiting: Array<{ readonly fault: Fault; left: number }> = []
  /** The responses to the requests that a fault delays. */
  readonly #delayed = new Set<ServerResponse>()

  /** Throws if a field of the fault is unknown or out of range. */
  add(fault: Fault): void {
    const known = decodeFault(fault)
    this.#waiting.push({ fault: known, left: known.times ?? 1 })
  }

  /** Removes all faults, and closes the connections of the requests that a fault delays. */
  clear(): void {
    this.#waiting = []
    for (const response of this.#delayed) response.destroy()
  }

  /** Applies the oldest fault that matches a request. If no fault matches, passes the request on. */
  readonly intercept: Intercept = (request, response, pass) => {
    const fault = this.#take(request.method ?? "GET", request.url ?? "/")
    if (fault === undefined) return pass()
    const apply = () => {
      const { drop, retryAfterSeconds, status } = fault
      if (drop === "before") {
        request.socket.destroy()
        return
      }
      if (status !== undefined) {
        const headers = retryAfterSeconds === undefined ? {} : { "retry-after": String(retryAfterSeconds) }
        request.resume()
        response.writeHead(status, headers).end()
        return
      }
      if (drop === "after") Object.defineProperty(response, "end", { value: () => response.destroy() })
      pass()
    }
    if (fault.latencyMs === undefined) return apply()
    this.#delay(response, fault.latencyMs, apply)
  }

  /** Calls `apply` after a delay, unless the connection is closed before. */
  #delay(response: ServerResponse, delayMs: number, apply: () => void): void {
    const timer = setTimeout(() => {
      this.#delayed.delete(response)
      apply()
    }, delayMs)
    this.#delayed.add(response)
    response.once("close", () => {
      clearTimeout(timer)
      this.#delayed.delete(response)
    })
  }

  #take(method: string, url: string): Fault | undefined {
    const waiting = this.#waiting.find(({ fault: { operation, path } }) => {
      if (operation !== undefined && operationOf(method, url) !== operation) return false
      return path === undefined ? isIngestion(url) : url.startsWith(path)
    })
    if (waiting === undefined) return undefined
    waiting.left--
    if (waiting.left <= 0) this.#waiting = this.#waiting.filter((other) => other !== waiting)
    return waiting.fault
  }
}

const isIngestion = (url: string): boolean => !/^\/(management|health|metrics|console)(\/|$)/.test(url)
