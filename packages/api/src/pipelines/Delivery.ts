import type { Command, RejectOperation } from "@inlet/core/Command"
import type { EpochMillis } from "@inlet/core/Timestamp"
import type { Workspace } from "@inlet/core/Workspace"
import type { Brand } from "../wire/Brand.ts"

/** What is known of a Pipelines request before its body is read. */
export interface Delivery {
  readonly brand: Brand
  readonly receivedAt: EpochMillis
  /** The bytes of the body, inflated. */
  readonly bytes: number
  /** `X-Strict-Mode: 1` (pipelines-api §7). */
  readonly strict: boolean
  /**
   * The workspace that a `writeKey` of the body opens; null stands for a call without one. Where an `Authorization`
   * header was sent it decides alone, whatever the key (contract §13).
   */
  readonly open: (writeKey: string | null) => Workspace | undefined
}

/** What one call came to. */
export type Outcome =
  | { readonly _tag: "Accepted"; readonly command: Command }
  /** Strict mode answers it with an error; default mode records it. */
  | { readonly _tag: "Refused"; readonly command: RejectOperation }
  | { readonly _tag: "Unauthorized" }

/** Why a strict request is answered with an error; nothing of it is applied. */
export interface Refusal {
  readonly status: 400 | 401
  readonly code: string
  readonly message: string
}

/** What a request came to. */
export interface Decoded {
  /** In order, one for each call whose workspace is known; what is refused is recorded as such. */
  readonly commands: ReadonlyArray<Command>
  /** Null where the answer is `{"success":true}`. */
  readonly refusal: Refusal | null
  /** Calls whose key opens nothing: counted and logged, never stored (contract §3). */
  readonly unauthorized: number
}

/** What a whole request comes to: in strict mode one bad call stops all the others (contract §13). */
export const collect = (delivery: Delivery, outcomes: ReadonlyArray<Outcome>): Decoded => {
  const refused = outcomes.flatMap((outcome) => (outcome._tag === "Refused" ? [outcome.command] : []))
  const unauthorized = outcomes.filter((outcome) => outcome._tag === "Unauthorized").length
  const refusal = delivery.strict ? refusalOf(refused, unauthorized) : null
  if (refusal !== null) return { commands: refused, refusal, unauthorized }
  const commands = outcomes.flatMap((outcome) => (outcome._tag === "Unauthorized" ? [] : [outcome.command]))
  return { commands, refusal, unauthorized }
}

const refusalOf = (refused: ReadonlyArray<RejectOperation>, unauthorized: number): Refusal | null => {
  if (unauthorized > 0) return unauthorizedRefusal
  const messages = refused.flatMap(({ batchIndex, faults }) =>
    faults.map(({ message }) => (batchIndex === null ? message : `batch[${batchIndex}]: ${message}`)),
  )
  const code = refused[0]?.faults[0]?.reason
  return code === undefined ? null : { status: 400, code, message: messages.join("; ") }
}

export const unauthorizedRefusal: Refusal = {
  status: 401,
  code: "unauthorized",
  message: "the write key is not valid",
}
