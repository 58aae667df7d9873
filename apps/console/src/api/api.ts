import type { ActivityDocument } from "@inlet/api/management/ActivityLog"
import type { AuditDocument } from "@inlet/api/management/Audit"
import type { DeliveryDocument, DeliveryRegistration } from "@inlet/api/management/Deliveries"
import type { ExplanationDocument } from "@inlet/api/management/ExplanationDocument"
import type { FormDocument } from "@inlet/api/management/Forms"
import type { IssuedKey, KeyDocument } from "@inlet/api/management/Keys"
import type { MergePreviewDocument } from "@inlet/api/management/MergePreview"
import type { ObjectDocument, RelatedDocument } from "@inlet/api/management/Objects"
import type { PersonDocument } from "@inlet/api/management/People"
import type { ProvenanceDocument } from "@inlet/api/management/Provenance"
import type { SegmentDocument } from "@inlet/api/management/Segments"
import type { ServerDocument } from "@inlet/api/management/Server"
import type { StatsDocument } from "@inlet/api/management/Stats"
import type { StatusDocument } from "@inlet/api/management/Status"
import type { IssuedToken, NewToken, TokenDocument } from "@inlet/api/management/Tokens"
import type {
  AttemptDocument,
  NewWebhook,
  WebhookDocument,
  WebhookPatch,
} from "@inlet/api/management/Webhooks"
import type { WorkspaceDocument, WorkspacePatch } from "@inlet/api/management/Workspaces"
import { managementPath, pathOf, request, submit, withQuery } from "./request.ts"

/** A page of a list. `next` is the cursor of the next page, or null on the last page. */
export interface PageOf<Item> {
  readonly items: ReadonlyArray<Item>
  readonly next: string | null
  /** The number of people that the server checked for this page. It is only present in a search by attribute. */
  readonly searched?: number
}

export interface PageQuery {
  readonly limit?: number
  readonly after?: string | undefined
  readonly order?: "asc" | "desc"
}

interface ActivityQuery extends PageQuery {
  readonly filter?: string | undefined
  /** Only entries received at this time in ISO 8601, or later, are returned. */
  readonly since?: string | undefined
  /** Only entries received before this time, in ISO 8601, are returned. */
  readonly until?: string | undefined
}

interface PeopleQuery extends PageQuery {
  readonly q?: string | undefined
  readonly attribute?: string | undefined
  readonly value?: string | undefined
  readonly id?: string | undefined
  readonly email?: string | undefined
  readonly svc_id?: string | undefined
  readonly anonymous_id?: string | undefined
}

interface StatsQuery {
  /** The beginning of the period in ISO 8601. An hour before `to` by default. */
  readonly from?: string
  /** The end of the period in ISO 8601. The current time by default. */
  readonly to?: string
  /** The length in seconds of the steps into which the period is divided. By default, the period has 60 steps. */
  readonly step?: number
}

interface ObjectsQuery extends PageQuery {
  readonly object_type_id?: string | undefined
}

interface AuditQuery {
  /** The id of a workspace, or 0 for the installation. */
  readonly workspace?: string | undefined
  readonly actor?: string | undefined
  readonly action?: string | undefined
  readonly outcome?: string | undefined
  readonly since?: string | undefined
  readonly until?: string | undefined
}

interface AttemptsQuery extends PageQuery {
  readonly status?: AttemptDocument["status"] | undefined
}

/** An entity of the Track API v2, such as `{type: "person", action: "delete", identifiers: {id: "ada"}}`. */
export interface OperationRequest {
  readonly type: string
  readonly action: string
  readonly [field: string]: unknown
}

export interface RuleDocument {
  readonly rule: string
  readonly title: string
  readonly text: string
  readonly url: string
}

export type IssuedWebhook = WebhookDocument & { readonly signing_secret: string }

interface WebhookTest {
  readonly status: "delivered" | "failed"
  readonly response_status: number | null
  readonly duration_ms: number
  readonly response_excerpt: string | null
}

type Signal = AbortSignal | undefined

const get = <Answer>(path: string, query: object = {}, signal?: Signal): Promise<Answer> =>
  request<Answer>("GET", path, { query: { ...query }, ...(signal === undefined ? {} : { signal }) })

const inWorkspace = (w: string, ...parts: ReadonlyArray<string | number>): string =>
  pathOf("workspaces", w, ...parts)

