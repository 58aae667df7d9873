import type { Intercept } from "@inlet/server/serve"

/** A fault that an emulator applies to requests. */
export interface Fault {
  /** The beginning of the paths to which the fault applies, such as `/v1/batch`. Every ingestion call by default. */
  readonly path?: string
  /** The number of requests to which the fault applies. 1 by default. */
  readonly times?: number
  /** Milliseconds to wait before anything else. */
  readonly latencyMs?: number
  /** The status of an answer without effect. */
  readonly status?: number
  /** The `Retry-After` header of that answer, in seconds. */
  readonly retryAfterSeconds?: number
  /** `before` closes the connection without effect. `after` applies the request and closes the connection without an answer. */
  readonly drop?: "before" | "after"
}

/** The faults that are still to be applied. */
export class Faults {
  #waiting: Array<{ readonly fault: Fault; left: number }> = []

  add(fault: Fault): void {
    this.#waiting.push({ fault, left: fault.times ?? 1 })
  }

  clear(): void {
    this.#waiting = []
  }

  /** Applies the oldest fault that fits a request, or passes the request on. */
  readonly intercept: Intercept = (request, response, pass) => {
    const fault = this.#take(request.url ?? "/")
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
    setTimeout(apply, fault.latencyMs)
  }

  #take(url: string): Fault | undefined {
    const waiting = this.#waiting.find(({ fault }) =>
      fault.path === undefined ? isIngestion(url) : url.startsWith(fault.path),
    )
    if (waiting === undefined) return undefined
    waiting.left--
    if (waiting.left <= 0) this.#waiting = this.#waiting.filter((other) => other !== waiting)
    return waiting.fault
  }
}

const isIngestion = (url: string): boolean => !/^\/(management|health|metrics|console)(\/|$)/.test(url)
