import { makeCertificate } from "@inlethq/postgres-server/certificate"
import { PostgresServer } from "@inlethq/postgres-server/PostgresServer"
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { openDatabase } from "../src/openDatabase.ts"
import { settingsOf } from "./server.ts"

const { cert, key } = makeCertificate("database", "elsewhere.test")
const other = makeCertificate("other")

describe("sslmode", () => {
  let server: PostgresServer
  beforeAll(async () => {
    server = await PostgresServer.start()
    server.addFile("server.key", key)
    server.addFile("server.crt", cert)
    server.addFile("other.crt", other.cert)
    server.configure({ ssl: "on" })
    await server.stop()
    await server.resume()
  })
  afterAll(() => server.remove())

  const open = (parameters: string, host = "127.0.0.1") =>
    openDatabase(settingsOf(`${server.url().replace("127.0.0.1", host)}?${parameters}&start_timeout=0`)).pipe(
      Effect.scoped,
    )

  const usesTls = (parameters: string) =>
    Effect.gen(function* () {
      const database = yield* openDatabase(settingsOf(`${server.url()}?${parameters}`))
      const rows = yield* database.query("look", "SELECT ssl FROM pg_stat_ssl WHERE pid = pg_backend_pid()")
      return rows[0]?.["ssl"]
    })

  const trusting = (file: string) => `sslrootcert=${server.directory}/${file}`

  it.live("with sslmode disable, Inlet connects without TLS", () =>
    Effect.gen(function* () {
      assert.isFalse(yield* usesTls("sslmode=disable"))
    }),
  )

  it.live.each(["", "sslmode=prefer", "sslmode=require"])(
    "a connection URL with the parameters '%s' uses TLS without checking the certificate",
    (mode) =>
      Effect.gen(function* () {
        assert.isTrue(yield* usesTls(mode))
      }),
  )

  it.live(
    "with sslmode verify-ca or require, Inlet accepts a certificate for another host if it trusts the authority of the certificate",
    () =>
      Effect.gen(function* () {
        assert.isTrue(yield* usesTls(`sslmode=verify-ca&${trusting("server.crt")}`))
        yield* open(`sslmode=verify-ca&${trusting("server.crt")}`, "localhost")
        yield* open(`sslmode=require&${trusting("server.crt")}`, "localhost")
      }),
  )

  it.live("with sslmode verify-full, Inlet accepts only a certificate for the host", () =>
    Effect.gen(function* () {
      assert.isTrue(yield* usesTls(`sslmode=verify-full&${trusting("server.crt")}`))
      const failure = yield* Effect.flip(open(`sslmode=verify-full&${trusting("server.crt")}`, "localhost"))
      assert.match(
        failure.message,
        /^the certificate of PostgreSQL is not trusted \(Hostname\/IP does not match/,
      )
    }),
  )

  it.live.each(["require", "verify-ca", "verify-full"])(
    "the mode %s refuses a certificate of an unknown authority",
    (mode) =>
      Effect.gen(function* () {
        const failure = yield* Effect.flip(open(`sslmode=${mode}&${trusting("other.crt")}`))
        assert.match(failure.message, /^the certificate of PostgreSQL is not trusted \(/)
      }),
  )
})

describe("sslmode with a server without TLS", () => {
  let server: PostgresServer
  beforeAll(async () => {
    server = await PostgresServer.start()
  })
  afterAll(() => server.remove())

  it.live("with sslmode prefer, Inlet connects without TLS if the server has no TLS", () =>
    Effect.scoped(openDatabase(settingsOf(`${server.url()}?start_timeout=0`))),
  )

  it.live("with sslmode require, Inlet refuses to connect if the server has no TLS", () =>
    Effect.gen(function* () {
      const failure = yield* Effect.flip(
        Effect.scoped(openDatabase(settingsOf(`${server.url()}?sslmode=require&start_timeout=0`))),
      )
      assert.match(failure.message, /The server does not support TLS\)/)
    }),
  )
})
