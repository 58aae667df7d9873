import { assert, describe, it } from "@effect/vitest"
import { Catalog } from "@inlethq/core/catalog/Catalog"
import { Digest } from "@inlethq/core/ports/Digest"
import { ExportFiles } from "@inlethq/core/ports/ExportFiles"
import { Registry } from "@inlethq/core/ports/Registry"
import { Store } from "@inlethq/core/ports/Store"
import { SubjectKey } from "@inlethq/core/values/Identifier"
import type { Json } from "@inlethq/core/values/Json"
import { defaultSettings } from "@inlethq/core/workspace/Workspace"
import { Ingest } from "@inlethq/engine/commits/Ingest"
import { Turns } from "@inlethq/engine/reads/ReadTurns"
import { byId, identify, remove } from "@inlethq/store-conformance/script/commands"
import { Deferred, Effect, Exit, Fiber, Layer, Option, Schema, Scope, Stream } from "effect"
import { TestClock } from "effect/testing"
import { gunzipSync } from "node:zlib"
import type { AppCall } from "../../src/appApi/AppCall.ts"
import { AppQuery } from "../../src/appApi/AppQuery.ts"
import { encodeKeys, ExportChecks, keysIn } from "../../src/appApi/ExportChecks.ts"
import { exportsMax, findJob, madeFile, type ExportJob } from "../../src/appApi/ExportJob.ts"
import { exportCustomers, exportMessages } from "../../src/appApi/exports.ts"
import * as ExportsWorker from "../../src/appApi/exportsWorker.ts"
import { ImportNode } from "../../src/management/imports/ImportNode.ts"
import { apply, memory } from "../management/managementServer.ts"
import { exportChecks } from "./exportChecks.ts"

type Files = ExportFiles["Service"]

/** Files whose calls let other work run, as those on a disk do. */
const unhurried = (files: Files): Files => ({
  ...files,
  list: Effect.andThen(Effect.yieldNow, files.list),
  save: (key, parts) => Effect.andThen(Effect.yieldNow, files.save(key, parts)),
})

const callWith = Effect.fnUntraced(function* (
  body: Json,
  around: (files: Files) => Files = (files) => files,
) {
  const registry = yield* Registry
  const call: AppCall = {
    catalog: yield* Catalog,
    store: yield* Store,
    turns: yield* Turns,
    ingest: yield* Ingest,
    exports: around(yield* ExportFiles),
    exportChecks: yield* exportChecks,
    digest: yield* Digest,
    workspace: yield* registry.createWorkspace(defaultSettings("test", "us")),
    origin: "http://localhost",
    parameters: [],
    query: new AppQuery(""),
    body,
  }
  return call
})

const ada = { field: "id", operator: "eq", value: "ada" }
const filters = { attribute: { field: "plan", operator: "exists" } }

/** Lets the worker look again, and what it compresses end. */
const look = Effect.andThen(
  TestClock.adjust("500 millis"),
  Effect.promise(() => new Promise<void>((resolve) => setImmediate(resolve))),
)

const names = (files: Files) => Effect.map(files.list, (keys) => keys.map(({ name }) => name).toSorted())

const lookUntil = (files: Files, is: (found: ReadonlyArray<string>) => boolean) =>
  Effect.repeat(look, { until: () => Effect.map(names(files), is) })

/** Exports are made, and nothing is left over. */
const areDone =
  (count: number) =>
  (found: ReadonlyArray<string>): boolean =>
    found.length === 3 * count && found.filter((name) => name.endsWith(".done")).length === count

const isDone = areDone(1)

const working = Layer.build(ExportsWorker.layer)

const Made = Schema.fromJsonString(Schema.Struct({ export: Schema.Struct({ id: Schema.Int }) }))

