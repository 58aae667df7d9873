import { Schema } from "effect"
import { describe, expect, it } from "vitest"
import { fresh } from "../../src/fresh.ts"
import { cookieOf, signIn, signOut } from "../../src/consoleSession.ts"
import { send, type Answer } from "../../src/http.ts"
import { batch, event, type Headers } from "../../src/ingestion.ts"
import { Management, read } from "../../src/Management.ts"
import { credentials, Inlet, variablesFor } from "../../src/Inlet.ts"
import { launch } from "../../src/Launched.ts"
import { signInLink } from "../../src/signInLink.ts"
import { CommandLine } from "../../src/commandLine.ts"
import { eventually, within } from "../../src/eventually.ts"
import { openStream } from "../../src/eventStream.ts"
import { freshDirectory } from "../../src/cleanup.ts"
import { sharedServer } from "../../src/Tenant.ts"

const fromConsole = { "sec-fetch-site": "same-origin", "content-type": "application/json" }

const workspaces = (url: string, headers: Headers): Promise<Answer> =>
  send(url, { method: "GET", path: "/management/v1/workspaces", headers })

describe("signing in to the console", () => {
  it("the first start makes a link that signs in once, and neither the link nor the cookie is logged", async () => {
    const directory = freshDirectory()
    const process = launch({ ...variablesFor(directory), INLET_LOG: "all" })
    const url = await process.listening()
    const [, login = ""] = (await signInLink(process, directory)).split("#login=")
    const first = await signIn(url, { login })
    expect(first.status).toBe(200)
    expect(first.headers["set-cookie"]).toEqual([
      expect.stringMatching(
        /^inlet_session_[0-9a-f]{12}=[^;]+; Max-Age=604800; Path=\/; (HttpOnly; SameSite=Strict|SameSite=Strict; HttpOnly)$/i,
      ),
    ])
    expect((await signIn(url, { login })).status).toBe(401)
    expect((await workspaces(url, { cookie: cookieOf(first) })).status).toBe(200)
    await process.signal("SIGTERM")
    expect(process.output.filter((line) => line.includes(login))).toEqual([])
    expect(process.output.filter((line) => line.includes(cookieOf(first)))).toEqual([])
  })

  it("a start without a terminal logs a link that signs in once if it is asked to", async () => {
    const process = launch({ ...variablesFor(freshDirectory()), INLET_CONSOLE: "link" })
    const url = await process.listening()
    const login = await eventually(
      "the link is logged",
      () => /#login=(\w+)/.exec(process.lines().join("\n"))?.[1],
    )
    expect((await signIn(url, { login })).status).toBe(200)
    expect((await signIn(url, { login })).status).toBe(401)
    await process.signal("SIGTERM")
  })

  it("inlet console prints a link that signs in once, with the rights of the token that asked", async () => {
    const inlet = await Inlet.start()
    const linkOf = async (token: string) => {
      const [link = ""] = await new CommandLine({
        INLET_URL: inlet.url,
        INLET_MANAGEMENT_TOKEN: token,
      }).lines("console")
      expect(link.startsWith(`${inlet.url}/console/#login=`)).toBe(true)
      return { login: link.split("#login=")[1] ?? "" }
    }
    const admin = new Management(inlet)
    const made = await admin.call("POST", "/tokens", { name: "reader", scope: "read", workspaces: [1] })
    const { token, token_id } = read(
      Schema.Struct({ token: Schema.String, token_id: Schema.String }),
      made.json,
    )
    const [own, link, late] = [await linkOf(credentials.token), await linkOf(token), await linkOf(token)]
    expect(JSON.parse((await signIn(inlet.url, own)).text)).toMatchObject({
      scope: "admin",
      workspaces: null,
    })
    const session = await signIn(inlet.url, link)
    expect(JSON.parse(session.text)).toMatchObject({
      scope: "read",
      workspaces: [1],
      token: { name: "reader" },
    })
    expect((await signIn(inlet.url, link)).status).toBe(401)
    await admin.call("DELETE", `/tokens/${token_id}`)
    expect((await workspaces(inlet.url, { cookie: cookieOf(session) })).status).toBe(401)
    expect((await signIn(inlet.url, late)).status).toBe(401)
    await inlet.stop()
    const without = await Inlet.start({ dataDir: inlet.dataDir, env: { INLET_CONSOLE: "off" } })
    expect((await new Management(without).call("POST", "/sign-in-links")).status).toBe(409)
    await without.stop()
  })

  it("a session survives a restart and ends when the management token changes", async () => {
    const first = await Inlet.start()
    const cookie = cookieOf(await signIn(first.url, { token: credentials.token }))
    await first.stop()
    const second = await Inlet.start({ dataDir: first.dataDir })
    expect((await workspaces(second.url, { cookie })).status).toBe(200)
    await second.stop()
    const third = await Inlet.start({
      dataDir: first.dataDir,
      env: { INLET_MANAGEMENT_TOKEN: fresh("management-token") },
    })
    expect((await workspaces(third.url, { cookie })).status).toBe(401)
    await third.stop()
  })
})

