import { PostgresServer } from "@inlethq/postgres-server/PostgresServer"
import { Schema } from "effect"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { CommandLine } from "../../src/commandLine.ts"
import { CookieJar } from "../../src/console/followRedirects.ts"
import { IssuerServer, oidcVariables } from "../../src/console/IssuerServer.ts"
import { signOut } from "../../src/consoleSession.ts"
import { eventually } from "../../src/eventually.ts"
import { freePort } from "../../src/freePort.ts"
import { send } from "../../src/http.ts"
import { credentials, Inlet } from "../../src/Inlet.ts"
import { Management, read } from "../../src/Management.ts"

const callback = "/console/oidc/callback"

const Listed = Schema.Struct({
  items: Schema.Array(Schema.Struct({ session_id: Schema.String, name: Schema.String, kind: Schema.String })),
})

/** Returns the state of a session as a node sees it. */
const sessionOf = async (server: Inlet, cookie: string) =>
  Object((await send(server.url, { method: "GET", path: "/console/session", headers: { cookie } })).json)

describe("two nodes whose people sign in at a certified issuer", () => {
  let database: PostgresServer
  let issuer: IssuerServer
  let one: Inlet
  let other: Inlet

  beforeAll(async () => {
    const port = await freePort()
    const consoleUrl = `http://127.0.0.1:${port}`
    database = await PostgresServer.start()
    issuer = await IssuerServer.start(consoleUrl)
    const env = {
      ...oidcVariables(issuer.url, consoleUrl),
      INLET_STORE: database.url(await database.createDatabase()),
      INLET_SECRET: "s".repeat(32),
      INLET_LOG: "all",
    }
    one = await Inlet.start({ env: { ...env, INLET_PORT: String(port) } })
    other = await Inlet.start({ env })
  })
  afterAll(async () => {
    await Promise.all([one.stop(), other.stop()])
    await issuer.stop()
    await database.remove()
  })

  /** Signs in at the first node as far as the issuer, and returns the path with which it sends the browser back. */
  const asFarAsIssuer = async (jar: CookieJar): Promise<string> => {
    const { url } = await jar.visit(`${one.url}/console/oidc?return_to=/console/w/1/people`, callback)
    return url.pathname + url.search
  }

  /** Returns what `inlet doctor` prints about the first node. */
  const doctor = async (): Promise<string> => {
    const inlet = new CommandLine({ INLET_URL: one.url, INLET_MANAGEMENT_TOKEN: credentials.token })
    return (await inlet.run(["doctor"])).stdout
  }

  it("a person signs in on any node, once, and every node knows the session", async () => {
    const jar = new CookieJar()
    const path = await asFarAsIssuer(jar)
    const copied = jar.header
    const done = await jar.visit(`${other.url}${path}`, "/console/w/1/people")
    expect(done.url.pathname).toBe("/console/w/1/people")
    const cookie = jar.startingWith("inlet_session_")
    for (const node of [one, other]) {
      expect(await sessionOf(node, cookie)).toMatchObject({
        signed_in: true,
        token: { id: `${issuer.url} ada-1`, name: "Ada Lovelace", issuer: issuer.url },
        grants: [{ scope: "admin", workspaces: null }],
      })
      const again = await send(node.url, { method: "GET", path, headers: { cookie: copied } })
      expect([again.status, again.headers["set-cookie"]?.join().includes("inlet_session_") ?? false]).toEqual(
        [400, false],
      )
    }
  })

  it("a revoked session ends on the other node within a second", async () => {
    const jar = new CookieJar()
    await jar.visit(`${one.url}${await asFarAsIssuer(jar)}`, "/console/w/1/people")
    const cookie = jar.startingWith("inlet_session_")
    expect(await sessionOf(other, cookie)).toMatchObject({ signed_in: true })
    const management = new Management(one)
    const { items } = read(Listed, (await management.call("GET", "/sessions")).json)
    expect(items[0]).toMatchObject({ name: "Ada Lovelace", kind: "person" })
    const began = performance.now()
    await management.call("DELETE", `/sessions/${items[0]?.session_id ?? ""}`)
    await eventually("the session has ended", async () =>
      (await sessionOf(other, cookie))["signed_in"] === false ? true : undefined,
    )
    expect(performance.now() - began).toBeLessThan(5000)
  })

  it("a person whom no rule lets in is told why, and signing out ends a session everywhere", async () => {
    const jar = new CookieJar()
    await jar.visit(`${one.url}${await asFarAsIssuer(jar)}`, "/console/w/1/people")
    const cookie = jar.startingWith("inlet_session_")
    expect((await signOut(one.url, cookie)).status).toBe(204)
    await eventually("the session has ended", async () =>
      (await sessionOf(other, cookie))["signed_in"] === false ? true : undefined,
    )
    issuer.account = { id: "grace-1", name: "Grace Hopper", groups: ["sales"] }
    const stranger = new CookieJar()
    const refused = await stranger.visit(`${one.url}${await asFarAsIssuer(stranger)}`)
    expect([refused.status, refused.text]).toEqual([
      403,
      expect.stringContaining("No rule lets Grace Hopper in: the claim <code>groups</code> has sales."),
    ])
  })

  it("no log has a code, a state, a token or a group, also at its lowest level", async () => {
    const jar = new CookieJar()
    const path = await asFarAsIssuer(jar)
    await jar.visit(`${one.url}${path}`)
    const query = new URLSearchParams(path.replace(/^.*\?/, ""))
    const secrets = [
      query.get("code"),
      query.get("state"),
      jar.startingWith("inlet_oidc_"),
      "sales",
      "inlet-admins",
    ]
    expect(issuer.secrets.length).toBeGreaterThan(3)
    const printed = one.process.printed + other.process.printed
    for (const secret of [...secrets, ...issuer.secrets]) {
      if (secret !== null && secret !== "") expect(printed).not.toContain(secret)
    }
  })

  it("sessions go on while the issuer is away", async () => {
    issuer.account = { id: "ada-1", name: "Ada Lovelace", groups: ["growth"] }
    const jar = new CookieJar()
    await jar.visit(`${one.url}${await asFarAsIssuer(jar)}`, "/console/w/1/people")
    expect(await doctor()).toContain(`people sign in at ${new URL(issuer.url).host}`)
    await issuer.stop()
    const away = await eventually("signing in says that the issuer is away", async () => {
      const answer = await new CookieJar().visit(`${one.url}/console/oidc`, "/auth")
      return answer.status === 503 ? answer : undefined
    })
    expect(away.text).toContain("does not answer")
    expect(await doctor()).toContain("the server cannot sign people in at")
    expect(await sessionOf(other, jar.startingWith("inlet_session_"))).toMatchObject({
      signed_in: true,
      grants: [{ scope: "write", workspaces: [1] }],
    })
  })
})