describe("exports that are asked for", () => {
  it.effect("within one millisecond have ids of their own", () =>
    Effect.gen(function* () {
      const call = yield* callWith({ filters }, unhurried)
      const asked = Array.from({ length: 5 }, () => exportCustomers(call))
      const answers = yield* Effect.all(asked, { concurrency: "unbounded" })
      const made = yield* Effect.forEach(answers, ({ json }) => Schema.decodeUnknownEffect(Made)(json))
      assert.strictEqual(new Set(made.map((one) => one.export.id)).size, 5)
      assert.lengthOf(yield* call.exports.list, 5)
    }).pipe(Effect.provide(memory)),
  )

  it.effect("at the same time are never more than a workspace may have", () =>
    Effect.gen(function* () {
      const call = yield* callWith({ filters }, unhurried)
      const asked = Array.from({ length: exportsMax + 10 }, () => Effect.result(exportCustomers(call)))
      const answers = yield* Effect.all(asked, { concurrency: "unbounded" })
      assert.lengthOf(
        answers.filter(({ _tag }) => _tag === "Success"),
        exportsMax,
      )
      assert.lengthOf(yield* call.exports.list, exportsMax)
    }).pipe(Effect.provide(memory)),
  )

  it.effect("on another node meanwhile count too", () =>
    Effect.gen(function* () {
      const files = yield* ExportFiles
      const another = yield* callWith({ filters }, (own) => ({
        ...own,
        save: (key, parts) =>
          Effect.andThen(
            files.save({ ...key, name: "1.pending" }, Stream.succeed(new Uint8Array(1))),
            own.save(key, parts),
          ),
      }))
      const { workspace } = another
      yield* Effect.forEach(Array.from({ length: exportsMax - 1 }), (_, index) =>
        files.save(
          { workspace: workspace.id, name: `${index + 2}.pending` },
          Stream.succeed(new Uint8Array(1)),
        ),
      )
      const refused = yield* Effect.flip(exportCustomers(another))
      assert.propertyVal(refused, "status", 400)
      assert.lengthOf(yield* files.list, exportsMax)
    }).pipe(Effect.provide(memory)),
  )

  it.effect.each([{ start: 1700000000.1234 }, { end: 1e300 }, { start: -1 }, { end: "soon" }, { start: {} }])(
    "for %j are refused, because that is no time",
    (times) =>
      Effect.gen(function* () {
        const call = yield* callWith({ newsletter_id: 3, ...times })
        const refused = yield* Effect.flip(exportMessages(call))
        assert.propertyVal(refused, "status", 400)
        assert.lengthOf(yield* call.exports.list, 0)
      }).pipe(Effect.provide(memory)),
  )
})

describe("the worker at exports", () => {
  it.effect("removes files that have no status for a minute", () =>
    Effect.gen(function* () {
      const { exports: files, workspace } = yield* callWith({ filters })
      const bytes = Stream.succeed(new Uint8Array(8))
      for (const name of ["7.rows", "7.keys.0a", "7.pending"]) {
        yield* files.save({ workspace: workspace.id, name }, bytes)
      }
      yield* working
      for (let looks = 0; looks < 100; looks++) yield* look
      assert.lengthOf(yield* files.list, 3)
      yield* lookUntil(files, (found) => found.length === 0)
    }).pipe(Effect.scoped, Effect.provide(memory)),
  )

  it.effect("ends what it makes when another node has taken over, whose file stays whole", () =>
    Effect.gen(function* () {
      const call = yield* callWith({ filters })
      const files = call.exports
      yield* exportCustomers(call)
      const begun = yield* Deferred.make<void>()
      const interrupted = yield* Deferred.make<void>()
      let isMine = true
      const stuck: Files = {
        ...files,
        save: (key, parts) =>
          /\.rows/.test(key.name)
            ? files.save(key, parts).pipe(
                Effect.andThen(Deferred.succeed(begun, undefined)),
                Effect.andThen(Effect.never),
                Effect.onInterrupt(() => Deferred.succeed(interrupted, undefined)),
              )
            : files.save(key, parts),
      }
      yield* Layer.build(ExportsWorker.layer).pipe(
        Effect.provideService(ExportFiles, stuck),
        Effect.provideService(ImportNode, {
          id: "one",
          isAlone: false,
          may: Effect.sync(() => isMine),
        }),
      )
      yield* Effect.repeat(look, { until: () => Deferred.isDone(begun) })
      yield* working
      yield* lookUntil(files, isDone)
      const made = yield* names(files)
      isMine = false
      yield* Effect.repeat(look, { until: () => Deferred.isDone(interrupted) })
      yield* look
      assert.deepStrictEqual(yield* names(files), made)
    }).pipe(Effect.scoped, Effect.provide(memory)),
  )
})

const person = (id: string) => identify(byId(id), [["plan", "pro"]])

