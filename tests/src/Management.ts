import { Schema } from "effect"
import { eventually } from "./eventually.ts"
import { fresh } from "./fresh.ts"
import { credentials } from "./Inlet.ts"
import { send, type Answer, type RunningServer } from "./http.ts"

const Nullable = Schema.NullOr(Schema.String)
const Attributes = Schema.Record(Schema.String, Schema.Unknown)

const Person = Schema.Struct({
  svc_id: Schema.String,
  id: Nullable,
  email: Nullable,
  anonymous_ids: Schema.Array(Schema.String),
  attributes: Attributes,
  created_at: Schema.String,
  updated_at: Schema.String,
  unsubscribed: Schema.Boolean,
  subscription_preferences: Schema.Unknown,
  devices: Schema.Array(
    Schema.Struct({
      token: Schema.String,
      platform: Schema.String,
      last_used: Nullable,
      attributes: Attributes,
    }),
  ),
  relationships: Schema.Array(
    Schema.Struct({ object_type_id: Schema.String, object_id: Schema.String, attributes: Attributes }),
  ),
  segments: Schema.Array(Schema.Int),
})
export type Person = typeof Person.Type

const Entry = Schema.Struct({
  operation_id: Schema.String,
  sequence: Schema.Finite,
  at: Schema.String,
  original_timestamp: Nullable,
  received_at: Schema.String,
  processed_at: Nullable,
  source: Schema.Literals(["track-v1", "track-v2", "pipelines", "csv", "management", "system"]),
  kind: Nullable,
  name: Nullable,
  outcome: Schema.Literals([
    "applied",
    "created",
    "duplicate",
    "ignored",
    "dropped",
    "partial",
    "rejected",
    "pending",
  ]),
  reason: Nullable,
  reasons: Schema.Array(
    Schema.Struct({
      code: Schema.String,
      field: Schema.String,
      values: Schema.Record(Schema.String, Schema.Union([Schema.String, Schema.Finite])),
    }),
  ),
  rule: Nullable,
  subject: Schema.Struct({
    svc_id: Nullable,
    id: Nullable,
    email: Nullable,
    name: Nullable,
    anonymous_id: Nullable,
    object_type_id: Nullable,
    object_id: Nullable,
  }),
  id: Nullable,
  trigger_eligible: Schema.NullOr(Schema.Boolean),
  data: Schema.Unknown,
  message_overrides: Schema.optionalKey(Schema.Unknown),
  changes: Schema.Array(Schema.Struct({ path: Schema.String, from: Schema.Unknown, to: Schema.Unknown })),
  sender: Schema.NullOr(Schema.Unknown),
  request: Schema.NullOr(Schema.Unknown),
  kept_as: Schema.Array(Schema.Unknown),
  context: Schema.optionalKey(Schema.Unknown),
  integrations: Schema.optionalKey(Schema.Unknown),
  omitted: Schema.optionalKey(Schema.Array(Schema.String)),
  geo: Schema.optionalKey(
    Schema.Struct({
      country: Schema.String,
      region: Schema.optionalKey(Schema.String),
      city: Schema.optionalKey(Schema.String),
    }),
  ),
  effects: Schema.Array(
    Schema.Struct({
      svc_id: Schema.String,
      segment_id: Schema.Int,
      version: Schema.Int,
      change: Schema.String,
    }),
  ),
  refused: Schema.Array(
    Schema.Struct({
      path: Schema.String,
      value: Schema.Unknown,
      cut_from: Schema.optionalKey(Schema.Int),
      reason: Schema.String,
      rule: Schema.String,
      other: Schema.NullOr(Schema.Struct({ svc_id: Schema.String })),
    }),
  ),
})
export type Entry = typeof Entry.Type

const DataObject = Schema.Struct({
  object_type_id: Schema.String,
  object_id: Schema.String,
  svc_object_id: Schema.String,
  attributes: Attributes,
  people_total: Schema.Int,
  created_at: Schema.String,
  updated_at: Schema.String,
})
export type DataObject = typeof DataObject.Type

const Related = Schema.Struct({
  svc_id: Nullable,
  id: Nullable,
  email: Nullable,
  anonymous_id: Nullable,
  attributes: Attributes,
})

const Segment = Schema.Struct({
  segment_id: Schema.Int,
  name: Schema.String,
  kind: Schema.Literals(["manual", "rule"]),
  size: Schema.Int,
})

const Form = Schema.Struct({
  form_id: Schema.String,
  fields: Schema.Array(Schema.String),
  mapping: Schema.Record(Schema.String, Schema.String),
})