/** The calls of the management API. `w` is the id of the workspace. */
export const api = {
  server: (signal?: Signal) => get<ServerDocument>("/server", {}, signal),
  status: (signal?: Signal) => get<StatusDocument>("/status", {}, signal),
  rule: (rule: string, signal?: Signal) => get<RuleDocument>(pathOf("rules", rule), {}, signal),

  workspaces: {
    list: (query: PageQuery = {}, signal?: Signal) =>
      get<PageOf<WorkspaceDocument>>("/workspaces", query, signal),
    get: (w: string, signal?: Signal) => get<WorkspaceDocument>(inWorkspace(w), {}, signal),
    create: (body: WorkspacePatch & { readonly name: string }) =>
      request<WorkspaceDocument>("POST", "/workspaces", { body }),
    update: (w: string, body: WorkspacePatch) =>
      request<WorkspaceDocument>("PATCH", inWorkspace(w), { body }),
    delete: (w: string, name: string) => submit("DELETE", inWorkspace(w), { query: { name } }),
  },

  keys: {
    list: (w: string, query: PageQuery = {}, signal?: Signal) =>
      get<PageOf<KeyDocument>>(inWorkspace(w, "keys"), query, signal),
    create: (w: string, body: Pick<KeyDocument, "kind" | "name" | "expires_at">) =>
      request<IssuedKey>("POST", inWorkspace(w, "keys"), { body }),
    revoke: (w: string, keyId: string) => submit("DELETE", inWorkspace(w, "keys", keyId)),
  },

  tokens: {
    list: (query: PageQuery = {}, signal?: Signal) => get<PageOf<TokenDocument>>("/tokens", query, signal),
    create: (body: NewToken) => request<IssuedToken>("POST", "/tokens", { body }),
    revoke: (tokenId: string) => submit("DELETE", pathOf("tokens", tokenId)),
  },

  audit: {
    list: (query: AuditQuery & PageQuery = {}, signal?: Signal) =>
      get<PageOf<AuditDocument>>("/audit", query, signal),
    /** Returns the URL of the export of all records that match. */
    exportUrl: (query: AuditQuery = {}) => withQuery(`${managementPath}/audit/export`, { ...query }),
  },

  activity: {
    list: (w: string, query: ActivityQuery = {}, signal?: Signal) =>
      get<PageOf<ActivityDocument>>(inWorkspace(w, "activity"), query, signal),
    operation: (w: string, operationId: string, signal?: Signal) =>
      get<ActivityDocument>(inWorkspace(w, "operations", operationId), {}, signal),
    /** Lists the operations that arrived in the same request as an operation. */
    request: (w: string, operationId: string, query: PageQuery = {}, signal?: Signal) =>
      get<PageOf<ActivityDocument>>(inWorkspace(w, "operations", operationId, "request"), query, signal),
    /** Applies an operation that the operator asks for. The body has the format of an entity of the Track API v2. */
    apply: (w: string, body: OperationRequest) =>
      request<ActivityDocument>("POST", inWorkspace(w, "operations"), { body }),
    explanation: (w: string, operationId: string, signal?: Signal) =>
      get<ExplanationDocument>(inWorkspace(w, "operations", operationId, "explanation"), {}, signal),
  },

  people: {
    list: (w: string, query: PeopleQuery = {}, signal?: Signal) =>
      get<PageOf<PersonDocument>>(inWorkspace(w, "people"), query, signal),
    get: (w: string, svcId: string, signal?: Signal) =>
      get<PersonDocument>(inWorkspace(w, "people", svcId), {}, signal),
    /** Lists the operation that last changed each field of a person. */
    provenance: (w: string, svcId: string, query: PageQuery = {}, signal?: Signal) =>
      get<PageOf<ProvenanceDocument>>(inWorkspace(w, "people", svcId, "provenance"), query, signal),
    activity: (w: string, svcId: string, query: ActivityQuery = {}, signal?: Signal) =>
      get<PageOf<ActivityDocument>>(inWorkspace(w, "people", svcId, "activity"), query, signal),
    previewMerge: (w: string, primary: string, secondary: string, signal?: Signal) =>
      get<MergePreviewDocument>(inWorkspace(w, "people", primary, "merge-preview"), { secondary }, signal),
  },

  stats: (w: string, query: StatsQuery = {}, signal?: Signal) =>
    get<StatsDocument>(inWorkspace(w, "stats"), query, signal),

  objects: {
    list: (w: string, query: ObjectsQuery = {}, signal?: Signal) =>
      get<PageOf<ObjectDocument>>(inWorkspace(w, "objects"), query, signal),
    get: (w: string, typeId: string, objectId: string, signal?: Signal) =>
      get<ObjectDocument>(inWorkspace(w, "objects", typeId, objectId), {}, signal),
    people: (w: string, typeId: string, objectId: string, query: PageQuery = {}, signal?: Signal) =>
      get<PageOf<RelatedDocument>>(inWorkspace(w, "objects", typeId, objectId, "people"), query, signal),
  },

  segments: {
    list: (w: string, query: PageQuery = {}, signal?: Signal) =>
      get<PageOf<SegmentDocument>>(inWorkspace(w, "segments"), query, signal),
    get: (w: string, segmentId: string, signal?: Signal) =>
      get<SegmentDocument>(inWorkspace(w, "segments", segmentId), {}, signal),
    create: (w: string, body: { readonly name: string; readonly description?: string | null }) =>
      request<SegmentDocument>("POST", inWorkspace(w, "segments"), { body }),
    delete: (w: string, segmentId: string) => submit("DELETE", inWorkspace(w, "segments", segmentId)),
    people: (w: string, segmentId: string, query: PageQuery = {}, signal?: Signal) =>
      get<PageOf<PersonDocument>>(inWorkspace(w, "segments", segmentId, "people"), query, signal),
    addPerson: (w: string, segmentId: string, svcId: string) =>
      submit("PUT", inWorkspace(w, "segments", segmentId, "people", svcId)),
    removePerson: (w: string, segmentId: string, svcId: string) =>
      submit("DELETE", inWorkspace(w, "segments", segmentId, "people", svcId)),
  },

  suppressions: {
    get: (
      w: string,
      query: { readonly id?: string | undefined; readonly email?: string | undefined },
      signal?: Signal,
    ) => get<{ readonly suppressed: boolean }>(inWorkspace(w, "suppressions"), query, signal),
  },

  forms: {
    list: (w: string, query: PageQuery = {}, signal?: Signal) =>
      get<PageOf<FormDocument>>(inWorkspace(w, "forms"), query, signal),
    get: (w: string, formId: string, signal?: Signal) =>
      get<FormDocument>(inWorkspace(w, "forms", formId), {}, signal),
    update: (w: string, formId: string, mapping: Readonly<Record<string, string>>) =>
      request<FormDocument>("PATCH", inWorkspace(w, "forms", formId), { body: { mapping } }),
  },

  deliveries: {
    list: (w: string, query: PageQuery = {}, signal?: Signal) =>
      get<PageOf<DeliveryDocument>>(inWorkspace(w, "deliveries"), query, signal),
    get: (w: string, deliveryId: string, signal?: Signal) =>
      get<DeliveryDocument>(inWorkspace(w, "deliveries", deliveryId), {}, signal),
    register: (w: string, deliveryId: string, body: DeliveryRegistration) =>
      request<DeliveryDocument>("PUT", inWorkspace(w, "deliveries", deliveryId), { body }),
  },

  webhooks: {
    list: (w: string, query: PageQuery = {}, signal?: Signal) =>
      get<PageOf<WebhookDocument>>(inWorkspace(w, "webhooks"), query, signal),
    get: (w: string, webhookId: string, signal?: Signal) =>
      get<WebhookDocument>(inWorkspace(w, "webhooks", webhookId), {}, signal),
    create: (w: string, body: NewWebhook) =>
      request<IssuedWebhook>("POST", inWorkspace(w, "webhooks"), { body }),
    update: (w: string, webhookId: string, body: WebhookPatch) =>
      request<WebhookDocument>("PATCH", inWorkspace(w, "webhooks", webhookId), { body }),
    delete: (w: string, webhookId: string) => submit("DELETE", inWorkspace(w, "webhooks", webhookId)),
    rotateSecret: (w: string, webhookId: string, body: { readonly overlap_seconds?: number } = {}) =>
      request<IssuedWebhook>("POST", inWorkspace(w, "webhooks", webhookId, "rotate-secret"), { body }),
    test: (w: string, webhookId: string) =>
      request<WebhookTest>("POST", inWorkspace(w, "webhooks", webhookId, "test")),
    recover: (w: string, webhookId: string, since: string) =>
      request<{ readonly events: number }>("POST", inWorkspace(w, "webhooks", webhookId, "recover"), {
        body: { since },
      }),
    attempts: (w: string, webhookId: string, query: AttemptsQuery = {}, signal?: Signal) =>
      get<PageOf<AttemptDocument>>(inWorkspace(w, "webhooks", webhookId, "attempts"), query, signal),
    resend: (w: string, webhookId: string, attemptId: string) =>
      submit("POST", inWorkspace(w, "webhooks", webhookId, "attempts", attemptId, "resend")),
    skip: (w: string, webhookId: string, attemptId: string) =>
      submit("POST", inWorkspace(w, "webhooks", webhookId, "attempts", attemptId, "skip")),
  },
}