describe("the check of an export", () => {
  it.effect("looks only at what was deleted since it last found nobody", () =>
    Effect.gen(function* () {
      const call = yield* callWith({ filters })
      const { exports: files, workspace } = call
      let looked = 0
      const catalog: Catalog["Service"] = {
        ...call.catalog,
        ownersAmong: (of, keys) => {
          looked++
          return call.catalog.ownersAmong(of, keys)
        },
      }
      const own = { workspace }
      yield* apply({ ...person("ada"), ...own }, { ...person("bob"), ...own }, { ...person("cid"), ...own })
      yield* exportCustomers({ ...call, body: { filters: { attribute: ada } } })
      yield* Layer.build(ExportsWorker.layer).pipe(Effect.provideService(Catalog, catalog))
      yield* lookUntil(files, isDone)
      const [done] = (yield* files.list).filter(({ name }) => name.endsWith(".done"))
      const job = yield* findJob(files, workspace.id, Number(done?.name.split(".")[0]))
      assert(Option.isSome(job))
      const checks = yield* ExportChecks.make({ catalog, files, store: call.store })
      const erased = checks.isErased(workspace.id, job.value)
      yield* apply({ ...remove(byId("bob")), ...own })
      for (let looks = 0; looks < 5; looks++) yield* look
      assert.strictEqual(looked, 1)
      assert.isFalse(yield* erased)
      assert.isFalse(yield* erased)
      assert.strictEqual(looked, 2)
      yield* apply({ ...remove(byId("cid")), ...own })
      assert.isFalse(yield* erased)
      yield* apply({ ...remove(byId("ada")), ...own })
      assert.isTrue(yield* erased)
      assert.isTrue(yield* erased)
      yield* lookUntil(files, (found) => found.length === 1)
    }).pipe(Effect.scoped, Effect.provide(memory)),
  )
})

/** Two exports that are made, of ada and of bob, and a catalog in which the check of ada's waits for `release`. */
const twoExports = Effect.gen(function* () {
  const call = yield* callWith({ filters })
  const { exports: files, store, workspace } = call
  const own = { workspace }
  yield* apply({ ...person("ada"), ...own }, { ...person("bob"), ...own }, { ...person("cid"), ...own })
  const making = yield* Scope.make()
  const ids: Array<number> = []
  for (const value of ["ada", "bob"]) {
    const body = { filters: { attribute: { field: "id", operator: "eq", value } } }
    const { json } = yield* exportCustomers({ ...call, body })
    ids.push((yield* Schema.decodeUnknownEffect(Made)(json)).export.id)
  }
  yield* Scope.provide(working, making)
  yield* lookUntil(files, areDone(2))
  yield* Scope.close(making, Exit.void)
  const jobOf = (index: number) =>
    Effect.flatMap(findJob(files, workspace.id, ids[index] ?? 0), Effect.fromOption)
  const [ofAda, ofBob] = [yield* jobOf(0), yield* jobOf(1)]
  const [adasKeys] = yield* Stream.runCollect(keysIn(files.read(madeFile(workspace.id, ofAda, "keys"))))
  const begun = yield* Deferred.make<void>()
  const release = yield* Deferred.make<void>()
  const looked: Array<"ada" | "bob"> = []
  const catalog: Catalog["Service"] = {
    ...call.catalog,
    ownersAmong: Effect.fnUntraced(function* (of, keys) {
      const isAdas = [...keys].some((key) => adasKeys?.has(key))
      looked.push(isAdas ? "ada" : "bob")
      if (isAdas) yield* Effect.andThen(Deferred.succeed(begun, undefined), Deferred.await(release))
      return yield* call.catalog.ownersAmong(of, keys)
    }),
  }
  const checks = yield* ExportChecks.make({ catalog, files, store })
  const erased = (job: ExportJob) => checks.isErased(workspace.id, job)
  const deletion = (id: string) => apply({ ...remove(byId(id)), ...own })
  const statuses = Effect.map(names(files), (found) => found.filter((name) => /done|failed/.test(name)))
  return { begun, catalog, deletion, erased, files, ids, looked, ofAda, ofBob, release, statuses }
})

