import { PostgresServer } from "@inlethq/postgres-server/PostgresServer"
import { Schema } from "effect"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { freshDirectory } from "../../src/cleanup.ts"
import { CommandLine } from "../../src/commandLine.ts"
import { cookieOf, signIn, signOut } from "../../src/consoleSession.ts"
import { fresh } from "../../src/fresh.ts"
import { event, identify } from "../../src/ingestion.ts"
import { send } from "../../src/http.ts"
import { credentials, Inlet } from "../../src/Inlet.ts"
import { eventually, within } from "../../src/eventually.ts"
import { openStream } from "../../src/eventStream.ts"
import { Management, read } from "../../src/Management.ts"

describe("servers on one PostgreSQL database", () => {
  let database: PostgresServer
  let url: string
  const running: Array<Inlet> = []

  const start = async (): Promise<Inlet> => {
    const inlet = await Inlet.start({ env: { INLET_STORE: url, INLET_SECRET: "s".repeat(32) } })
    running.push(inlet)
    return inlet
  }

  /** Returns two running servers, and starts servers only if fewer are running. */
  const twoServers = async (): Promise<readonly [Inlet, Inlet]> => {
    const [one, other] = running.filter(({ process }) => process.exited === undefined)
    return [one ?? (await start()), other ?? (await start())]
  }

  beforeAll(async () => {
    database = await PostgresServer.start()
    url = database.url(await database.createDatabase())
  })
  afterAll(async () => {
    await Promise.all(running.map((inlet) => inlet.stop()))
    await database.remove()
  })

  it("two servers show each other's data at once, and keep the data when one server is killed", async () => {
    const [one, other] = await Promise.all([start(), start()])
    const id = fresh("p")
    expect((await identify(one, id, { plan: "pro" })).status).toBe(200)
    expect((await event(other, id, { name: "bought", id: `${id}-1` })).status).toBe(200)
    expect((await event(one, id, { name: "bought", id: `${id}-1` })).status).toBe(200)
    const seenByOther = new Management(other)
    expect((await seenByOther.call("GET", "/server")).json).toMatchObject({
      database: { synchronous_commit: "on", standbys: [] },
    })
    const [person] = await seenByOther.people({ id })
    expect(person?.attributes).toEqual({ plan: "pro" })
    await one.kill()
    expect((await identify(other, id, { plan: "free" })).status).toBe(200)
    const restarted = new Management(await start())
    expect((await restarted.people({ id }))[0]?.attributes).toEqual({ plan: "free" })
    const entries = await restarted.activity({ name: "bought" })
    expect(entries.map(({ outcome }) => outcome).toSorted()).toEqual(["applied", "duplicate"])
    const all = await restarted.activity({})
    const positions = all.map(({ sequence }) => sequence).toSorted((a, b) => a - b)
    expect(positions).toEqual(positions.map((_, index) => index + 1))
  })

  it("a console session that is signed out on one server is refused by the other server too", async () => {
    const [one, other] = await twoServers()
    const cookie = cookieOf(await signIn(one.url, { token: credentials.token }))
    const statusAt = async ({ url }: Inlet): Promise<number> =>
      (await send(url, { method: "GET", path: "/management/v1/workspaces", headers: { cookie } })).status
    expect(await statusAt(other)).toBe(200)
    const stream = await openStream(other.url, "/management/v1/workspaces/1/activity/stream", { cookie })
    await signOut(one.url, cookie)
    expect(await statusAt(one)).toBe(401)
    await within("the stream of the other server ends", stream.ended)
    expect(await statusAt(other)).toBe(401)
  })

  it("a token that one server revokes is refused by the other, and so are its sessions and streams", async () => {
    const [one, other] = await twoServers()
    const management = new Management(one)
    const token = { name: fresh("token"), scope: "read", workspaces: null }
    const issued = read(
      Schema.Struct({ token_id: Schema.String, token: Schema.String }),
      (await management.call("POST", "/tokens", token)).json,
    )
    const authorization = `Bearer ${issued.token}`
    const cookie = cookieOf(await signIn(one.url, { token: issued.token }))
    const path = "/management/v1/workspaces"
    const statusesAt = ({ url }: Inlet): Promise<ReadonlyArray<number>> =>
      Promise.all(
        [{ authorization }, { cookie }].map(
          async (headers) => (await send(url, { method: "GET", path, headers })).status,
        ),
      )
    expect(await statusesAt(other)).toEqual([200, 200])
    const streamPath = `${path}/1/activity/stream`
    const streams = [
      await openStream(other.url, streamPath, { authorization }),
      await openStream(other.url, streamPath, { cookie }),
    ]
    expect((await management.call("DELETE", `/tokens/${issued.token_id}`)).status).toBe(204)
    expect(await statusesAt(one)).toEqual([401, 401])
    // No request reaches the other server meanwhile, so it must learn of the revocation from the database.
    for (const { ended } of streams) await within("the streams of the other server end", ended)
    expect(await statusesAt(other)).toEqual([401, 401])
  })

  it("inlet doctor checks no data directory if the server uses PostgreSQL", async () => {
    const [one] = await twoServers()
    const command = new CommandLine({
      INLET_URL: one.url,
      INLET_MANAGEMENT_TOKEN: credentials.token,
      INLET_DATA_DIR: join(freshDirectory(), "missing"),
    })
    const page = await command.lines("doctor")
    expect(page).toContain("✓ data directory none, because the server uses PostgreSQL")
    expect(page.filter((line) => line.slice(2).startsWith("disk"))).toEqual([])
  })

  it("two servers on one database list each other as nodes, and no longer list a node that has stopped", async () => {
    const [one, other] = await Promise.all([start(), start()])
    const Nodes = Schema.Struct({
      nodes: Schema.Array(
        Schema.Struct({ id: Schema.String, version: Schema.String, answering: Schema.Boolean }),
      ),
    })
    const nodesOf = async (inlet: Inlet) =>
      read(Nodes, (await new Management(inlet).call("GET", "/server")).json).nodes
    const idOf = (inlet: Inlet): Promise<string> =>
      eventually(
        "the node is listed",
        async () => (await nodesOf(inlet)).find(({ answering }) => answering)?.id,
      )
    const [first, second] = [await idOf(one), await idOf(other)]
    expect((await nodesOf(one)).map(({ id }) => id)).toEqual(expect.arrayContaining([first, second]))
    await one.stop()
    // The list of nodes in an answer may be up to two seconds old.
    const left = await eventually("the stopped node is no longer listed", async () => {
      const nodes = await nodesOf(other)
      return nodes.some(({ id }) => id === first) ? undefined : nodes
    })
    expect(left.find(({ id }) => id === second)).toMatchObject({ answering: true })
  })

  it("each server accepts console sessions that another server started, also after a restart", async () => {
    const [one, other] = await twoServers()
    const cookie = cookieOf(await signIn(one.url, { token: credentials.token }))
    const statusOn = async (inlet: Inlet): Promise<number> =>
      (await send(inlet.url, { method: "GET", path: "/management/v1/workspaces", headers: { cookie } }))
        .status
    expect([await statusOn(one), await statusOn(other)]).toEqual([200, 200])
    await one.stop()
    expect(await statusOn(await start())).toBe(200)
  })
})