describe("signing out of the console", () => {
  it("ends the streams of the session, and its cookie is refused after a restart too", async () => {
    const inlet = await Inlet.start()
    const [cookie, other] = [
      cookieOf(await signIn(inlet.url, { token: credentials.token })),
      cookieOf(await signIn(inlet.url, { token: credentials.token })),
    ]
    const path = "/management/v1/workspaces/1/activity/stream"
    const [stream, kept] = [
      await openStream(inlet.url, path, { cookie }),
      await openStream(inlet.url, path, { cookie: other }),
    ]
    expect((await signOut(inlet.url, cookie)).status).toBe(204)
    await within("the stream ends", stream.ended)
    expect((await workspaces(inlet.url, { cookie })).status).toBe(401)
    await event(inlet, "ada", { name: "still_here" })
    await kept.next(({ data }) => data.includes("still_here"))
    kept.close()
    await inlet.stop()
    const again = await Inlet.start({ dataDir: inlet.dataDir })
    expect((await workspaces(again.url, { cookie })).status).toBe(401)
    expect((await workspaces(again.url, { cookie: other })).status).toBe(200)
    await again.stop()
    const without = await Inlet.start({ dataDir: inlet.dataDir, env: { INLET_CONSOLE: "off" } })
    expect((await workspaces(without.url, { cookie: other })).status).toBe(401)
    await without.stop()
  })

  it("two servers on one host have cookies of different names", async () => {
    const [one, other] = await Promise.all([Inlet.start(), Inlet.start()])
    const cookies = [
      cookieOf(await signIn(one.url, { token: credentials.token })),
      cookieOf(await signIn(other.url, { token: credentials.token })),
    ]
    expect(new Set(cookies.map((cookie) => cookie.split("=")[0])).size).toBe(2)
    for (const { url } of [one, other]) {
      expect((await workspaces(url, { cookie: cookies.join("; ") })).status).toBe(200)
    }
    await Promise.all([one.stop(), other.stop()])
  })
})

const Stats = Schema.Struct({
  steps: Schema.Array(Schema.Struct({ at: Schema.String, counts: Schema.Array(Schema.Unknown) })),
})
const Applied = Schema.Struct({ operation_id: Schema.String, outcome: Schema.String, source: Schema.String })
const Items = Schema.Struct({ items: Schema.Array(Schema.Struct({ operation_id: Schema.String })) })

describe("the console's session", () => {
  it("a session cookie allows requests that count operations, change people, and return the operation that set each field", async () => {
    const inlet = await Inlet.start()
    const cookie = cookieOf(await signIn(inlet.url, { token: credentials.token }))
    const call = (method: string, path: string, body?: object): Promise<Answer> =>
      send(inlet.url, {
        method,
        path: `/management/v1/workspaces/1${path}`,
        headers: { ...fromConsole, cookie },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      })
    const sent = await batch(inlet, [
      { type: "person", action: "identify", identifiers: { id: "ada" }, attributes: { plan: "free" } },
      { type: "person", action: "event", identifiers: { id: "ada" }, name: "signed_up" },
    ])
    const edited = await call("POST", "/operations", {
      type: "person",
      action: "identify",
      identifiers: { id: "ada" },
      attributes: { plan: "pro" },
    })
    const applied = read(Applied, edited.json)
    expect(applied).toEqual(expect.objectContaining({ outcome: "applied", source: "management" }))
    const stats = read(Stats, (await call("GET", "/stats?step=3600")).json)
    expect(stats.steps.flatMap(({ counts }) => counts)).toEqual([
      { kind: "event", outcome: "applied", count: 1 },
      { kind: "identify", outcome: "applied", count: 1 },
      { kind: "identify", outcome: "created", count: 1 },
    ])
    const request = read(Items, (await call("GET", `/operations/${sent.operationId}-1/request`)).json)
    expect(request.items.map(({ operation_id }) => operation_id)).toEqual([
      `${sent.operationId}-0`,
      `${sent.operationId}-1`,
    ])
    const { svc_id } = await new Management(inlet).person({ id: "ada" })
    const provenance = await call("GET", `/people/${svc_id}/provenance`)
    expect(provenance.json).toEqual({
      items: [
        expect.objectContaining({ path: "attributes.plan", operation_id: applied.operation_id }),
        expect.objectContaining({ path: "id", operation_id: `${sent.operationId}-0` }),
      ],
      next: null,
    })
    await inlet.stop()
  })

  it("no answer of the management API may be sniffed", async () => {
    for (const path of ["/workspaces", "/nowhere", "/workspaces/1/activity", "/workspaces/999"]) {
      const { headers } = await new Management(sharedServer).call("GET", path)
      expect({ path, sniffing: headers["x-content-type-options"] }).toEqual({ path, sniffing: "nosniff" })
    }
    const refused = await send(sharedServer.url, { method: "GET", path: "/management/v1/workspaces" })
    expect([refused.status, refused.headers["x-content-type-options"]]).toEqual([401, "nosniff"])
  })

  it("the preview of a merge does not change the people", async () => {
    const inlet = await Inlet.start()
    const management = new Management(inlet)
    await batch(inlet, [
      { type: "person", action: "identify", identifiers: { id: "ada" }, attributes: { plan: "pro" } },
      {
        type: "person",
        action: "identify",
        identifiers: { id: "bob" },
        attributes: { plan: "free", age: 40 },
      },
    ])
    const before = [await management.person({ id: "ada" }), await management.person({ id: "bob" })]
    const [ada, bob] = before
    const path = `/people/${ada?.svc_id}/merge-preview`
    expect(await management.get(path, { secondary: bob?.svc_id ?? "" })).toEqual(
      expect.objectContaining({
        outcome: "applied",
        merged: expect.objectContaining({ id: "ada", attributes: { plan: "pro", age: 40 } }),
        lost: [
          { path: "id", value: "bob", kept: "ada" },
          { path: "attributes.plan", value: "free", kept: "pro" },
        ],
      }),
    )
    expect([await management.person({ id: "ada" }), await management.person({ id: "bob" })]).toEqual(before)
    await inlet.stop()
  })
})
