import { Cause, Clock, ConfigProvider, Effect, Exit, Fiber } from "effect"
import { MemoryAccess, type MemoryImage } from "@inlethq/storage-memory/MemoryImage"
import type { Started } from "@inlethq/runtime/Welcome"
import { MayJump } from "@inlethq/runtime/MayJump"
import type { Intercept } from "@inlethq/runtime/Host"
import { serveIn } from "@inlethq/runtime/serve"
import type { MovableClock } from "./MovableClock.ts"

/** The settings of a server that runs inside another program, such as a test. */
export interface ServerSetup {
  /** The loopback port to listen on. The value 0 selects a free port. */
  readonly port: number
  readonly siteId: string
  readonly apiKey: string
  readonly writeKey: string
  readonly managementToken: string
  readonly clock: MovableClock
  readonly intercept: Intercept
  /**
   * The data with which the server starts. Without data, the server creates workspace 1 with the keys in the other
   * fields.
   */
  readonly initial?: MemoryImage | undefined
}

/** A server that runs inside this program. */
export interface ServerInside {
  readonly url: string
  /** Copies all data of the server. */
  readonly copy: () => MemoryImage
  /** Completes the requests in progress and closes the port. */
  readonly stop: () => Promise<void>
}

/**
 * Starts a server with a store in memory. The server ignores environment variables and prints nothing. The promise
 * rejects if the server cannot start.
 */
export const startServer = ({ clock, initial, intercept, ...setup }: ServerSetup): Promise<ServerInside> =>
  new Promise((resolve, reject) => {
    const settings = ConfigProvider.fromUnknown({
      INLET_STORE: "memory",
      INLET_LOG: "none",
      INLET_CONSOLE: "off",
      INLET_PORT: String(setup.port),
      INLET_SITE_ID: setup.siteId,
      INLET_API_KEY: setup.apiKey,
      INLET_WRITE_KEY: setup.writeKey,
      INLET_MANAGEMENT_TOKEN: setup.managementToken,
    })
    let copyData: (() => MemoryImage["data"]) | undefined
    let copyWebhooks: (() => MemoryImage["webhooks"]) | undefined
    const access: MemoryAccess = {
      initial,
      dataOpened: (copy) => {
        copyData = copy
      },
      webhooksOpened: (copy) => {
        copyWebhooks = copy
      },
    }
    const copy = (): MemoryImage => {
      if (copyData === undefined || copyWebhooks === undefined) throw new Error("the server has no store yet")
      return { data: copyData(), webhooks: copyWebhooks() }
    }
    const stop = (): Promise<void> => Effect.runPromise(Fiber.interrupt(fiber))
    const started = ({ url }: Started): Effect.Effect<void> =>
      Effect.sync(() => resolve({ url: url.origin, copy, stop }))
    const fiber: Fiber.Fiber<unknown, unknown> = Effect.runFork(
      serveIn({ started, intercept }).pipe(
        Effect.provideService(Clock.Clock, clock),
        Effect.provideService(MayJump, false),
        Effect.provideService(MemoryAccess, access),
        Effect.provideService(ConfigProvider.ConfigProvider, settings),
      ),
    )
    fiber.addObserver((exit) => {
      if (Exit.isFailure(exit)) reject(Cause.squash(exit.cause))
    })
  })
