import type { ActivityRecord } from "@inlethq/core/catalog/ActivityView"
import type { ActivityEntry } from "@inlethq/core/log/ActivityEntry"
import { SenderId } from "@inlethq/core/log/Sender"
import { Sequence, SubjectKey, WorkspaceId } from "@inlethq/core/values/Identifier"
import { jsonSchemaOf } from "../../src/types/jsonSchemaOf.ts"
import { typeFromRow, WorkspaceSummaries } from "../../src/types/WorkspaceSummaries.ts"
import { pathText, shownPaths } from "../../src/types/shownPaths.ts"

export const noon = Date.parse("2026-01-31T12:00:00.000Z")

interface Told extends Partial<Omit<ActivityEntry, "sequence" | "subject" | "sender">> {
  readonly person?: number
  readonly from?: number
}

/** Returns an entry of the log at a position, by default an event that was received that many seconds after noon. */
export const recordAt = (
  position: number,
  { from = 1, person = 1, ...fields }: Told = {},
): ActivityRecord => ({
  entry: {
    sequence: Sequence.make(position),
    workspace: WorkspaceId.make(1),
    subject: SubjectKey.make(person),
    kind: "event",
    name: "bought",
    source: "track-v2",
    sender: SenderId.make(from),
    at: noon,
    receivedAt: noon + position * 1000,
    processedAt: noon,
    outcome: "applied",
    id: null,
    claimsId: false,
    batchIndex: null,
    originalTimestamp: null,
    anonymousId: null,
    reasons: [],
    rule: null,
    data: {},
    changes: [],
    parts: [],
    refused: [],
    keptAs: [],
    effects: [],
    overwritten: [],
    call: null,
    ...fields,
  },
  subject: null,
  owner: null,
  sender: null,
  isErased: false,
})

/** Summarizes entries. */
export const summariesOf = (records: Iterable<ActivityRecord>): WorkspaceSummaries => {
  const summaries = new WorkspaceSummaries()
  for (const record of records) summaries.add(record)
  return summaries
}

/** Returns the summary of a name. */
export const typeIn = (summaries: WorkspaceSummaries, name = "bought", kind = "event") => {
  const row = summaries.takeChanges().types.find((one) => one.kind === kind && one.name === name)
  if (row === undefined) throw new Error(`${kind} ${name} is not summarized`)
  return typeFromRow(row)
}

/** Returns the paths that are shown of a name. */
export const pathsOf = (records: Iterable<ActivityRecord>): ReadonlyArray<string> =>
  shownPaths(typeIn(summariesOf(records)).shape).map(({ segments }) => pathText(segments))

/** Returns the JSON Schema of a name. */
export const schemaOf = (records: Iterable<ActivityRecord>) =>
  jsonSchemaOf(typeIn(summariesOf(records)).shape)

/** Returns the fields of the causes in a log. */
export function fieldsOf(log: ReadonlyArray<ActivityRecord>): ReadonlyArray<string> {
  return summariesOf(log)
    .takeChanges()
    .causes.map(({ doc }) => JSON.parse(doc).cause.reasons[0].field)
}

/** Returns a word that differs for each number, and has no digits. */
export function words(index: number): string {
  return String(index).replaceAll(/\d/g, (digit) => "abcdefghij".charAt(Number(digit)))
}
