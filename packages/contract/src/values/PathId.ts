import { Schema, SchemaTransformation } from "effect"
import { idInSegment, segmentOfId } from "./pathSegments.ts"

/** An id in a path, for ids that clients choose. The ids `.` and `..` are written `~.` and `~..`. */
export const PathId = Schema.String.annotate({
  description: "an id; the ids `.` and `..` are written `~.` and `~..`",
}).pipe(
  Schema.decodeTo(
    Schema.String,
    SchemaTransformation.transform({ decode: idInSegment, encode: segmentOfId }),
  ),
)
