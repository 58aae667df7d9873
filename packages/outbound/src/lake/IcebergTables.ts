import { LakeFiles, type LakeFile, type LakeTable } from "@inlethq/core/ports/LakeFiles"
import { lakeTables } from "@inlethq/lake/columns"
import { listedFiles } from "@inlethq/lake/iceberg/listedFiles"
import type { ReadTable } from "@inlethq/lake/iceberg/IcebergTable"
import {
  icebergFolder,
  icebergHintPath,
  icebergMetadataPath,
  versionIn,
  isIcebergWork,
} from "@inlethq/lake/layout"
import { lakeTexts } from "@inlethq/lake/lakeTexts"
import { LakeFailed, LakeThread } from "@inlethq/lake/thread/LakeThread"
import { Clock, Effect } from "effect"
import type { OwnedLake } from "./OwnedLake.ts"

/** A version of the metadata of a table. */
interface Version {
  /** 0 if nothing is published. */
  readonly number: number
  readonly text: string | null
  readonly state: ReadTable
}

/** What the next version of a table is like apart from its files. */
interface Wanted {
  /** The smallest sequence number of a snapshot that is named, apart from the current one. */
  readonly keepFrom: number
  /** Whether there is a new version although nothing changed, so that whoever still writes one cannot publish it. */
  readonly isNew: boolean
}

/** How often a version may be published by others before this reader gives up until later. */
const attemptsMax = 10

const asItIs: Wanted = { keepFrom: 0, isNew: false }

/** The tables of a lake that readers of Iceberg see. Each shows the committed files, in a snapshot that appears at once. */
export class IcebergTables {
  private readonly lake: OwnedLake
  private readonly files: LakeFiles["Service"]
  /** The newest versions, as this reader has last read or published them. */
  private readonly known = new Map<LakeTable, Version>()

  constructor(lake: OwnedLake, files: LakeFiles["Service"]) {
    this.lake = lake
    this.files = files
  }

  /** Publishes the committed files of the tables that show others. */
  get publish() {
    return Effect.gen({ self: this }, function* () {
      // Another reader may have published meanwhile. Whoever publishes last looks again, so that the newest files stay.
      for (let attempts = 0, isCurrent = false; !isCurrent; attempts++) {
        isCurrent = true
        const files = yield* this.filesNow
        for (const table of lakeTables) {
          const attempt = yield* this.publishTable(table, files, asItIs)
          if (attempt !== "current") isCurrent = false
          if (attempt === "taken" && attempts >= attemptsMax) return yield* this.giveUp(table)
        }
      }
    })
  }

  /** Returns whether the newest versions show the committed files, whoever published them. */
  get isPublished() {
    return Effect.gen({ self: this }, function* () {
      for (const table of lakeTables) yield* this.forgetIfOlder(table)
      const files = yield* this.filesNow
      return lakeTables.every((table) => this.isCurrent(table, files, asItIs))
    })
  }

  /** The sequence number of the current snapshot of a table. */
  sequenceOf(table: LakeTable): number {
    return this.known.get(table)?.state.sequence ?? 0
  }

  /** Names no snapshots with smaller sequence numbers any more, and removes what only they name. */
  expire(before: ReadonlyMap<LakeTable, number>) {
    return Effect.gen({ self: this }, function* () {
      for (const [table, keepFrom] of before) yield* this.publishAlways(table, { keepFrom, isNew: true })
    })
  }

  /** Removes what no metadata name: whoever wrote it died before it could publish them. */
  get sweep() {
    return Effect.gen({ self: this }, function* () {
      for (const table of lakeTables) {
        if ((yield* this.garbageOf(table)).length === 0) continue
        yield* this.publishAlways(table, { keepFrom: 0, isNew: true })
        for (const path of yield* this.garbageOf(table)) yield* this.lake.target.remove(path)
      }
    })
  }

  private publishAlways(table: LakeTable, wanted: Wanted) {
    return Effect.gen({ self: this }, function* () {
      for (let attempts = 0; ; attempts++) {
        const attempt = yield* this.publishTable(table, yield* this.filesNow, wanted)
        if (attempt === "published") return
        if (attempts >= attemptsMax) return yield* this.giveUp(table)
      }
    })
  }

  private giveUp(table: LakeTable) {
    const { target, workspace } = this.lake
    const place = `${target.root}/${icebergFolder(workspace, table)}`
    return Effect.fail(new LakeFailed({ message: lakeTexts.taken({ place }) }))
  }