const Delivery = Schema.Struct({
  delivery_id: Schema.String,
  channel: Nullable,
  svc_id: Nullable,
  recipient: Nullable,
  subject: Nullable,
  metrics: Schema.Record(Schema.String, Schema.Struct({ first_at: Schema.String, count: Schema.Int })),
})

export const Workspace = Schema.Struct({
  environment_id: Schema.Int,
  name: Schema.String,
  region: Schema.String,
  identifiers: Schema.Array(Schema.String),
  email_update_by_id: Schema.Boolean,
  event_merging: Schema.Boolean,
  placeholder_ids: Schema.String,
  context: Schema.String,
  omit: Schema.Array(Schema.String),
  bots: Schema.String,
  ip: Schema.String,
  unknown_events: Schema.String,
  alerts: Schema.Struct({
    error_rate_percent: Schema.Int,
    errors_min: Schema.Int,
    lag_seconds: Schema.Int,
  }),
  rate_limit: Schema.String,
  retention_days: Schema.NullOr(Schema.Int),
  audit_days: Schema.Int,
  history_days: Schema.Int,
  rejected_days: Schema.Int,
  records_max: Schema.NullOr(Schema.Int),
  kafka: Schema.NullOr(Schema.Struct({ topic: Schema.String })),
  lake: Schema.NullOr(Schema.Struct({ target: Schema.String })),
  limits: Schema.Record(Schema.String, Schema.Finite),
})

export const TrackKey = Schema.Struct({
  key_id: Schema.Union([Schema.String, Schema.Finite]),
  kind: Schema.Literal("track"),
  name: Schema.String,
  site_id: Schema.String,
  api_key: Schema.String,
})

export const PipelinesKey = Schema.Struct({
  key_id: Schema.Union([Schema.String, Schema.Finite]),
  kind: Schema.Literal("pipelines"),
  name: Schema.String,
  write_key: Schema.String,
})

const page = <A>(item: Schema.Codec<A, unknown>) =>
  Schema.Struct({ items: Schema.Array(item), next: Nullable })

/** Decodes `value` by `schema`. Throws an error that describes the mismatch. */
export const read = <A, E>(schema: Schema.Codec<A, E>, value: unknown): A =>
  Schema.decodeUnknownSync(schema)(value)

export type Query = Readonly<Record<string, string>>

/** A client of the management API for one workspace. Methods throw if the status is unexpected. */
export class Management {
  readonly inlet: RunningServer
  readonly workspace: number
  readonly token: string

  constructor(inlet: RunningServer, workspace = 1, token = credentials.token) {
    this.inlet = inlet
    this.workspace = workspace
    this.token = token
  }

