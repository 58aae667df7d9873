import { readFile } from "node:fs/promises"
import { Effect, type Scope } from "effect"
import type { Driver } from "./Connection.ts"
import type { ConnectionSettings } from "./ConnectionUrl.ts"
import { Database } from "./Database.ts"
import { UnusableServer } from "./openErrors.ts"
import { postgresTexts } from "./postgresTexts.ts"
import { sqlPgDriver } from "./sqlPgDriver.ts"

/** Connects to a database that is checked and migrated already. */
export const connectWith = (
  settings: ConnectionSettings,
): Effect.Effect<Database["Service"], UnusableServer, Scope.Scope> =>
  Effect.flatMap(driverFor(settings), (driver) => Database.make(driver, settings))

/** Returns a driver that trusts the certificate authorities of the settings. */
export const driverFor = (settings: ConnectionSettings): Effect.Effect<Driver, UnusableServer> =>
  Effect.map(rootCertificates(settings), sqlPgDriver)

const rootCertificates = ({
  sslRootCertificate: file,
}: ConnectionSettings): Effect.Effect<string | undefined, UnusableServer> =>
  file === undefined
    ? Effect.succeed(undefined)
    : Effect.tryPromise({
        try: () => readFile(file, "utf8"),
        catch: (cause) => {
          const problem = cause instanceof Error ? cause.message : String(cause)
          return new UnusableServer({ problem: postgresTexts.rootCertificate({ file, problem }) })
        },
      })
