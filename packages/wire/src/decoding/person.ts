import type { DeletePerson } from "@inlethq/core/person/commands"
import type { SuppressPerson, UnsuppressPerson } from "@inlethq/core/suppression/commands"
import type { Reference } from "@inlethq/core/values/Identifier"
import { envelope, type EnvelopeOptions } from "./envelope.ts"
import type { Receipt } from "./Receipt.ts"

/**
 * Builds the command that deletes a person. The person is found by the target, and other identifiers in the request are
 * ignored (contract §6).
 */
export const deletePerson = (
  receipt: Receipt,
  target: Reference,
  options?: EnvelopeOptions,
): DeletePerson => ({
  ...envelope("DeletePerson", receipt, options),
  target,
})

/**
 * Builds the command that deletes a person and suppresses their identifiers, so that later calls with these identifiers
 * are ignored.
 */
export const suppressPerson = (
  receipt: Receipt,
  target: Reference,
  options?: EnvelopeOptions,
): SuppressPerson => ({ ...envelope("SuppressPerson", receipt, options), target })

/**
 * Builds the command that ends the suppression of a person, so that calls for their identifiers are no longer ignored.
 */
export const unsuppressPerson = (
  receipt: Receipt,
  target: Reference,
  options?: EnvelopeOptions,
): UnsuppressPerson => ({ ...envelope("UnsuppressPerson", receipt, options), target })
