import type { DatabaseDocument } from "@inlethq/contract/server/Server"
import { describe, expect, it } from "vitest"
import { checkDatabase } from "../src/doctor/databaseChecks.ts"

const alone: DatabaseDocument = {
  version: "18.4",
  format: 3,
  synchronous_commit: "on",
  synchronous_standby_names: "",
  standbys: [],
  connections: 12,
  connections_max: 100,
  connections_needed: 46,
  bytes: 1024,
  distributed: false,
  names_behind_pooler: false,
  clock_ahead_ms: 3,
}

const standby = { name: "standby", state: "streaming", synchronous: false, bytes_behind: 0 }

const statusesOf = (database: DatabaseDocument) =>
  Object.fromEntries(checkDatabase({ database, unanswered: [] }).map(({ name, status }) => [name, status]))

describe("the checks of a database", () => {
  it("inlet doctor makes no database checks for a server without PostgreSQL", () => {
    expect(checkDatabase({ database: null, unanswered: [] })).toEqual([])
  })

  it("inlet doctor fails if the database does not answer in time or rejects a query", () => {
    const [check] = checkDatabase({ database: null, unanswered: ["database"] })
    expect(check).toMatchObject({
      name: "database",
      status: "failed",
      found: expect.stringContaining("did not answer in time, or it rejected a query"),
    })
  })

  it("a single server with free connections and a correct clock passes all checks of inlet doctor", () => {
    expect(new Set(Object.values(statusesOf(alone)))).toEqual(new Set(["ok"]))
  })

  it("inlet doctor warns of statements with names behind a pooler", () => {
    expect(statusesOf({ ...alone, names_behind_pooler: true })["pooler"]).toBe("warning")
  })

  it("inlet doctor warns of a standby for which commits do not wait", () => {
    expect(statusesOf({ ...alone, standbys: [standby] })["standbys"]).toBe("warning")
  })

  it("inlet doctor fails if a synchronous standby is not connected", () => {
    const waiting = { ...alone, synchronous_standby_names: "standby" }
    expect(statusesOf(waiting)["standbys"]).toBe("failed")
    const connected = { ...waiting, standbys: [{ ...standby, synchronous: true }] }
    expect(statusesOf(connected)["standbys"]).toBe("ok")
  })

  it("inlet doctor warns if the user cannot see whether commits wait for a connected standby", () => {
    const unknown = { ...standby, state: "unknown", synchronous: null, bytes_behind: null }
    const hidden = { ...alone, synchronous_standby_names: "standby", standbys: [unknown] }
    const found = checkDatabase({ database: hidden, unanswered: [] }).find(({ name }) => name === "standbys")
    expect(found).toMatchObject({ status: "warning", advice: expect.stringContaining("pg_monitor") })
    expect(
      statusesOf({ ...hidden, standbys: [unknown, { ...standby, synchronous: true }] })["standbys"],
    ).toBe("ok")
  })

  it("inlet doctor warns if few connections are free", () => {
    expect(statusesOf({ ...alone, connections: 81 })["connections"]).toBe("warning")
  })

  it("inlet doctor warns if the nodes can open more connections than the server accepts", () => {
    const [check] = checkDatabase({ database: { ...alone, connections_max: 45 }, unanswered: [] }).filter(
      ({ name }) => name === "connections",
    )
    expect(check).toMatchObject({ status: "warning", found: expect.stringContaining("at least 46") })
    expect(check).toMatchObject({ advice: expect.stringContaining("53300") })
  })

  it("inlet doctor tells the size, and whether the tables are distributed", () => {
    const [check] = checkDatabase({ database: { ...alone, distributed: true }, unanswered: [] })
    expect(check?.found).toBe("PostgreSQL 18.4, tables of format 3, distributed, 1 KB")
  })

  it.each([1500, -1500])("inlet doctor warns of a clock that differs by %s ms", (clock_ahead_ms) => {
    expect(statusesOf({ ...alone, clock_ahead_ms })["database clock"]).toBe("warning")
  })
})
