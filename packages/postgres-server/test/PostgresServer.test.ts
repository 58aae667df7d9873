import { tmpdir } from "node:os"
import { dirname } from "node:path"
import { afterAll, assert, describe, it } from "vitest"
import { installations } from "../src/installations.ts"
import { PostgresServer } from "../src/PostgresServer.ts"

const started: Array<PostgresServer> = []

afterAll(() => Promise.all(started.map((server) => server.remove())))

describe.concurrent.each(installations())("PostgreSQL $version", (installation) => {
  it("a PostgreSQL server keeps committed rows when it is killed and started again", async () => {
    const server = await PostgresServer.start({ installation })
    started.push(server)
    const database = await server.createDatabase()
    await server.sql(["CREATE TABLE t (n int)", "INSERT INTO t VALUES (1)"], database)
    await server.kill()
    await server.resume()
    assert.deepStrictEqual(await server.sql("SELECT n FROM t", database), [{ n: 1 }])
  })

  it("a server replicates to a standby, which can be promoted after the primary is killed", async () => {
    const primary = await PostgresServer.start({ installation })
    started.push(primary)
    const standby = await primary.standby("one")
    started.push(standby)
    await primary.stop()
    primary.configure({ synchronous_standby_names: "one", synchronous_commit: "remote_apply" })
    await primary.resume()
    await primary.sql(["CREATE TABLE t (n int)", "INSERT INTO t VALUES (1)"])
    await primary.kill()
    await standby.sql("SELECT pg_promote()")
    assert.deepStrictEqual(await standby.sql("SELECT n FROM t"), [{ n: 1 }])
  })

  it("the data of a server and of a standby with fsync are in the temporary directory, and not in memory", async () => {
    const settings = { fsync: "on" }
    const primary = await PostgresServer.start({ installation, settings })
    started.push(primary)
    const unsynced = await PostgresServer.start({ installation })
    started.push(unsynced)
    const standbys = [await primary.standby("one"), await unsynced.standby("two", settings)]
    started.push(...standbys)
    for (const server of [primary, ...standbys]) {
      assert.strictEqual(dirname(dirname(server.directory)), tmpdir())
      assert.deepStrictEqual(await server.sql("SHOW fsync"), [{ fsync: "on" }])
    }
  })
})
