import { mkdir, mkdtemp, rename, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import type { LakeFile, LakeTable } from "@inlethq/core/ports/LakeFiles"
import { Sequence, WorkspaceId } from "@inlethq/core/values/Identifier"
import { dayMs } from "@inlethq/core/values/Timestamp"
import { Effect } from "effect"
import { lakeColumns } from "../src/columns.ts"
import { checkTable } from "../src/iceberg/checkTable.ts"
import { readAvro } from "../src/iceberg/avroFile.ts"
import { readTable, writeTable } from "../src/iceberg/nextTable.ts"
import { filePath, icebergMetadataPath } from "../src/layout.ts"
import { ParquetFile } from "../src/thread/ParquetFile.ts"

const workspace = WorkspaceId.make(1)
const noon = Date.UTC(2026, 10, 23, 12)

/** A text that is in every row. */
const mark = "somebody@example.com"

const temporaryFolder = Effect.acquireRelease(
  Effect.promise(() => mkdtemp(join(tmpdir(), "inlet-lake-"))),
  (folder) => Effect.promise(() => rm(folder, { recursive: true })),
)

interface Snapshot {
  readonly operation: string
  readonly records: string
}

/** A table in a folder, which is published in versions. */
class Table {
  private readonly root: string
  private readonly table: LakeTable
  private text: string | null = null
  private version = 0

  constructor(root: string, table: LakeTable = "activity") {
    this.root = root
    this.table = table
  }

  private get place() {
    return { workspace, table: this.table, root: this.root }
  }

  private get state() {
    return readTable({ ...this.place, text: this.text })
  }

  private get manifests(): ReadonlyArray<string> {
    return this.state.manifests.map((path) => join(this.root, path))
  }

  /** Writes a file of activity whose entries were received at some time, one millisecond after the other. */
  async file(from: number, to: number, at: number, token = 1): Promise<LakeFile> {
    const path = filePath({ workspace, table: "activity", from, to, token, rewrite: 0, firstAt: at })
    const local = join(this.root, path)
    await mkdir(dirname(local), { recursive: true })
    const file = new ParquetFile("activity", local)
    for (let position = from; position <= to; position++) file.append([rowAt(position, at + position - from)])
    const range = { from: Sequence.make(from), to: Sequence.make(to) }
    return { table: "activity", path, ...range, generation: token, erased: 0, pruned: 0, ...file.finish() }
  }

  /** Publishes the next version with some files, and returns its snapshots. */
  async publish(
    files: ReadonlyArray<LakeFile>,
    { keepFrom = 0, replaced = [] as ReadonlyArray<string>, now = noon } = {},
  ): Promise<ReadonlyArray<Snapshot>> {
    await mkdir(join(this.root, dirname(icebergMetadataPath(workspace, this.table, 1))), { recursive: true })
    const asked = { ...this.place, files, keepFrom, replaced, now, token: 1, workFolder: this.root }
    const { dropped, objects, text } = await writeTable({
      ...asked,
      version: ++this.version,
      previous: this.text,
      manifests: this.manifests,
    })
    for (const { file, path } of objects) await rename(file, join(this.root, path))
    for (const path of dropped) await rm(join(this.root, path), { force: true })
    this.text = text
    const { snapshots } = JSON.parse(text)
    return snapshots.map(({ summary }: { summary: Record<string, string> }) => ({
      operation: summary["operation"],
      records: summary["total-records"],
    }))
  }

  async entries(): Promise<ReadonlyArray<unknown>> {
    const read = await Promise.all(this.manifests.map((path) => readAvro(path)))
    return read.flat()
  }

  problems(files: ReadonlyArray<LakeFile>): Promise<ReadonlyArray<string>> {
    return checkTable({ files, manifests: this.manifests, root: this.root })
  }
}

const rowAt = (position: number, at: number) => {
  const cells: Record<string, string | number> = {
    position,
    operation_id: `op11${position}`,
    received_at: at,
    happened_at: at,
    outcome: "applied",
    source: "track-v2",
    name: mark,
    email: mark,
  }
  return lakeColumns.activity.map(({ name }) => cells[name] ?? null)
}

const withTable = (run: (table: Table) => Promise<void>) =>
  Effect.flatMap(temporaryFolder, (root) =>
    Effect.promise(() => run(new Table(join(root, "it's a lake")))),
  ).pipe(Effect.scoped)

const appended = (records: number): Snapshot => ({ operation: "append", records: String(records) })

describe("a table of Iceberg", () => {
  it.live("has a snapshot before its first file, and one for each change of its files", () =>
    withTable(async (table) => {
      const [a, b] = [await table.file(1, 10, noon), await table.file(11, 20, noon)]
      assert.deepStrictEqual(await table.publish([]), [appended(0)])
      assert.deepStrictEqual(await table.publish([a]), [appended(0), appended(10)])
      assert.deepStrictEqual(await table.publish([a, b]), [appended(0), appended(10), appended(20)])
      assert.deepStrictEqual(await table.problems([a, b]), [])
    }),
  )

  it.live(
    "says that joined files have the same rows, and what is new besides comes in a snapshot of its own",
    () =>
      withTable(async (table) => {
        const [a, b] = [await table.file(1, 10, noon), await table.file(11, 20, noon)]
        await table.publish([a, b])
        const [joined, c] = [await table.file(1, 20, noon, 2), await table.file(21, 25, noon)]
        const replaced = [a.path, b.path]
        assert.deepStrictEqual(await table.publish([joined, c], { replaced }), [
          appended(20),
          { operation: "replace", records: "20" },
          appended(25),
        ])
        assert.deepStrictEqual(await table.problems([joined, c]), [])
      }),
  )

  it.live("says that a file without the rows of somebody is another", () =>
    withTable(async (table) => {
      const a = await table.file(1, 10, noon)
      await table.publish([a])
      const rewritten = { ...(await table.file(1, 9, noon, 2)), to: a.to, erased: 1 }
      const published = await table.publish([rewritten], { replaced: [a.path] })
      assert.deepStrictEqual(published, [appended(10), { operation: "overwrite", records: "9" }])
    }),
  )

  it.live("ends snapshots on request, and those of files that nobody knows any more", () =>
    withTable(async (table) => {
      const [a, b] = [await table.file(1, 10, noon), await table.file(11, 20, noon)]
      await table.publish([a])
      await table.publish([a, b])
      assert.deepStrictEqual(await table.publish([a, b], { keepFrom: 2 }), [appended(20)])
      const [c] = [await table.file(1, 20, noon, 2)]
      assert.deepStrictEqual(await table.publish([c], { replaced: [a.path] }), [
        { operation: "replace", records: "20" },
      ])
    }),
  )

  it.live("has no time before that of the version before, whatever the clock says", () =>
    withTable(async (table) => {
      const a = await table.file(1, 10, noon)
      await table.publish([])
      await table.publish([a], { now: noon - dayMs })
      assert.deepStrictEqual(await table.publish([a], { keepFrom: 2, now: noon - dayMs }), [appended(10)])
    }),
  )

  it.live(
    "is partitioned by day, apart from files of two days, whose rows readers find by their bounds",
    () =>
      withTable(async (table) => {
        const midnight = Date.UTC(2026, 10, 24)
        const [a, b] = [await table.file(1, 10, noon), await table.file(11, 20, midnight - 5)]
        await table.publish([a, b])
        const days = (await table.entries()).map(
          (entry) => Object(entry).data_file.partition.received_at_day ?? null,
        )
        assert.sameMembers(days, [null, noon / dayMs - 0.5])
        assert.deepStrictEqual(await table.problems([a, b]), [])
      }),
  )

  it.live("says of files nothing that would outlive the rows of a person", () =>
    withTable(async (table) => {
      await table.publish([await table.file(1, 10, noon)])
      const said = JSON.stringify(await table.entries())
      assert.notInclude(said, mark)
      assert.notInclude(said, Buffer.from(mark).toString("hex"))
      assert.notInclude(said, JSON.stringify([...Buffer.from(mark)]).slice(1, 20))
    }),
  )

  it.live("that shows other files than the lake has is found", () =>
    withTable(async (table) => {
      const [a, b] = [await table.file(1, 10, noon), await table.file(11, 20, noon)]
      await table.publish([a])
      const problems = await table.problems([{ ...b }, { ...a, rows: 9 }])
      assert.deepStrictEqual(problems, [
        `its snapshot does not name ${b.path}`,
        `its snapshot says of ${a.path} what was not committed`,
      ])
    }),
  )
})
