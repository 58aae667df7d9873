import { execFileSync } from "node:child_process"
import { rmSync, statSync } from "node:fs"
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { afterAll, describe, expect, it } from "vitest"
import { eventually } from "../../src/eventually.ts"
import { expectTrackSuccess, expectStrictFault, expectPipelinesSuccess } from "../../src/expectAnswer.ts"
import { databasesOf, filesOf, filesContaining } from "../../src/files.ts"
import { fresh, freshEmail, textOfBytes } from "../../src/fresh.ts"
import type { Answer } from "../../src/http.ts"
import { batch, entity, event, identify, pipelines, strict, track } from "../../src/ingestion.ts"
import { Inlet, variablesFor } from "../../src/Inlet.ts"
import { freshDirectory } from "../../src/cleanup.ts"
import { launchAs } from "../../src/Launched.ts"
import { serverFile } from "../../src/programs.ts"
import { Management } from "../../src/Management.ts"

const running: Array<Inlet> = []
afterAll(() => Promise.all(running.map((inlet) => inlet.stop())))

const expectUnavailable = (answer: Answer): void => {
  expect(answer.status).toBe(503)
  expect(Number(answer.headers["retry-after"])).toBeGreaterThan(0)
  expect(answer.operationId).toBe("")
}

/**
 * Calls of every protocol about one new person. All calls are refused during an outage, and all must succeed when they
 * are sent again later.
 */
const callsDuringOutage = (inlet: Inlet) => {
  const [id, name] = [fresh("p"), fresh("down")]
  const item = { type: "person", identifiers: { id }, action: "event", name }
  return {
    id,
    name,
    send: [
      () => identify(inlet, id, { plan: "pro" }),
      () => event(inlet, id, { name, id: `${name}-1` }),
      () => entity(inlet, { ...item, id: `${name}-2` }),
      () =>
        batch(inlet, [
          { ...item, id: `${name}-3` },
          { ...item, id: `${name}-4` },
        ]),
      () => pipelines(inlet, "/v1/track", { userId: id, event: name, messageId: `${name}-5` }),
      () => pipelines(inlet, "/v1/track", { userId: id, event: name, messageId: `${name}-6` }, strict),
    ],
  }
}

const expectRecovered = async (
  inlet: Inlet,
  refused: ReturnType<typeof callsDuringOutage>,
): Promise<void> => {
  const management = new Management(inlet)
  await inlet.ready()
  expect(await management.activity({ name: refused.name })).toEqual([])
  expect(await management.people({ id: refused.id })).toEqual([])
  for (const call of refused.send) expect((await call()).status).toBe(200)
  const events = await management.activity({ name: refused.name })
  expect(events.map(({ id }) => id).toSorted()).toEqual([1, 2, 3, 4, 5, 6].map((n) => `${refused.name}-${n}`))
  expect((await management.person({ id: refused.id })).attributes).toEqual({ plan: "pro" })
}

const notReady = (inlet: Inlet) =>
  eventually("the server is not ready", async () => ((await inlet.readiness()) === 503 ? true : undefined))

describe("a store that another process has locked", () => {
  it("contract §4 outage: the server answers 503 with Retry-After while the store is locked, and recovers by itself", async () => {
    const inlet = await Inlet.start()
    running.push(inlet)
    await identify(inlet, fresh("before"), {})
    const locks = databasesOf(inlet.dataDir).map((file) => new DatabaseSync(file))
    expect(locks.length).toBeGreaterThan(0)
    for (const lock of locks) lock.exec("BEGIN IMMEDIATE")
    const refused = callsDuringOutage(inlet)
    const answers = await Promise.all(refused.send.map((call) => call()))
    for (const answer of answers) expectUnavailable(answer)
    expectStrictFault(answers[5] ?? failed())
    await notReady(inlet)
    for (const lock of locks) {
      lock.exec("ROLLBACK")
      lock.close()
    }
    await expectRecovered(inlet, refused)
  })
})

const failed = (): never => {
  throw new Error("no answer")
}

const run = ([file = "", ...rest]: ReadonlyArray<string>): void => {
  execFileSync(file, rest, { stdio: "ignore" })
}

/** Limits the size of each file that a process writes. `bytes` is a number of bytes or `unlimited`. */
const limitFiles = (pid: number | undefined, bytes: string): void => {
  run(["prlimit", "--pid", String(pid), `--fsize=${bytes}:`])
}

/** Sends events until the server refuses an event. Returns the names of the accepted events. */
const fill = async (inlet: Inlet): Promise<Array<string>> => {
  const accepted: Array<string> = []
  for (let n = 0; n < 2000; n++) {
    const name = fresh("fill")
    const answer = await event(inlet, "p", { name, id: name, data: { filler: textOfBytes(30_000) } })
    if (answer.status !== 200) {
      expectUnavailable(answer)
      return accepted
    }
    accepted.push(name)
  }
  throw new Error("none of 2000 events was refused")
}

const expectStoredOnce = async (inlet: Inlet, accepted: ReadonlyArray<string>): Promise<void> => {
  const stored = (await new Management(inlet).activity({ kind: "event" })).map(({ id }) => id)
  expect(accepted.filter((name) => !stored.includes(name))).toEqual([])
  expect(new Set(stored).size).toBe(stored.length)
}

