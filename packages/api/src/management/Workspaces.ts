import { WorkspaceId } from "@inlet/core/Identifier"
import { Limits } from "@inlet/core/Limits"
import { Region, type Workspace } from "@inlet/core/Workspace"
import { Schema, Struct } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { Authorization, ProblemAnswers } from "./Authorization.ts"
import { WorkspaceCursor } from "./Cursor.ts"
import { Page, pageQuery } from "./Page.ts"

const limits = Limits.fields

/** The limits of a workspace; lengths are bytes of UTF-8. */
const LimitsDocument = Schema.Struct({
  request_bytes: limits.requestBytesMax,
  batch_bytes: limits.batchBytesMax,
  batch_item_bytes: limits.batchItemBytesMax,
  person_id_bytes: limits.personIdBytesMax,
  object_id_bytes: limits.objectIdBytesMax,
  attribute_name_bytes: limits.attributeNameBytesMax,
  attribute_value_bytes: limits.attributeValueBytesMax,
  attributes_per_person: limits.attributesPerPersonMax,
  attributes_per_object: limits.attributesPerObjectMax,
  object_attributes_bytes: limits.objectAttributesBytesMax,
  event_name_bytes: limits.eventNameBytesMax,
  event_data_bytes: limits.eventDataBytesMax,
  segment_ids: limits.segmentIdsMax,
  rate_requests: limits.rateRequestsMax,
  rate_window_seconds: limits.rateWindowSeconds,
}).annotate({ identifier: "Limits" })
type LimitsDocument = typeof LimitsDocument.Type

const Name = Schema.String.check(
  Schema.isPattern(/\S/, { expected: "a name that is not blank" }),
  Schema.isMaxLength(200),
)

const settings = {
  name: Name,
  region: Region,
  /** What names people here: `id`, `email`, or both. */
  identifiers: Schema.Array(Schema.Literals(["id", "email"])).check(Schema.isMinLength(1)),
  email_update_by_id: Schema.Boolean,
  event_merging: Schema.Boolean,
  rate_limit: Schema.Literals(["observe", "throttle"]),
}

export const WorkspaceDocument = Schema.Struct({
  environment_id: WorkspaceId,
  ...settings,
  limits: LimitsDocument,
}).annotate({ identifier: "Workspace" })
export type WorkspaceDocument = typeof WorkspaceDocument.Type

/** Any part of a workspace's settings; what is absent stays. */
export const WorkspacePatch = Schema.Struct({
  ...settings,
  limits: LimitsDocument.mapFields(Struct.map(Schema.optionalKey)),
})
  .mapFields(Struct.map(Schema.optionalKey))
  .annotate({ identifier: "WorkspacePatch" })
export type WorkspacePatch = typeof WorkspacePatch.Type

/** A new workspace: its name, and what of its settings is not to be the default. */
const NewWorkspace = WorkspacePatch.mapFields(Struct.assign({ name: Name })).annotate({
  identifier: "NewWorkspace",
})

export class WorkspacesGroup extends HttpApiGroup.make("workspaces")
  .add(
    HttpApiEndpoint.get("list", "/workspaces", {
      query: pageQuery(WorkspaceCursor),
      success: Page(WorkspaceDocument, WorkspaceCursor),
    }),
    HttpApiEndpoint.post("create", "/workspaces", {
      payload: NewWorkspace,
      success: WorkspaceDocument.pipe(HttpApiSchema.status(201)),
    }),
    HttpApiEndpoint.get("get", "/workspaces/:w", {
      params: { w: WorkspaceId },
      success: WorkspaceDocument,
    }),
    HttpApiEndpoint.patch("update", "/workspaces/:w", {
      params: { w: WorkspaceId },
      payload: WorkspacePatch,
      success: WorkspaceDocument,
    }),
  )
  .middleware(ProblemAnswers)
  .middleware(Authorization)
  .annotateMerge(OpenApi.annotations({ title: "Workspaces" })) {}

/** The settings after a patch. */
export const patched = (current: Omit<Workspace, "id">, patch: WorkspacePatch): Omit<Workspace, "id"> => ({
  name: patch.name ?? current.name,
  region: patch.region ?? current.region,
  identifiers:
    patch.identifiers === undefined
      ? current.identifiers
      : { id: patch.identifiers.includes("id"), email: patch.identifiers.includes("email") },
  emailUpdateById: patch.email_update_by_id ?? current.emailUpdateById,
  eventMerging: patch.event_merging ?? current.eventMerging,
  rateLimit: patch.rate_limit ?? current.rateLimit,
  limits: limitsOf({ ...limitsDocument(current.limits), ...patch.limits }),
})

export const workspaceDocument = (workspace: Workspace): WorkspaceDocument => ({
  environment_id: workspace.id,
  name: workspace.name,
  region: workspace.region,
  identifiers: [
    ...(workspace.identifiers.id ? (["id"] as const) : []),
    ...(workspace.identifiers.email ? (["email"] as const) : []),
  ],
  email_update_by_id: workspace.emailUpdateById,
  event_merging: workspace.eventMerging,
  rate_limit: workspace.rateLimit,
  limits: limitsDocument(workspace.limits),
})

const limitsDocument = (limits: Limits): LimitsDocument => ({
  request_bytes: limits.requestBytesMax,
  batch_bytes: limits.batchBytesMax,
  batch_item_bytes: limits.batchItemBytesMax,
  person_id_bytes: limits.personIdBytesMax,
  object_id_bytes: limits.objectIdBytesMax,
  attribute_name_bytes: limits.attributeNameBytesMax,
  attribute_value_bytes: limits.attributeValueBytesMax,
  attributes_per_person: limits.attributesPerPersonMax,
  attributes_per_object: limits.attributesPerObjectMax,
  object_attributes_bytes: limits.objectAttributesBytesMax,
  event_name_bytes: limits.eventNameBytesMax,
  event_data_bytes: limits.eventDataBytesMax,
  segment_ids: limits.segmentIdsMax,
  rate_requests: limits.rateRequestsMax,
  rate_window_seconds: limits.rateWindowSeconds,
})

const limitsOf = (document: LimitsDocument): Limits => ({
  requestBytesMax: document.request_bytes,
  batchBytesMax: document.batch_bytes,
  batchItemBytesMax: document.batch_item_bytes,
  personIdBytesMax: document.person_id_bytes,
  objectIdBytesMax: document.object_id_bytes,
  attributeNameBytesMax: document.attribute_name_bytes,
  attributeValueBytesMax: document.attribute_value_bytes,
  attributesPerPersonMax: document.attributes_per_person,
  attributesPerObjectMax: document.attributes_per_object,
  objectAttributesBytesMax: document.object_attributes_bytes,
  eventNameBytesMax: document.event_name_bytes,
  eventDataBytesMax: document.event_data_bytes,
  segmentIdsMax: document.segment_ids,
  rateRequestsMax: document.rate_requests,
  rateWindowSeconds: document.rate_window_seconds,
})