describe("the checks of two exports", () => {
  it.effect("do not wait for each other", () =>
    Effect.gen(function* () {
      const { begun, deletion, erased, ofAda, ofBob, release } = yield* twoExports
      yield* deletion("cid")
      const slow = yield* Effect.forkChild(erased(ofAda))
      yield* Deferred.await(begun)
      assert.isFalse(yield* erased(ofBob))
      yield* deletion("bob")
      assert.isTrue(yield* erased(ofBob))
      yield* Deferred.succeed(release, undefined)
      assert.isFalse(yield* Fiber.join(slow))
    }).pipe(Effect.provide(memory)),
  )

  it.effect("go on when the client has given up, and serve everybody who asks meanwhile", () =>
    Effect.gen(function* () {
      const { begun, deletion, erased, looked, ofAda, release } = yield* twoExports
      yield* deletion("cid")
      const first = yield* Effect.forkChild(erased(ofAda))
      yield* Deferred.await(begun)
      yield* Fiber.interrupt(first)
      const asked = Array.from({ length: 20 }, () => erased(ofAda))
      const later = yield* Effect.forkChild(Effect.all(asked, { concurrency: "unbounded" }))
      yield* Effect.yieldNow
      yield* Deferred.succeed(release, undefined)
      assert.deepStrictEqual(new Set(yield* Fiber.join(later)), new Set([false]))
      assert.deepStrictEqual(looked, ["ada"])
    }).pipe(Effect.provide(memory)),
  )

  it.effect("see who was deleted while an earlier one ran", () =>
    Effect.gen(function* () {
      const { begun, deletion, erased, ofAda, release } = yield* twoExports
      yield* deletion("cid")
      const first = yield* Effect.forkChild(erased(ofAda))
      yield* Deferred.await(begun)
      yield* deletion("ada")
      const second = yield* Effect.forkChild(erased(ofAda))
      yield* Deferred.succeed(release, undefined)
      yield* Fiber.join(first)
      assert.isTrue(yield* Fiber.join(second))
    }).pipe(Effect.provide(memory)),
  )

  it.effect("begin again after a restart in their middle, and lose no deletion", () =>
    Effect.gen(function* () {
      const { begun, catalog, deletion, files, ids, release, statuses } = yield* twoExports
      yield* deletion("ada")
      const before = yield* Scope.make()
      yield* Layer.build(ExportsWorker.layer).pipe(
        Effect.provideService(Catalog, catalog),
        Scope.provide(before),
      )
      yield* Effect.repeat(look, { until: () => Deferred.isDone(begun) })
      yield* Scope.close(before, Exit.void)
      yield* Deferred.succeed(release, undefined)
      assert.deepStrictEqual(yield* statuses, [`${ids[0]}.done`, `${ids[1]}.done`])
      yield* working
      yield* lookUntil(files, (found) => found.length === 4)
      assert.deepStrictEqual(yield* statuses, [`${ids[0]}.failed`, `${ids[1]}.done`])
    }).pipe(Effect.provide(memory)),
  )

  it.effect("are looked after by the worker while one takes long", () =>
    Effect.gen(function* () {
      const { begun, catalog, deletion, files, ids, statuses } = yield* twoExports
      yield* deletion("bob")
      yield* Layer.build(ExportsWorker.layer).pipe(Effect.provideService(Catalog, catalog))
      yield* Effect.repeat(look, { until: () => Deferred.isDone(begun) })
      yield* lookUntil(files, (found) => found.length === 4)
      assert.deepStrictEqual(yield* statuses, [`${ids[0]}.done`, `${ids[1]}.failed`])
    }).pipe(Effect.provide(memory)),
  )
})

describe("the rows of an export", () => {
  it.effect("have nothing under the name of a property that every object has", () =>
    Effect.gen(function* () {
      const call = yield* callWith({ filters, attributes: ["constructor", "toString", "plan"] })
      const { exports: files, workspace } = call
      yield* apply({ ...identify(byId("ada"), [["plan", "pro"]]), workspace })
      yield* exportCustomers(call)
      yield* working
      yield* lookUntil(files, isDone)
      const [rows] = (yield* files.list).filter(({ name }) => name.includes("rows"))
      assert(rows !== undefined)
      const bytes = Buffer.concat(yield* Stream.runCollect(files.read(rows)))
      assert.match(
        gunzipSync(bytes).toString(),
        /^id,email,cio_id,created_at,constructor,plan,toString\r\nada,,\w+,\d+,,pro,\r\n$/,
      )
    }).pipe(Effect.scoped, Effect.provide(memory)),
  )
})

describe("the keys of the people in an export", () => {
  it.prop(
    "are read as they were written, however the file is cut",
    [Schema.Array(Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 2 ** 52 }))), Schema.Int],
    ([numbers, cut]) => {
      const keys = new Set(numbers.map((number) => SubjectKey.make(number)))
      const bytes = encodeKeys(keys)
      const size = 1 + (Math.abs(cut) % 11)
      const parts = Array.from({ length: Math.ceil(bytes.length / size) }, (_, index) =>
        bytes.subarray(index * size, (index + 1) * size),
      )
      const sets = Effect.runSync(Stream.runCollect(keysIn(Stream.fromIterable(parts))))
      assert.deepStrictEqual(
        sets.flatMap((set) => [...set]),
        [...keys],
      )
    },
  )
})
