import type { SegmentCursor } from "@inlethq/contract/values/Cursor"
import type { SegmentDocument } from "@inlethq/contract/segments/Segments"
import { replayKey } from "@inlethq/contract/transfer/ReplayedEntry"
import type { SubjectKey, WorkspaceId } from "@inlethq/core/values/Identifier"
import type { ManagementClient } from "@inlethq/sdk/management/ManagementClient"
import { Effect } from "effect"
import { CommandFailed } from "../texts/commandErrors.ts"
import { cliTexts } from "../texts/cliTexts.ts"
import { withNewSegments } from "../exported/renamedSegments.ts"
import type { ReplaySource } from "./ReplaySource.ts"
import type { ReplayTarget } from "./ReplayTarget.ts"

const listLimit = 1000

/**
 * Creates the segments of the source, as they are today and without people, in the target, and returns their ids there by
 * their ids in the source. They are received at `receivedAt`, because they must not be newer than the first entry that is
 * replayed. Segments that the target has already are kept: those with the same name correspond in the order of their ids.
 */
export const carrySegments = Effect.fnUntraced(function* (
  { client, workspace }: Pick<ReplaySource, "client" | "workspace">,
  target: ReplayTarget,
  receivedAt: string,
) {
  const known = Map.groupBy(yield* segmentsOf(target.client, target.workspace), ({ name }) => name)
  const newIds = new Map<number, SubjectKey>()
  let waiting = yield* segmentsOf(client, workspace)
  // A rule can name a segment that was created later.
  for (let before = Infinity; waiting.length > 0 && waiting.length < before;) {
    before = waiting.length
    const later: Array<SegmentDocument> = []
    for (const segment of waiting) {
      const { name, rule, segment_id } = segment
      const renamed = rule === null ? null : withNewSegments(rule, newIds)
      if (rule !== null && renamed === null) later.push(segment)
      else {
        const key = `${replayKey(workspace, 0)}:segment:${segment_id}`
        const existing = known.get(name)?.shift()?.segment_id
        newIds.set(
          segment_id,
          existing ?? (yield* createSegment(target, { ...segment, rule: renamed }, key, receivedAt)),
        )
      }
    }
    waiting = later
  }
  const [left] = waiting
  if (left !== undefined) return yield* notCarried(left, "its rule names a segment that does not exist")
  return newIds
})

/** The management import takes the time of receipt, which the calls for segments do not. */
const createSegment = Effect.fnUntraced(function* (
  { client, workspace }: ReplayTarget,
  segment: SegmentDocument,
  key: string,
  received_at: string,
) {
  const { description, name, rule } = segment
  const entity = { type: "segment", action: "create", name, description, rule }
  const { results } = yield* client.imports.exported({
    params: { w: workspace },
    payload: { entities: [{ key, received_at, entity }] },
  })
  const created = (yield* segmentsOf(client, workspace)).findLast((one) => one.name === name)
  return created === undefined
    ? yield* notCarried(segment, results[0]?.message ?? "the server did not create it")
    : created.segment_id
})

const notCarried = ({ name }: SegmentDocument, problem: string) =>
  new CommandFailed({ message: cliTexts.segmentNotCarried({ name, problem }) })

const segmentsOf = Effect.fnUntraced(function* (client: ManagementClient["Service"], w: WorkspaceId) {
  const segments: Array<SegmentDocument> = []
  let after: typeof SegmentCursor.Type | null | undefined
  while (after !== null) {
    const query = { limit: listLimit, ...(after === undefined ? {} : { after }) }
    const page: {
      readonly items: ReadonlyArray<SegmentDocument>
      readonly next: typeof SegmentCursor.Type | null
    } = yield* client.segments.list({ params: { w }, query })
    segments.push(...page.items)
    after = page.next
  }
  return segments.toSorted((a, b) => a.segment_id - b.segment_id)
})
