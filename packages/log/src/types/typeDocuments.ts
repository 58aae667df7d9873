import type {
  EventTypeDocument,
  EventTypeShapeDocument,
  PathDocument,
  PlanViolationsDocument,
} from "@inlethq/contract/types/EventTypes"
import type { ShapedTypeRow, TypeRow } from "@inlethq/core/ports/LogSummaries"
import { toIso } from "@inlethq/core/values/Timestamp"
import { Counted } from "./Counted.ts"
import { silentAtOf } from "./driftOf.ts"
import { jsonSchemaOf } from "./jsonSchemaOf.ts"
import type { ShapeSummary } from "./ShapeSummary.ts"
import { pathText, presenceOf, shownPaths, type ShownPath } from "./shownPaths.ts"
import { daysOf, hoursOf, sendersOf, sighting, type Shown } from "./sightings.ts"
import { storedTypeFrom, typeFromRow } from "./WorkspaceSummaries.ts"

/** Returns what is shown of a name in a list. */
export const typeDocument = (shown: Shown, row: TypeRow, now: number): EventTypeDocument => {
  const stored = storedTypeFrom(row)
  const { changedAt, count, entries, paths, violations } = stored
  const counted = Counted.from(count)
  const silentAt = silentAtOf(stored)
  return {
    kind: row.kind,
    name: row.name,
    ...countedDocument(shown, counted),
    sampled: entries,
    paths,
    changed_at: toIso(changedAt),
    silent_since: silentAt === null || silentAt > now ? null : toIso(silentAt),
    ...(violations !== undefined && { violations: violationsDocument(shown, Counted.from(violations)) }),
  }
}

const violationsDocument = (shown: Shown, counted: Counted): PlanViolationsDocument => ({
  ...countedDocument(shown, counted),
  hours: hoursOf(counted),
})

const countedDocument = (shown: Shown, counted: Counted) => ({
  count: counted.count,
  first: sighting(shown, counted.first),
  last: sighting(shown, counted.last),
  days: daysOf(counted),
  senders: sendersOf(shown, counted),
})

/** Returns what is shown of a name, with the shape of its data. */
export const shapedTypeDocument = (shown: Shown, row: ShapedTypeRow, now: number): EventTypeShapeDocument => {
  const { shape } = typeFromRow(row)
  return {
    ...typeDocument(shown, row, now),
    shape: shownPaths(shape).map((path) => pathDocument(shown, shape, path)),
    unplaced: shape.unplaced,
    json_schema: jsonSchemaOf(shape),
  }
}

const pathDocument = (shown: Shown, shape: ShapeSummary, at: ShownPath): PathDocument => {
  const { path, segments } = at
  return {
    path: pathText(segments),
    types: Object.fromEntries(Array.from(path.types, ([type, { count }]) => [type, count])),
    formats: Object.fromEntries(path.formats),
    count: path.count,
    presence: presenceOf(at, shape),
    distinct: path.sketch.estimate,
    first: sighting(shown, path.first),
    last: sighting(shown, path.last),
    missing: at.isNamed && path.missing !== null ? sighting(shown, path.missing) : null,
  }
}
