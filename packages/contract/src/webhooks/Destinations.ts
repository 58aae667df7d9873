import type { DestinationHour } from "@inlethq/core/ports/DestinationHours"
import { WorkspaceId } from "@inlethq/core/values/Identifier"
import { hourMs, secondMs, toIso } from "@inlethq/core/values/Timestamp"
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { reads, Requirement } from "../access/Access.ts"
import { ProblemAnswers } from "../access/Authorization.ts"
import { DestinationCursor } from "../values/Cursor.ts"
import { IsoTime } from "../values/IsoTime.ts"
import { Page, pageQuery } from "../values/Page.ts"

/** The number of hours that the document of a destination shows. */
export const destinationHoursShown = 24

const DestinationKind = Schema.Literals(["webhook", "forward", "kafka", "lake"])

const HourDocument = Schema.Struct({
  /** The beginning of the hour. */
  at: IsoTime,
  /** The entries of the log that the destination got done with. */
  entries: Schema.Int,
  /** The most entries that it was behind. */
  lag_entries: Schema.Int,
  /** The greatest age of the oldest entry that waited. */
  lag_seconds: Schema.Finite,
}).annotate({
  identifier: "DestinationHour",
  description:
    "one hour of a destination: the entries that it got done with, and how far it was behind at most. An hour in which no node sent is left out",
})

/** Where a workspace sends what arrives, and how far it is. */
export const DestinationDocument = Schema.Struct({
  kind: DestinationKind,
  /** The id of the webhook or of the forward. Null for Kafka and the lake, of which a workspace has one each. */
  destination_id: Schema.NullOr(Schema.String),
  /** The name of the webhook or of the forward, the topic, or the target of the lake. */
  name: Schema.String,
  /** Null for Kafka. */
  url: Schema.NullOr(Schema.String),
  enabled: Schema.Boolean,
  waiting: Schema.Struct({
    /** The operations that were sent without success and are sent again. */
    operations: Schema.Int,
    /** The entries of the log that the destination has not passed yet. */
    entries: Schema.Int,
  }).annotate({ identifier: "DestinationWaiting", description: "what a destination has still to send" }),
  /** The age of the oldest of these, 0 if nothing waits, and null if it is no longer in the log. */
  lag_seconds: Schema.NullOr(Schema.Int),
  /**
   * What came of the newest attempt of a webhook or a forward, if it failed. For Kafka and the lake, why the node that
   * answers cannot write, such as that it has no INLET_KAFKA; null if another node writes.
   */
  last_error: Schema.NullOr(Schema.String),
  /** The last hours, oldest first. */
  hours: Schema.Array(HourDocument),
}).annotate({
  identifier: "Destination",
  description: `a webhook, a forward, the topic in Kafka or the lake of a workspace: what it has still to send, its last error, and its last ${destinationHoursShown} hours`,
})
export type DestinationDocument = typeof DestinationDocument.Type

export class DestinationsGroup extends HttpApiGroup.make("destinations")
  .add(
    HttpApiEndpoint.get("list", "/workspaces/:w/destinations", {
      params: { w: WorkspaceId },
      query: pageQuery(DestinationCursor),
      success: Page(DestinationDocument, DestinationCursor),
    }).annotate(Requirement, reads),
  )
  .middleware(ProblemAnswers)
  .annotateMerge(OpenApi.annotations({ title: "Destinations" })) {}

export const hourDocument = ({ entries, hour, lagEntries, lagMs }: DestinationHour) => ({
  at: toIso(hour * hourMs),
  entries,
  lag_entries: lagEntries,
  lag_seconds: lagMs / secondMs,
})