describe("files that cannot grow", () => {
  it.each([
    ["1 byte", () => "1"],
    [
      "its current size",
      (dataDir: string) => String(Math.max(...filesOf(dataDir).map((file) => statSync(file).size))),
    ],
  ])(
    "the server answers 503 while no file can grow beyond %s, and recovers by itself",
    async (_name, limit) => {
      const inlet = await Inlet.start()
      running.push(inlet)
      await identify(inlet, fresh("before"), {})
      limitFiles(inlet.process.child.pid, limit(inlet.dataDir))
      const accepted = await fill(inlet)
      const refused = callsDuringOutage(inlet)
      for (const call of refused.send) expectUnavailable(await call())
      await notReady(inlet)
      limitFiles(inlet.process.child.pid, "unlimited")
      await expectRecovered(inlet, refused)
      await expectStoredOnce(inlet, accepted)
      expect(inlet.process.exited).toBeUndefined()
    },
  )
})

const canMount = (): boolean => {
  try {
    run(["unshare", "-rm", "mount", "-t", "tmpfs", "none", "/mnt"])
    return true
  } catch {
    return false
  }
}

/**
 * Starts a server on a file system of 24 MiB that also contains a ballast file of 16 MiB. `free` deletes the ballast
 * file.
 */
const onSmallDisk = async () => {
  const disk = freshDirectory()
  const dataDir = join(disk, "data")
  const script = `mount -t tmpfs -o size=24m none "$0" && head -c 16777216 /dev/zero > "$0/ballast" && exec "$@"`
  const command = ["unshare", "-rm", "sh", "-c", script, disk, process.execPath, serverFile]
  const inlet = await Inlet.fromProcess(launchAs(command, variablesFor(dataDir)), dataDir)
  const ballast = `/proc/${inlet.process.child.pid}/root${disk}/ballast`
  return { inlet, free: () => rmSync(ballast) }
}

/** Starts a server that can write only small files. This imitates a full disk if tests cannot mount a file system. */
const onSmallFiles = async () => {
  const inlet = await Inlet.start()
  limitFiles(inlet.process.child.pid, "8000000")
  return { inlet, free: () => limitFiles(inlet.process.child.pid, "unlimited") }
}

describe("a full disk", () => {
  it("the server answers 503 while the disk is full, and recovers by itself", async () => {
    const { inlet, free } = await (canMount() ? onSmallDisk() : onSmallFiles())
    running.push(inlet)
    const accepted = await fill(inlet)
    expect(accepted.length).toBeGreaterThan(0)
    await notReady(inlet)
    // A checkpoint can free some space, so the server may accept more events before the disk is full again.
    accepted.push(...(await fill(inlet)))
    free()
    await inlet.ready()
    await expectRecovered(inlet, callsDuringOutage(inlet))
    await expectStoredOnce(inlet, accepted)
  })
})

describe("a person who is deleted", () => {
  const erasing: ReadonlyArray<readonly [string, (inlet: Inlet, id: string) => Promise<Answer>]> = [
    ["v1", (inlet, id) => track(inlet, "DELETE", `/api/v1/customers/${id}`)],
    ["v2", (inlet, id) => entity(inlet, { type: "person", identifiers: { id }, action: "delete" })],
  ]
  it.each(erasing)(
    "contract §6 secure delete: all data of a person deleted with %s disappears from the files of the store",
    async (_name, erase) => {
      const inlet = await Inlet.start()
      running.push(inlet)
      const [id, email, anonymousId] = [fresh("erased"), freshEmail(), fresh("visitor")]
      const [value, attribute, name, large] = [
        fresh("value"),
        fresh("attribute"),
        fresh("event"),
        fresh("large"),
      ]
      const traces = [id, email, anonymousId, value, attribute, name, large]
      const bystander = fresh("bystander")
      for (let n = 0; n < 100; n++) await identify(inlet, `${bystander}-${n}`, { plan: textOfBytes(900) })
      await track(inlet, "POST", "/api/v1/events", { name, anonymous_id: anonymousId, data: { value } })
      await identify(inlet, id, { email, anonymous_id: anonymousId, [attribute]: value })
      await identify(inlet, id, { [attribute]: `${value}-changed` })
      for (let n = 0; n < 20; n++)
        await event(inlet, id, { name, data: { n, value, filler: textOfBytes(20_000, large) } })
      expectPipelinesSuccess(
        await pipelines(inlet, "/v1/identify", { userId: id, traits: { [attribute]: value, email } }),
      )
      expectPipelinesSuccess(
        await pipelines(inlet, "/v1/track", { userId: email, event: name, properties: { value } }),
      )
      for (const trace of traces) expect(filesContaining(inlet.dataDir, trace)).not.toEqual([])
      expectTrackSuccess(await erase(inlet, id))
      await eventually("no file names the person", () =>
        filesContaining(inlet.dataDir, ...traces).length === 0 ? true : undefined,
      )
      expect(filesContaining(inlet.dataDir, bystander)).not.toEqual([])
      expect((await new Management(inlet).person({ id: `${bystander}-99` })).attributes).toEqual({
        plan: textOfBytes(900),
      })
    },
  )
})
