import { Schema } from "effect"
import { readFileSync } from "node:fs"
import { send, type Answer } from "./http.ts"
import { base64 } from "./ingestion.ts"
import { read, type Query } from "./Management.ts"
import { PipelinesSource } from "./PipelinesSource.ts"
import { Tenant } from "./Tenant.ts"

const Texts = Schema.Record(Schema.String, Schema.String)

/** Regular expressions that a text must match, and others that it must not match. */
const Patterns = Schema.Struct({
  match: Schema.optionalKey(Schema.Array(Schema.String)),
  not: Schema.optionalKey(Schema.Array(Schema.String)),
})

/** A field's value, or patterns for it as text. */
const Expected = Schema.Union([
  Schema.Struct({ not: Schema.String }),
  Schema.Struct({ match: Schema.String }),
  Schema.Json,
])

const Expectation = Schema.Struct({
  status: Schema.optionalKey(Schema.Int),
  header: Schema.optionalKey(Texts),
  entry: Schema.optionalKey(
    Schema.StructWithRest(
      Schema.Struct({
        refused_paths: Schema.optionalKey(Schema.Array(Schema.String)),
        near_receipt: Schema.optionalKey(Schema.Boolean),
      }),
      [Schema.Record(Schema.String, Expected)],
    ),
  ),
  explanation: Schema.optionalKey(Patterns),
  summary: Schema.optionalKey(Patterns),
  entry_text: Schema.optionalKey(Patterns),
  answer: Schema.optionalKey(Patterns),
  last_line: Schema.optionalKey(Schema.Record(Schema.String, Schema.Json)),
})
export type Expectation = typeof Expectation.Type

const Request = Schema.Struct({
  as: Schema.Literals(["track", "pipelines", "manage", "nobody"]),
  method: Schema.String,
  path: Schema.String,
  headers: Schema.optionalKey(Texts),
  json: Schema.optionalKey(Schema.Json),
  text: Schema.optionalKey(Schema.String),
  base64: Schema.optionalKey(Schema.String),
  expect: Schema.optionalKey(Expectation),
})
type Request = typeof Request.Type

const State = Schema.Struct({
  people: Schema.optionalKey(
    Schema.Array(Schema.Struct({ id: Schema.String, has: Schema.Record(Schema.String, Schema.Json) })),
  ),
  people_with: Schema.optionalKey(
    Schema.StructWithRest(Schema.Struct({ lacks: Schema.Array(Schema.String) }), [
      Schema.Record(Schema.String, Schema.Json),
    ]),
  ),
})

const Case = Schema.Struct({
  id: Schema.String,
  kind: Schema.String,
  essence: Schema.String,
  requests: Schema.Array(Request),
  state: Schema.optionalKey(State),
}).pipe(Schema.encodeKeys({ state: "then" }))
export type Case = typeof Case.Type

/** What users reported about services of this kind in public, as requests with the results that they expect. */
export const cases = Schema.decodeUnknownSync(Schema.Struct({ cases: Schema.Array(Case) }), {
  onExcessProperty: "ignore",
})(JSON.parse(readFileSync(new URL("../conformance/public-cases.json", import.meta.url), "utf8"))).cases

/** Sends the requests of a case to a new workspace and returns a sentence for each expectation that does not hold. */
export const failuresOf = async (tested: Case): Promise<ReadonlyArray<string>> => {
  const workspace = await PublicWorkspace.create()
  const failures: Array<string> = []
  for (const [n, request] of tested.requests.entries()) {
    const answer = await workspace.send(request)
    const found = await workspace.mismatches(answer, request.expect ?? {})
    failures.push(...found.map((text) => `request ${n + 1}: ${text}`))
  }
  return [...failures, ...(await workspace.stateMismatches(tested.state ?? {}))]
}

const Explanation = Schema.Struct({ summary: Schema.String, advice: Schema.Unknown })

/** A workspace with a key of each kind and a manual segment. */
class PublicWorkspace {
  readonly #tenant: Tenant
  readonly #source: PipelinesSource
  readonly #segment: number

  private constructor(tenant: Tenant, source: PipelinesSource, segment: number) {
    this.#tenant = tenant
    this.#source = source
    this.#segment = segment
  }

  static async create(): Promise<PublicWorkspace> {
    const tenant = await Tenant.create()
    const source = await PipelinesSource.forWorkspace(tenant.inlet, tenant.workspace)
    return new PublicWorkspace(tenant, source, await tenant.createSegment())
  }

