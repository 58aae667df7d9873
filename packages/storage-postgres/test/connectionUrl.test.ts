import { assert, describe, it } from "@effect/vitest"
import { Redacted, Result } from "effect"
import { parseConnectionUrl } from "../src/engine/ConnectionUrl.ts"
import { settingsOf } from "./server.ts"

const problemOf = (url: string): string => {
  const parsed = parseConnectionUrl(url)
  return Result.isFailure(parsed) ? parsed.failure.problem : "accepted"
}

describe("a connection URL", () => {
  it("a connection URL is parsed to its hosts, user, password and database", () => {
    const settings = settingsOf(
      "postgres://ada:s%40cret%3A@h1:5433,[::1],h2/in%20let?target_session_attrs=read-write",
    )
    assert.deepStrictEqual(settings.hosts, [
      { name: "h1", port: 5433 },
      { name: "::1", port: 5432 },
      { name: "h2", port: 5432 },
    ])
    assert.strictEqual(settings.user, "ada")
    assert.strictEqual(settings.password && Redacted.value(settings.password), "s@cret:")
    assert.strictEqual(settings.database, "in let")
  })

  it("a connection URL without parameters has the defaults of libpq, except that every wait has a limit", () => {
    const settings = settingsOf("postgresql://ada@/")
    assert.deepStrictEqual(settings.hosts, [{ name: "localhost", port: 5432 }])
    assert.strictEqual(settings.database, "ada")
    assert.strictEqual(settings.password, undefined)
    assert.strictEqual(settings.sslMode, "prefer")
    assert.strictEqual(settings.connectMsMax, 2000)
    assert.strictEqual(settings.startMsMax, 30_000)
    assert.strictEqual(settings.applicationName, "inlet")
    assert.strictEqual(settings.prepare, true)
    assert.strictEqual(settings.listen, true)
    assert.strictEqual(settings.poolSize, 10)
  })

  it("parameters of a connection URL override its user, password, hosts and database", () => {
    const settings = settingsOf(
      "postgres://ada:one@h/db?host=a,b&port=1,2&user=bob&password=two&dbname=other&sslmode=verify-full" +
        "&sslrootcert=/ca.pem&application_name=node%201&connect_timeout=7&start_timeout=0&prepare=false&pool_size=4",
    )
    assert.deepStrictEqual(settings.hosts, [
      { name: "a", port: 1 },
      { name: "b", port: 2 },
    ])
    assert.strictEqual(settings.user, "bob")
    assert.strictEqual(settings.password && Redacted.value(settings.password), "two")
    assert.strictEqual(settings.database, "other")
    assert.strictEqual(settings.sslMode, "verify-full")
    assert.strictEqual(settings.sslRootCertificate, "/ca.pem")
    assert.strictEqual(settings.applicationName, "node 1")
    assert.strictEqual(settings.connectMsMax, 7000)
    assert.strictEqual(settings.startMsMax, 0)
    assert.strictEqual(settings.prepare, false)
    assert.strictEqual(settings.listen, false)
    assert.strictEqual(settings.poolSize, 4)
  })

  it("a connection URL can name the directory of a Unix socket as its host", () => {
    assert.deepStrictEqual(settingsOf("postgres://ada@%2Frun%2Fpg/db").hosts, [
      { name: "/run/pg", port: 5432 },
    ])
  })

  it.each([
    ["http://h/db", "expected postgres://user:password@host:port/database"],
    ["postgres://h:0/db", "a port must be from 1 to 65535"],
    ["postgres://h:1:2/db", "hosts must be name:port, separated by commas"],
    ["postgres://u:secret%@h/db", "the password has a percent sign that begins no percent-encoding"],
    [
      "postgres://h/db?sslmode=allow",
      "sslmode must be one of disable, prefer, require, verify-ca, verify-full",
    ],
    ["postgres://h/db?target_session_attrs=standby", "target_session_attrs must be read-write"],
    ["postgres://h/db?connect_timeout=99", "connect_timeout must be from 1 to 60 seconds"],
    ["postgres://h/db?start_timeout=", "start_timeout must be from 0 to 3600 seconds"],
    ["postgres://h/db?prepare=no", "prepare must be true or false"],
    ["postgres://h/db?listen=", "listen must be true or false"],
    ["postgres://h/db?pool_size=1", "pool_size must be from 2 to 100"],
    ["postgres://h/db?sslkey=a", "unknown parameter sslkey"],
    ["postgres://h/db?host=a,b&port=1,2,3", "expected one port, or as many ports as hosts"],
  ])("the connection URL %s is refused: %s", (url, problem) => {
    assert.strictEqual(problemOf(url), problem)
  })

  it.each([
    ["?", "%3F"],
    ["@", "%40"],
    ["#", "%23"],
    ["/", "%2F"],
  ])(
    "an unescaped %s in a password is refused, and no part of the password is shown",
    (character, encoded) => {
      const parts = ["hush", "quiet", "silence"]
      const passwords = [
        parts.join(character),
        `${parts[0]}${character}12`,
        `12${character}${parts[0]}`,
        `${parts[0]}${character}sslmode=${parts[1]}`,
        `${character}${parts[0]}@${parts[1]}`,
        `${parts[0]}@${parts[1]}${character}${parts[2]}`,
      ]
      for (const password of passwords) {
        for (const user of ["ada", "5432"]) {
          const problem = problemOf(`postgres://${user}:${password}@h:5432/db?sslmode=require`)
          assert.match(problem, /^the character [?@#/] in the user, the password or a parameter must be/)
          if (!password.includes("@")) assert.include(problem, `as ${encoded}`)
          for (const part of parts) assert.notInclude(problem, part)
        }
      }
    },
  )
})
