import { Ingest } from "@inlethq/engine/commits/Ingest"
import { Layer, Option } from "effect"
import { HttpSettings } from "../../src/HttpSettings.ts"

/** The default settings on a free port, with the region US and without the address of a node in the other region. */
export const settings = HttpSettings.of({
  address: { host: "127.0.0.1", port: 0, variable: "INLET_PORT" },
  operatorAddress: Option.none(),
  metrics: "token",
  appApi: "operator",
  console: true,
  consoleTokens: true,
  oidc: Option.none(),
  tls: Option.none(),
  trustedProxies: null,
  geoFile: Option.none(),
  outcomes: true,
  brand: "svc",
  region: "us",
  peerUrl: Option.none(),
  publicUrl: Option.none(),
})

export const defaultSettings = Layer.succeed(HttpSettings, settings)

/** Returns an `Ingest` that has only the given methods. */
export const ingestOf = (does: Partial<Ingest["Service"]>): Layer.Layer<Ingest> => Layer.mock(Ingest, does)