  send(request: Request): Promise<Answer> {
    const path = request.path
      .replace("{{segment}}", String(this.#segment))
      .replace("{{workspace}}", String(this.#tenant.workspace))
    const body = bodyOf(request)
    return send(this.#tenant.inlet.url, {
      method: request.method,
      path,
      headers: {
        ...(request.json !== undefined && { "content-type": "application/json" }),
        ...this.#credentials(request.as),
        ...request.headers,
      },
      ...(body !== undefined && { body }),
    })
  }

  #credentials(as: Request["as"]): Readonly<Record<string, string>> {
    switch (as) {
      case "track":
        return { authorization: `Basic ${base64(`${this.#tenant.siteId}:${this.#tenant.apiKey}`)}` }
      case "pipelines":
        return { authorization: this.#source.authorization }
      case "manage":
        return { authorization: `Bearer ${this.#tenant.token}` }
      case "nobody":
        return {}
    }
  }

  async mismatches(answer: Answer, expected: Expectation): Promise<ReadonlyArray<string>> {
    return [
      ...differing("status", answer.status, expected.status),
      ...Object.entries(expected.header ?? {}).flatMap(([name, pattern]) =>
        unmatched(`the header ${name}`, String(answer.headers[name] ?? ""), { match: [pattern] }),
      ),
      ...(expected.answer === undefined ? [] : unmatched("the answer", answer.text, expected.answer)),
      ...(expected.last_line === undefined ? [] : lastLineMismatches(answer, expected.last_line)),
      ...(expected.entry === undefined && expected.entry_text === undefined
        ? []
        : await this.#entryMismatches(answer, expected)),
      ...(expected.explanation === undefined && expected.summary === undefined
        ? []
        : await this.#explanationMismatches(answer, expected)),
    ]
  }

  async #entryMismatches(answer: Answer, expected: Expectation): Promise<ReadonlyArray<string>> {
    const found = await this.#ofOperation(answer, "")
    if (found.status !== 200) return [`no entry under ${answer.operationId}`]
    const text =
      expected.entry_text === undefined ? [] : unmatched("the entry", found.text, expected.entry_text)
    if (expected.entry === undefined) return text
    const { near_receipt: nearReceipt, refused_paths: refusedPaths, ...fields } = expected.entry
    const entry = read(Schema.Record(Schema.String, Schema.Json), found.json)
    return [
      ...text,
      ...Object.entries(fields).flatMap(([name, value]) => fieldMismatches(name, entry[name], value)),
      ...(refusedPaths === undefined ? [] : refusedMismatches(entry["refused"], refusedPaths)),
      ...(nearReceipt === true ? differing("at", entry["at"], entry["received_at"]) : []),
    ]
  }

  async #explanationMismatches(answer: Answer, expected: Expectation): Promise<ReadonlyArray<string>> {
    const found = await this.#ofOperation(answer, "/explanation")
    if (found.status !== 200) return [`no explanation under ${answer.operationId}`]
    const { advice, summary } = read(Explanation, found.json)
    return [
      ...unmatched("the explanation", `${summary} ${JSON.stringify(advice)}`, expected.explanation ?? {}),
      ...unmatched("the summary", summary, expected.summary ?? {}),
    ]
  }

  /** Reads a part of the operation under an answer. Of a batch this is the first operation. */
  async #ofOperation({ operationId }: Answer, part: string): Promise<Answer> {
    const read = (id: string) => this.#tenant.call("GET", this.#tenant.pathOf(`/operations/${id}${part}`))
    const whole = await read(operationId)
    return whole.status === 200 ? whole : read(`${operationId}-0`)
  }

  async stateMismatches(state: typeof State.Type): Promise<ReadonlyArray<string>> {
    const failures: Array<string> = []
    for (const { has, id } of state.people ?? []) {
      const [person, ...others] = await this.#people({ id })
      if (person === undefined || others.length > 0) failures.push(`not one person has the id ${id}`)
      else
        for (const [path, value] of Object.entries(has))
          failures.push(...differing(path, valueAt(person, path), value))
    }
    if (state.people_with !== undefined) {
      const { lacks, ...has } = state.people_with
      const found = (await this.#people({})).filter((person) =>
        Object.entries(has).every(([path, value]) => valueAt(person, path) === value),
      )
      for (const person of found)
        for (const path of lacks) failures.push(...differing(path, valueAt(person, path), undefined, true))
    }
    return failures
  }

  #people(query: Query) {
    return this.#tenant.people(query)
  }
}

const bodyOf = (request: Request): string | Uint8Array | undefined => {
  if (request.json !== undefined) return JSON.stringify(request.json)
  if (request.base64 !== undefined) return Buffer.from(request.base64, "base64")
  return request.text
}

const differing = (name: string, actual: unknown, expected: unknown, evenAbsent = false): Array<string> =>
  (expected === undefined && !evenAbsent) || JSON.stringify(actual) === JSON.stringify(expected)
    ? []
    : [`${name} is ${JSON.stringify(actual)}, expected ${JSON.stringify(expected)}`]

const unmatched = (
  name: string,
  text: string,
  { match = [], not = [] }: typeof Patterns.Type,
): Array<string> => [
  ...match
    .filter((pattern) => !new RegExp(pattern).test(text))
    .map((pattern) => `${name} is not /${pattern}/: ${text}`),
  ...not
    .filter((pattern) => new RegExp(pattern).test(text))
    .map((pattern) => `${name} is /${pattern}/: ${text}`),
]

const fieldMismatches = (name: string, actual: unknown, expected: unknown): Array<string> => {
  if (Schema.is(Schema.Struct({ not: Schema.String }))(expected))
    return unmatched(name, JSON.stringify(actual), { not: [expected.not] })
  if (Schema.is(Schema.Struct({ match: Schema.String }))(expected))
    return unmatched(name, JSON.stringify(actual), { match: [expected.match] })
  return differing(name, actual, expected)
}

const refusedMismatches = (refused: unknown, ends: ReadonlyArray<string>): Array<string> => {
  const paths = read(Schema.Array(Schema.Struct({ path: Schema.String })), refused).map(({ path }) => path)
  return paths.length === ends.length && ends.every((end) => paths.some((path) => path.endsWith(end)))
    ? []
    : [`refused are ${JSON.stringify(paths)}, expected ${JSON.stringify(ends)}`]
}

const lastLineMismatches = (answer: Answer, expected: Readonly<Record<string, unknown>>): Array<string> => {
  const line: unknown = JSON.parse(answer.text.trimEnd().split("\n").at(-1) ?? "null")
  return Object.entries(expected).flatMap(([name, value]) => differing(name, valueAt(line, name), value))
}

const valueAt = (document: unknown, path: string): unknown =>
  path.split(".").reduce<unknown>((value, key) => {
    const inside = Schema.decodeUnknownOption(Schema.Record(Schema.String, Schema.Unknown))(value)
    return inside._tag === "Some" ? inside.value[key] : undefined
  }, document)
