import type { DeletePerson } from "@inlet/core/person/commands"
import type { SuppressPerson, UnsuppressPerson } from "@inlet/core/suppression/commands"
import type { Reference } from "@inlet/core/values/Identifier"
import { envelope, type EnvelopeOptions } from "./envelope.ts"
import type { Receipt } from "./Receipt.ts"

/** The command that deletes whom a request addresses; the other identifiers it holds do not matter (contract §6). */
export const deletePerson = (
  receipt: Receipt,
  target: Reference,
  options?: EnvelopeOptions,
): DeletePerson => ({
  ...envelope("DeletePerson", receipt, options),
  target,
})

/** The command that suppresses whom a request addresses. */
export const suppressPerson = (
  receipt: Receipt,
  target: Reference,
  options?: EnvelopeOptions,
): SuppressPerson => ({ ...envelope("SuppressPerson", receipt, options), target })

/** The command that takes the identifiers of whom a request addresses again. */
export const unsuppressPerson = (
  receipt: Receipt,
  target: Reference,
  options?: EnvelopeOptions,
): UnsuppressPerson => ({ ...envelope("UnsuppressPerson", receipt, options), target })
