import { Schema } from "effect"
import { ActivityDocument } from "../activity/ActivityLog.ts"
import { DeliveryDocument } from "../objects/Deliveries.ts"
import { IsoTime } from "../values/IsoTime.ts"
import { MergeDocument } from "../people/MergePreview.ts"
import { PersonDocument } from "../people/People.ts"
import { ProvenanceDocument } from "../activity/Provenance.ts"
import { MembershipExplanation, PersonSegment } from "../segments/SegmentRules.ts"

const section = <Name extends string, Fields extends Schema.Struct.Fields>(name: Name, fields: Fields) =>
  Schema.Struct({ section: Schema.Literal(name), ...fields })

const { path: _path, ...setBy } = ProvenanceDocument.fields

/** The lines of an export of one person, in this order. `section` tells them apart. */
export const PersonExportLine = Schema.Union([
  section("profile", { exported_at: IsoTime, environment_id: Schema.Int, person: PersonDocument }),
  section("identity", {
    svc_id: Schema.String,
    kind: Schema.Literals(["merged", "visitor"]),
    /** When a merged person was created, or since when a visitor belongs to the person. */
    at: IsoTime,
    merge: Schema.NullOr(MergeDocument),
  }),
  section("segment", { ...PersonSegment.fields, explanation: Schema.NullOr(MembershipExplanation) }),
  section("delivery", { delivery: DeliveryDocument }),
  section("suppression", {
    kind: Schema.Literals(["id", "email"]),
    value: Schema.String,
    suppressed: Schema.Boolean,
  }),
  section("activity", { entry: ActivityDocument }),
  section("value", {
    path: Schema.String,
    value: Schema.Json,
    /** The time of the update that set the value. */
    set_at: Schema.NullOr(IsoTime),
    /** The last operation that changed the value. Null if the log no longer has it. */
    set_by: Schema.NullOr(Schema.Struct(setBy)),
  }),
]).annotate({
  identifier: "PersonExportLine",
  description: "one thing that is stored about a person; activity comes newest first",
})
export type PersonExportLine = typeof PersonExportLine.Type
