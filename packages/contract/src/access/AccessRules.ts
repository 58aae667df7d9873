import { WorkspaceId } from "@inlethq/core/values/Identifier"
import type { Grant } from "@inlethq/core/workspace/ConsoleSession"
import { Scope } from "@inlethq/core/workspace/NamedToken"
import { Schema } from "effect"
import { unionOf } from "./refusalOf.ts"

/** The most rules of an installation. */
const accessRulesMax = 200

/** The most workspaces that one rule names. */
const ruleWorkspacesMax = 1000

/** The most characters of the name of a claim, and of a value. */
const claimLengthMax = 200

const claimText = Schema.NonEmptyString.check(Schema.isMaxLength(claimLengthMax))

/** What whoever has a value may do. */
const AccessRule = Schema.Struct({
  /** `*` is everybody whom the issuer signs in. */
  value: claimText,
  scope: Scope,
  workspaces: Schema.optionalKey(
    Schema.NullOr(
      Schema.Array(WorkspaceId).check(Schema.isMinLength(1), Schema.isMaxLength(ruleWorkspacesMax)),
    ),
  ),
})

/** What people may do whom an issuer signs in, by the values of one claim of their token. */
export const AccessRules = Schema.Struct({
  claim: claimText,
  rules: Schema.Array(AccessRule).check(Schema.isMinLength(1), Schema.isMaxLength(accessRulesMax)),
})
export type AccessRules = typeof AccessRules.Type

/** What an issuer says about a person. */
export type Claims = Readonly<Record<string, unknown>>

/** What a person has of the claim that the rules name. */
export interface ClaimFound {
  readonly values: ReadonlyArray<string>
  /**
   * `overage`: the issuer left the claim out, because it had too many values. `unverified`: the issuer has not checked that the email
   * address is the person's.
   */
  readonly problem: "overage" | "unverified" | null
}

/**
 * Returns the values of a claim. Its name is a field of the token, or a path of fields, joined by dots. An email address
 * counts only if the issuer has verified it, because a person may enter any.
 */
export const claimIn = (claims: Claims, claim: string): ClaimFound => {
  const found = Object.hasOwn(claims, claim) ? claims[claim] : at(claims, claim.split("."))
  const values = textsIn(found)
  if (values.length === 0 && isLeftOut(claims, claim)) return { values, problem: "overage" }
  if (claim === "email" && values.length > 0 && claims["email_verified"] !== true) {
    return { values: [], problem: "unverified" }
  }
  return { values, problem: null }
}

/** Returns what the rules together allow whoever has these values: nothing if none matches. */
export const grantsOf = ({ rules }: AccessRules, values: ReadonlyArray<string>): ReadonlyArray<Grant> =>
  unionOf(
    rules
      .filter(({ value }) => value === "*" || values.includes(value))
      .map(({ scope, workspaces = null }) => ({ scope, workspaces })),
  )

const isRecord = (value: unknown): value is Claims =>
  typeof value === "object" && value !== null && !Array.isArray(value)

const at = (value: unknown, [field, ...rest]: ReadonlyArray<string>): unknown => {
  if (field === undefined) return value
  return isRecord(value) && Object.hasOwn(value, field) ? at(value[field], rest) : undefined
}

const textsIn = (value: unknown): ReadonlyArray<string> =>
  (Array.isArray(value) ? value : [value]).filter((one) => typeof one === "string")

/** Microsoft Entra names claims that it leaves out in `_claim_names`. */
const isLeftOut = (claims: Claims, claim: string): boolean => {
  const names = claims["_claim_names"]
  return (isRecord(names) && Object.hasOwn(names, claim)) || claims["hasgroups"] === true
}