  /** Sends a request to a path below `/management/v1`. Returns the answer even if its status is an error. */
  call(method: string, path: string, body?: unknown): Promise<Answer> {
    const authorization = { authorization: `Bearer ${this.token}` }
    return send(this.inlet.url, {
      method,
      path: `/management/v1${path}`,
      headers: body === undefined ? authorization : { ...authorization, "content-type": "application/json" },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
  }

  /** Returns the path of a resource of this workspace, relative to `/management/v1`. */
  pathOf(path: string, query: Query = {}): string {
    const search = new URLSearchParams(query).toString()
    return `/workspaces/${this.workspace}${path}${search === "" ? "" : `?${search}`}`
  }

  /** Reads a resource of this workspace. A busy database may answer 503, after which every client asks again. */
  async get(path: string, query: Query = {}): Promise<unknown> {
    const answer = await eventually(`${path} is answered`, async () => {
      const given = await this.call("GET", this.pathOf(path, query))
      return given.status === 503 ? undefined : given
    })
    if (answer.status !== 200) throw new Error(`${path}: ${answer.status} ${answer.text}`)
    return answer.json
  }

  async people(query: Query): Promise<ReadonlyArray<Person>> {
    return read(page(Person), await this.get("/people", query)).items
  }

  /** Creates a workspace with these settings and returns the id of the workspace. */
  async createWorkspace(settings: object = {}): Promise<number> {
    const answer = await this.call("POST", "/workspaces", { name: fresh("w"), ...settings })
    if (answer.status !== 201) throw new Error(`cannot create a workspace: ${answer.status} ${answer.text}`)
    return read(Workspace, answer.json).environment_id
  }

  /** Returns the person that matches a query. Throws unless exactly one person matches. */
  async person(query: Query): Promise<Person> {
    const [person, ...others] = await this.people(query)
    if (person === undefined || others.length > 0) {
      throw new Error(
        `${JSON.stringify(query)} finds ${others.length + (person === undefined ? 0 : 1)} people`,
      )
    }
    return person
  }

  async personBySvcId(svcId: string): Promise<Person> {
    return read(Person, await this.get(`/people/${svcId}`))
  }

  /** Returns one page of the activity of the workspace, or of one person. */
  async activityPage(query: Query, svcId?: string) {
    const path = svcId === undefined ? "/activity" : `/people/${svcId}/activity`
    return read(page(Entry), await this.get(path, query))
  }

  /** Returns all pages of the activity of the workspace, or of one person. */
  async activity(query: Query, svcId?: string): Promise<ReadonlyArray<Entry>> {
    const found: Array<Entry> = []
    let after: Query = {}
    for (;;) {
      const { items, next } = await this.activityPage({ limit: "1000", ...query, ...after }, svcId)
      found.push(...items)
      if (next === null) return found
      after = { after: next }
    }
  }

  /** Returns the log entry of an answered call. For a batch, `index` selects the item. */
  async operation(answered: Answer, index?: number): Promise<Entry> {
    const suffix = index === undefined ? "" : `-${index}`
    return read(Entry, await this.get(`/operations/${answered.operationId}${suffix}`))
  }

  /**
   * Returns the log entry of the event with this name. Throws unless the log has exactly one such entry, not counting
   * duplicates.
   */
  async event(name: string): Promise<Entry> {
    const entries = (await this.activity({ name })).filter((entry) => entry.outcome !== "duplicate")
    const [entry, ...others] = entries
    if (entry === undefined || others.length > 0)
      throw new Error(`expected one event named ${name}, found ${entries.length}`)
    return entry
  }

  /** Returns an object, or undefined if it does not exist. */
  async object(typeId: string, objectId: string): Promise<DataObject | undefined> {
    const path = `/objects/${encodeURIComponent(typeId)}/${encodeURIComponent(objectId)}`
    const answer = await this.call("GET", this.pathOf(path))
    return answer.status === 404 ? undefined : read(DataObject, answer.json)
  }

  /** Returns the people and visitors related to an object, oldest first. */
  async peopleOfObject(typeId: string, objectId: string) {
    const path = `/objects/${encodeURIComponent(typeId)}/${encodeURIComponent(objectId)}/people`
    return read(page(Related), await this.get(path, { limit: "1000", order: "asc" })).items
  }

  async objects(query: Query = {}): Promise<ReadonlyArray<DataObject>> {
    return read(page(DataObject), await this.get("/objects", query)).items
  }

  /** Creates a manual segment and returns its id. */
  async createSegment(name = "everyone", rule?: object): Promise<number> {
    const answer = await this.call("POST", this.pathOf("/segments"), {
      name,
      ...(rule !== undefined && { rule }),
    })
    if (answer.status !== 201) throw new Error(`cannot create a segment: ${answer.status} ${answer.text}`)
    return read(Segment, answer.json).segment_id
  }

  async segment(segmentId: number) {
    return read(Segment, await this.get(`/segments/${segmentId}`))
  }

  /** Returns the ids of the people in a segment, sorted. A person without an id is listed by email. */
  async segmentMembers(segmentId: number): Promise<ReadonlyArray<string>> {
    const { items } = read(page(Person), await this.get(`/segments/${segmentId}/people`, { limit: "1000" }))
    return items.map(({ email, id }) => id ?? email ?? "").toSorted()
  }

  async isSuppressed(query: Query): Promise<boolean> {
    return read(Schema.Struct({ suppressed: Schema.Boolean }), await this.get("/suppressions", query))
      .suppressed
  }

  async form(formId: string) {
    return read(Form, await this.get(`/forms/${encodeURIComponent(formId)}`))
  }

  /** Sets the mapping of a form. The keys are the form's fields, and the values are names of attributes. */
  async mapForm(formId: string, mapping: Query): Promise<void> {
    const answer = await this.call("PATCH", this.pathOf(`/forms/${encodeURIComponent(formId)}`), { mapping })
    if (answer.status !== 200) throw new Error(`cannot map the form: ${answer.status} ${answer.text}`)
  }

  /** Returns a delivery, or undefined if it is unknown. */
  async delivery(deliveryId: string) {
    const answer = await this.call("GET", this.pathOf(`/deliveries/${encodeURIComponent(deliveryId)}`))
    return answer.status === 404 ? undefined : read(Delivery, answer.json)
  }

  async registerDelivery(deliveryId: string, delivery: object): Promise<void> {
    const path = this.pathOf(`/deliveries/${encodeURIComponent(deliveryId)}`)
    const answer = await this.call("PUT", path, delivery)
    if (answer.status !== 200)
      throw new Error(`cannot register the delivery: ${answer.status} ${answer.text}`)
  }
}
