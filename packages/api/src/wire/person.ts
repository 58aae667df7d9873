import type { DeletePerson } from "@inlet/core/person/commands"
import type { SuppressPerson, UnsuppressPerson } from "@inlet/core/suppression/commands"
import type { Reference } from "@inlet/core/values/Identifier"
import { envelope, type EnvelopeOptions } from "./envelope.ts"
import type { Receipt } from "./Receipt.ts"

/**
 * Builds the command that deletes a person. Only the target identifier counts, not others in the request (contract §6).
 */
export const deletePerson = (
  receipt: Receipt,
  target: Reference,
  options?: EnvelopeOptions,
): DeletePerson => ({
  ...envelope("DeletePerson", receipt, options),
  target,
})

/** Builds the command that deletes a person and rejects their identifiers from then on. */
export const suppressPerson = (
  receipt: Receipt,
  target: Reference,
  options?: EnvelopeOptions,
): SuppressPerson => ({ ...envelope("SuppressPerson", receipt, options), target })

/** Builds the command that accepts a suppressed identifier again. */
export const unsuppressPerson = (
  receipt: Receipt,
  target: Reference,
  options?: EnvelopeOptions,
): UnsuppressPerson => ({ ...envelope("UnsuppressPerson", receipt, options), target })