  /** The committed files. What is published is known before, so that a version that was published since is not overtaken. */
  private get filesNow() {
    return Effect.gen({ self: this }, function* () {
      for (const table of lakeTables)
        if (!this.known.has(table)) this.known.set(table, yield* this.newest(table))
      return yield* this.files.files(this.lake.workspace)
    })
  }

  private isCurrent(table: LakeTable, all: ReadonlyArray<LakeFile>, { isNew }: Wanted): boolean {
    const files = all.filter((file) => file.table === table)
    return !isNew && this.known.get(table)?.state.listed === listedFiles(files)
  }

  /** Publishes the next version of a table unless the newest one is as wanted. */
  private publishTable(table: LakeTable, all: ReadonlyArray<LakeFile>, wanted: Wanted) {
    return Effect.gen({ self: this }, function* () {
      const { target, workspace } = this.lake
      const before = this.known.get(table) ?? (yield* this.newest(table))
      if (this.isCurrent(table, all, wanted)) return "current"
      const number = before.number + 1
      const written = yield* this.write(table, before, all, wanted)
      for (const { file, path, sha256 } of written.objects) yield* target.put(path, file, sha256)
      this.known.delete(table)
      const isFirst = yield* target.putNew(icebergMetadataPath(workspace, table, number), written.text)
      // Somebody else has published this version. What was written for it is swept later.
      if (!isFirst) return "taken"
      yield* target.putText(icebergHintPath(workspace, table), String(number))
      this.known.set(table, { number, text: written.text, state: written.state })
      for (const path of written.dropped) yield* target.remove(path)
      return "published"
    })
  }

  private write(table: LakeTable, before: Version, all: ReadonlyArray<LakeFile>, { keepFrom }: Wanted) {
    return Effect.gen({ self: this }, function* () {
      const { target, token, workspace } = this.lake
      const { root, workFolder } = target
      const { ask } = yield* LakeThread
      const now = yield* Clock.currentTimeMillis
      const replaced = (yield* this.files.replaced(workspace)).map(({ path }) => path)
      const manifests: Array<string> = []
      for (const path of before.state.manifests) manifests.push(yield* target.local(path))
      return yield* ask("writeTable", {
        workspace,
        table,
        root,
        token,
        version: before.number + 1,
        now,
        previous: before.text,
        manifests,
        files: all.filter((file) => file.table === table),
        replaced,
        keepFrom,
        workFolder,
      })
    }).pipe(Effect.scoped)
  }

  /** Reads the newest version of a table. The hint may be older, if its writer died between the two. */
  private newest(table: LakeTable) {
    return Effect.gen({ self: this }, function* () {
      const { target, workspace } = this.lake
      const { root } = target
      const textOf = (version: number) => target.readText(icebergMetadataPath(workspace, table, version))
      const hint = yield* target.readText(icebergHintPath(workspace, table))
      let number = Number(hint ?? 0)
      let text = number > 0 ? yield* textOf(number) : null
      if (text === null) {
        number = yield* this.newestListed(table)
        text = number === 0 ? null : yield* textOf(number)
      }
      for (let next = yield* textOf(number + 1); next !== null; next = yield* textOf(number + 1)) {
        number++
        text = next
      }
      if (number > 0 && hint !== String(number))
        yield* target.putText(icebergHintPath(workspace, table), String(number))
      const state = yield* LakeThread.use(({ ask }) => ask("readTable", { workspace, table, root, text }))
      return { number, text, state } satisfies Version
    })
  }

  private newestListed(table: LakeTable) {
    const { target, workspace } = this.lake
    return Effect.map(target.list(`${icebergFolder(workspace, table)}/metadata`), (objects) =>
      objects.reduce((newest, { path }) => Math.max(newest, versionIn(path) ?? 0), 0),
    )
  }

  private forgetIfOlder(table: LakeTable) {
    return Effect.gen({ self: this }, function* () {
      const { target, workspace } = this.lake
      const known = this.known.get(table)
      if (known === undefined) return
      const hint = yield* target.readText(icebergHintPath(workspace, table))
      const next = yield* target.readText(icebergMetadataPath(workspace, table, known.number + 1))
      if (hint !== String(known.number) || next !== null) this.known.delete(table)
    })
  }

  private garbageOf(table: LakeTable) {
    return Effect.gen({ self: this }, function* () {
      const { target, workspace } = this.lake
      yield* this.filesNow
      const { number, state } = this.known.get(table) ?? { number: 0, state: { named: [] } }
      const named = new Set(state.named)
      const objects = yield* target.list(`${icebergFolder(workspace, table)}/metadata`)
      return objects
        .map(({ path }) => path)
        .filter((path) => !named.has(path))
        .filter((path) => isIcebergWork(path) || (versionIn(path) ?? number) < number)
    })
  }
}
