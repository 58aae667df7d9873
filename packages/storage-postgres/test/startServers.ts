import { installations, type Installation } from "@inlethq/postgres-server/installations"
import { PostgresServer } from "@inlethq/postgres-server/PostgresServer"
import { Effect, Result } from "effect"
import type { TestProject } from "vitest/node"
import { parseConnectionUrl } from "../src/engine/ConnectionUrl.ts"
import { openDatabase } from "../src/openDatabase.ts"

declare module "vitest" {
  interface ProvidedContext {
    readonly servers: ReadonlyArray<SharedServer>
  }
}

/** A server that all test files use. */
interface SharedServer {
  readonly version: number
  readonly port: number
  /** The name of a database that has all tables and no rows, to be copied. */
  readonly template: string
}

/** Starts one server of each installed version of PostgreSQL for all test files. */
export default async ({ provide }: TestProject): Promise<() => Promise<void>> => {
  const servers = await Promise.all(installations().map(start))
  provide(
    "servers",
    servers.map(({ server, template }) => ({ version: server.version, port: server.port, template })),
  )
  return async () => {
    await Promise.all(servers.map(({ server }) => server.remove()))
  }
}

const start = async (installation: Installation) => {
  const server = await PostgresServer.start({ installation })
  const template = await server.createDatabase()
  const settings = Result.getOrThrow(parseConnectionUrl(server.url(template)))
  await Effect.runPromise(Effect.scoped(openDatabase(settings)))
  return { server, template }
}
