import { Effect, Layer, Logger, Option, References } from "effect"
import { FetchHttpClient } from "effect/http"
import { Otlp } from "effect/observability"
import { hasColour } from "./colour.ts"
import { Settings } from "./Settings.ts"

/** The longest time that a stopping server waits for the OTLP exporter. */
const shutdownTimeout = "1 second"

/** Logs as text on a terminal and as JSON lines otherwise. Exports metrics, logs and traces over OTLP if configured. */
export const layer = Layer.unwrap(
  Effect.gen(function* () {
    const { logLevel, otlpUrl } = yield* Settings
    const logger = process.stdout.isTTY
      ? Logger.consolePretty({ colors: hasColour(process.stdout) })
      : Logger.consoleJson
    const otlp = Option.match(otlpUrl, {
      onNone: () => Layer.empty,
      onSome: (baseUrl) =>
        Otlp.layerJson({ baseUrl, resource: { serviceName: "inlet" }, shutdownTimeout }).pipe(
          Layer.provide(FetchHttpClient.layer),
        ),
    })
    const logs = Layer.merge(Logger.layer([logger]), Layer.succeed(References.MinimumLogLevel, logLevel))
    return Layer.provideMerge(otlp, logs)
  }),
)
