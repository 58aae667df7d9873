import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { ClockedServer } from "../../src/ClockedServer.ts"
import { freshDirectory } from "../../src/cleanup.ts"
import { eventually } from "../../src/eventually.ts"
import { expectTrackSuccess } from "../../src/expectAnswer.ts"
import { customerPath, event, identify, pipelines, track } from "../../src/ingestion.ts"
import { Management } from "../../src/Management.ts"

const monthMs = 31 * 24 * 60 * 60_000

const linesAbout = (server: ClockedServer) =>
  server.process.lines().filter((line) => line.includes("the clock"))

const namesIn = async (server: ClockedServer) =>
  (await new Management(server).activity({ order: "asc" })).map(({ kind, name }) => name ?? kind)

/** Deletes a person and waits until housekeeping has erased them, so it has run since. */
const erase = async (server: ClockedServer, id: string): Promise<void> => {
  const management = new Management(server)
  expectTrackSuccess(await identify(server, id, { secret: id }))
  expectTrackSuccess(await track(server, "DELETE", customerPath(id)))
  await eventually("housekeeping has erased the person", async () => {
    const [erasure] = Object(await management.get("/erasures")).items
    return erasure.state === "sealed" ? true : undefined
  })
}

describe("the embedded store after a jump of the clock", () => {
  it("deletes nothing for its age, erases whom it is asked to, and logs one line", async () => {
    const dataDir = join(freshDirectory(), "data")
    const before = await ClockedServer.start(0, { dataDir })
    expectTrackSuccess(await identify(before, "ada", { plan: "pro" }))
    const body = { anonymousId: "visitor", event: "seen" }
    expect((await pipelines(before, "/v1/track", body)).status).toBe(200)
    await erase(before, "bob")
    const kept = await namesIn(before)
    expect(await before.process.signal("SIGTERM")).toEqual({ code: 0, signal: null })

    const after = await ClockedServer.start(monthMs, { dataDir })
    expect((await after.readiness()).status).toBe(200)
    await erase(after, "eve")
    const sent = await event(after, "ada", { name: "later" })
    expectTrackSuccess(sent)
    expect((await namesIn(after)).slice(0, kept.length)).toEqual(kept)
    expect(Date.parse((await new Management(after).operation(sent)).received_at)).toBeGreaterThan(
      Date.now() + monthMs / 2,
    )
    expect(linesAbout(after)).toEqual([
      expect.stringContaining("the clock has jumped ahead by more than a day"),
    ])

    after.moveClock(0)
    await eventually("the clock is right", () => (linesAbout(after).length > 1 ? true : undefined))
    await erase(after, "joe")
    expect((await namesIn(after)).slice(0, kept.length)).toEqual(kept)
    // Receipt times never go back.
    const last = await new Management(after).operation(await event(after, "ada", { name: "last" }))
    expect(Date.parse(last.received_at)).toBeGreaterThan(Date.now() + monthMs / 2)
    expect(linesAbout(after)[1]).toContain("the clock is right again")
  })
})
