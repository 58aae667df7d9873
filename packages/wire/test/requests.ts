import { assert } from "@effect/vitest"
import type { Command } from "@inlethq/core/Command"
import type { RejectOperation } from "@inlethq/core/operation/commands"
import { WorkspaceId } from "@inlethq/core/values/Identifier"
import { defaultLimits } from "@inlethq/core/workspace/Limits"
import type { Fault } from "@inlethq/core/log/Outcome"
import type { Workspace } from "@inlethq/core/workspace/Workspace"
import { Result } from "effect"
import type { RequestContext } from "../src/pipelines/RequestContext.ts"
import { messageOf } from "../src/texts/sentences.ts"
import { defaultBrand } from "../src/decoding/Brand.ts"
import type { Receipt } from "../src/decoding/Receipt.ts"

export const receivedAt = Date.parse("2026-03-01T12:00:00.000Z")

export const workspace: Workspace = {
  id: WorkspaceId.make(7),
  name: "Acme",
  region: "eu",
  identifiers: { id: true, email: true },
  emailUpdateById: false,
  eventMerging: true,
  placeholderIds: "mark",
  context: "keep",
  omit: [],
  bots: "mark",
  ip: "keep",
  plan: null,
  unknownEvents: "allow",
  rateLimit: "observe",
  kafka: null,
  lake: null,
  retentionDays: null,
  auditDays: 365,
  historyDays: 30,
  rejectedDays: 7,
  alerts: { errorRatePercent: 5, errorsMin: 10, lagSeconds: 900 },
  recordsMax: null,
  limits: defaultLimits,
}

export const idOnly: Workspace = { ...workspace, identifiers: { id: true, email: false } }
export const emailOnly: Workspace = { ...workspace, identifiers: { id: false, email: true } }

export const receipt = (
  source: Receipt["source"],
  over: Workspace = workspace,
  batchIndex: number | null = null,
): Receipt => ({ workspace: over, brand: defaultBrand, source, receivedAt, batchIndex })

/** Returns the envelope that a valid request without a time must be decoded to. */
export const envelopeFrom = (source: Receipt["source"]) => ({
  workspace,
  source,
  receivedAt,
  at: receivedAt,
  followsReceipt: true,
  originalTimestamp: null,
  batchIndex: null,
  deduplicationKey: null,
  sender: null,
  faults: [],
})

export const requestContext = (over: Partial<RequestContext> = {}): RequestContext => ({
  brand: defaultBrand,
  receivedAt,
  bytes: 1000,
  strict: false,
  open: () => workspace,
  ...over,
})

/** The expected outcome of a request: some fields of the command, or the faults of a refused request. */
export type Expected = ExpectedFields | ReadonlyArray<string>

export interface ExpectedFields {
  /** The expected faults, one per line. By default no faults are expected. */
  readonly faults?: ReadonlyArray<string>
  readonly [field: string]: unknown
}

/** Formats a fault as `reason field: message`. */
export const faultLine = (fault: Fault): string =>
  `${fault.reason} ${fault.field}: ${messageOf("svc", fault)}`

export const assertDecoded = (result: Result.Result<Command, RejectOperation>, expected: Expected): void => {
  const command = Result.merge(result)
  if (!isLines(expected)) return assertCommand(command, expected)
  assert.strictEqual(command._tag, "RejectOperation")
  assert.deepStrictEqual(command.faults.map(faultLine), expected)
}

const isLines = (expected: Expected): expected is ReadonlyArray<string> => Array.isArray(expected)

/**
 * Checks that a command has the expected field values and exactly the expected faults. Other fields are not checked.
 */
export const assertCommand = (command: Command | undefined, expected: ExpectedFields): void => {
  if (command === undefined) return assert.fail("the request was not decoded to a command")
  const { faults = [], ...fields } = expected
  assert.deepStrictEqual(command.faults.map(faultLine), faults)
  assert.deepInclude(command, fields)
}

export const byId = (value: string) => ({ _tag: "ByIdentifier", kind: "id", value })
export const byEmail = (value: string) => ({ _tag: "ByIdentifier", kind: "email", value })
export const byAnonymousId = (value: string) => ({ _tag: "ByIdentifier", kind: "anonymous_id", value })
export const bySvcId = (key: number | null) => ({ _tag: "BySvcId", key })
export const bare = (value: string, otherwise: object) => ({ _tag: "ByBareText", value, otherwise })

/** Builds attribute assignments from pairs of name and value. */
export const assignments = (...pairs: ReadonlyArray<readonly [name: string, value: unknown]>) =>
  pairs.map(([name, value]) => ({ name, value }))
