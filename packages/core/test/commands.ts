import type { DeletePerson, IdentifyPerson, RecordEvent, RejectOperation } from "../src/Command.ts"
import { SubjectKey, type IdentifierKind, type Reference } from "../src/Identifier.ts"
import type { Json } from "../src/Json.ts"
import { defaults, epoch, workspaceOf, type Settings } from "./scripts.ts"

/** What tells one command of a table from the next; the rest is the same everywhere. */
interface Given {
  readonly settings?: Partial<Settings>
  /** Milliseconds after the beginning at which it arrives. */
  readonly received?: number
  /** Milliseconds after the beginning at which it happened; when it arrives, if not given. */
  readonly at?: number
  readonly key?: string
}

const envelope = ({ at, key, received = 0, settings }: Given) => ({
  workspace: workspaceOf(1, { ...defaults, ...settings }),
  source: "track-v1" as const,
  receivedAt: epoch + received,
  at: epoch + (at ?? received),
  originalTimestamp: null,
  batchIndex: null,
  deduplicationKey: key ?? null,
  faults: [],
})

export const by = (kind: IdentifierKind, value: string): Extract<Reference, { _tag: "ByIdentifier" }> => ({
  _tag: "ByIdentifier",
  kind,
  value,
})

export const bySvcId = (key: number): Extract<Reference, { _tag: "BySvcId" }> => ({
  _tag: "BySvcId",
  key: SubjectKey.make(key),
})

export const identify = (
  target: Reference,
  given: Given & {
    readonly id?: string
    readonly email?: string
    readonly anonymousId?: string
    readonly set?: { readonly [name: string]: Json }
    readonly updateOnly?: boolean
  } = {},
): IdentifyPerson => ({
  _tag: "IdentifyPerson",
  ...envelope(given),
  target,
  id: given.id ?? null,
  email: given.email ?? null,
  anonymousId: given.anonymousId ?? null,
  assignments: Object.entries(given.set ?? {}).map(([name, value]) => ({ name, value })),
  updateOnly: given.updateOnly ?? false,
})

export const remove = (target: Reference, given: Given = {}): DeletePerson => ({
  _tag: "DeletePerson",
  ...envelope(given),
  target,
})

export const event = (
  target: Reference | null,
  given: Given & { readonly data?: Json } = {},
): RecordEvent => ({
  _tag: "RecordEvent",
  ...envelope(given),
  kind: "event",
  target,
  anonymousId: null,
  name: "bought",
  data: given.data ?? null,
})

export const reject = (given: Given = {}): RejectOperation => ({
  _tag: "RejectOperation",
  ...envelope(given),
  kind: "identify",
  faults: [{ reason: "required", field: "name", message: "is required" }],
})
