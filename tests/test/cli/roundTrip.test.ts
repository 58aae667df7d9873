import { describe, expect, it } from "vitest"
import { CommandLine } from "../../src/commandLine.ts"
import { exportsOf } from "../../src/exported.ts"
import { credentials } from "../../src/Inlet.ts"
import { randomWorkspace } from "../../src/randomWorkspace.ts"
import { sharedServer, Tenant } from "../../src/Tenant.ts"

const kinds = ["people", "events", "objects", "segments"] as const
type Kind = (typeof kinds)[number]

/**
 * Ids that the server assigns, times of receipt, and who sent the call. The rule of an event differs if its person was unknown when it
 * arrived.
 */
const assigned = new Set([
  "svc_id",
  "svc_object_id",
  "segment_id",
  "operation_id",
  "sequence",
  "received_at",
  "sender",
  "processed_at",
  "updated_at",
  "rule",
])

const exported = async ({ workspace }: Tenant) => {
  const lines = await exportsOf(sharedServer, [workspace])
  return (kind: Kind) => lines[`${workspace} ${kind}`] ?? []
}

/**
 * Returns the documents of an export in a fixed order, without what the server assigns. The segments of a person are
 * replaced by their places in the list of segments. An event without a key gets one from the import.
 */
const documentsOf = (lines: (kind: Kind) => ReadonlyArray<string>, kind: Kind): ReadonlyArray<string> => {
  const segments = lines("segments").flatMap((line) => JSON.parse(line || "{}").segment_id ?? [])
  const parsed = lines(kind)
    .filter((line) => line !== "")
    .map((line) =>
      JSON.stringify(
        JSON.parse(line, (key, value: unknown) => {
          if (assigned.has(key)) return undefined
          if (key === "created_at" && kind === "objects") return undefined
          if (key === "segments" && Array.isArray(value))
            return value.map((id) => segments.indexOf(id)).toSorted()
          if ((key === "members" || key === "relationships" || key === "devices") && Array.isArray(value)) {
            return value.map((item) => JSON.stringify(item)).toSorted()
          }
          return key === "id" && typeof value === "string" && value.startsWith("\0exported:") ? null : value
        }),
      ),
    )
  return kind === "segments" ? parsed : parsed.toSorted()
}

const commandsOf = ({ workspace }: Tenant) =>
  new CommandLine({
    INLET_URL: sharedServer.url,
    INLET_MANAGEMENT_TOKEN: credentials.token,
    INLET_WORKSPACE: String(workspace),
  })

describe("inlet import of what inlet export wrote", () => {
  it.each([1, 2, 3])(
    "an imported workspace exports the same documents, and importing again adds no entry (seed %i)",
    async (seed) => {
      const before = await exported(await randomWorkspace(seed))
      const target = await Tenant.create()
      const inlet = commandsOf(target)
      const counts = async (kind: Kind) => {
        const { code, stderr, stdout } = await inlet.run(
          ["import", kind, "-", "--json"],
          before(kind).join("\n"),
        )
        expect(code, stderr).toBe(0)
        return JSON.parse(stdout)
      }
      for (const kind of kinds)
        expect(await counts(kind)).toMatchObject({ skipped: 0, failed: 0, errors: [] })
      const after = await exported(target)
      for (const kind of kinds) expect(documentsOf(after, kind), kind).toEqual(documentsOf(before, kind))
      const entries = (await target.activityPage({ limit: "1" })).items[0]?.sequence
      for (const kind of kinds) {
        const rows = before(kind).filter((line) => line !== "").length - 1
        expect(await counts(kind)).toEqual({
          rows,
          imported: 0,
          skipped: rows,
          erased: 0,
          failed: 0,
          errors: [],
        })
      }
      expect((await target.activityPage({ limit: "1" })).items[0]?.sequence).toBe(entries)
    },
  )
})
