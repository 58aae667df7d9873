import { LakeFile } from "@inlethq/core/ports/LakeFiles"
import { Sequence } from "@inlethq/core/values/Identifier"
import { Schema } from "effect"

/** The list of the files that make up a lake. Whoever reads only these files reads each position once. */
export const Manifest = Schema.Struct({
  /** Every position up to this one is in the files, or null if nothing is written yet. */
  to: Schema.NullOr(Sequence),
  /** The largest generation of a file. */
  generation: Schema.Int,
  files: Schema.Array(LakeFile),
})
export type Manifest = typeof Manifest.Type

const ManifestText = Schema.fromJsonString(Manifest)
export const manifestText: (manifest: Manifest) => string = Schema.encodeSync(ManifestText)
export const decodeManifest = Schema.decodeUnknownEffect(ManifestText)

/** Returns the manifest of the current files of a lake. */
export const manifestOf = (files: ReadonlyArray<LakeFile>): Manifest => ({
  to: files.reduce<Sequence | null>(
    (to, file) => (file.table === "activity" && file.to > (to ?? 0) ? file.to : to),
    null,
  ),
  generation: files.reduce((max, { generation }) => Math.max(max, generation), 0),
  files,
})

/** Returns the position after which a lake shows people and objects, or null if it does not show them yet. */
export const snapshotPosition = (files: ReadonlyArray<LakeFile>): Sequence | null =>
  files.find(({ table }) => table === "people")?.to ?? null

/** Why the ranges of a lake do not contain each position exactly once. */
export interface RangeFault {
  readonly path: string
  readonly problem: string
}

/**
 * Checks the arithmetic of the ranges: those of activity are adjacent from position 1, and in each of them the rows, the
 * erased and the pruned positions add up to the positions.
 */
export const rangeFaults = (files: ReadonlyArray<LakeFile>): ReadonlyArray<RangeFault> => {
  const faults: Array<RangeFault> = []
  let next = 1
  for (const { erased, from, path, pruned, rows, to } of inOrder(files, "activity")) {
    if (from > next) faults.push({ path, problem: `no file covers the positions ${next} to ${from - 1}` })
    if (from < next) faults.push({ path, problem: `the positions ${from} to ${next - 1} are in two files` })
    if (rows + erased + pruned !== to - from + 1) {
      const found = `${rows} rows, ${erased} erased and ${pruned} pruned`
      faults.push({ path, problem: `${to - from + 1} positions, but ${found}` })
    }
    next = Math.max(next, to + 1)
  }
  return faults
}

const inOrder = (files: ReadonlyArray<LakeFile>, table: LakeFile["table"]) =>
  files.filter((file) => file.table === table).toSorted((a, b) => a.from - b.from)
