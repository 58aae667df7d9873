import type { WrittenBrand } from "../texts/WrittenBrand.ts"
import type { Refusal } from "./RequestContext.ts"

/** The body of every 200 response (contract §2). */
export const accepted = { success: true } as const

/** The body of a refusal in strict mode, in the brand of the deployment. */
export const refusedBody = (brand: WrittenBrand, { code, message }: Refusal) =>
  refusalBody({ code, message: message(brand) })

/**
 * The body of an error in strict mode. Clients look for the message in different places, so the message is in each of
 * these places (contract §4).
 */
export const refusalBody = ({ code, message }: { readonly code: string; readonly message: string }) => ({
  success: false,
  code,
  message,
  error: message,
  meta: { error: message },
})
