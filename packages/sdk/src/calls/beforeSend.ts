import { because, type Why } from "../texts/because.ts"
import type { WireCall } from "./Calls.ts"

/** Returns the call to send in place of a call, or null if the call should not be sent. */
export type BeforeSend = (call: WireCall) => WireCall | null

/** The result of `beforeSend`. */
type Changed =
  | { readonly _tag: "Changed"; readonly call: WireCall }
  | { readonly _tag: "Invalid"; readonly why: Why }
  | { readonly _tag: "Discarded"; readonly why: Why }

/**
 * Calls `beforeSend`. A call for which the function fails is invalid and is not sent unchanged, because the function may
 * exist to remove personal data.
 */
export const applyBeforeSend = (beforeSend: BeforeSend, call: WireCall): Changed => {
  try {
    const returned: unknown = beforeSend(call)
    if (returned === null) return { _tag: "Discarded", why: because("beforeSendDiscarded") }
    if (isCall(returned)) return { _tag: "Changed", call: withMessageId(returned, call.messageId) }
    if (returned instanceof Promise) returned.catch(() => undefined)
    const value = returned instanceof Promise ? "a promise" : typeof returned
    return { _tag: "Invalid", why: because("beforeSendInvalid", { value }) }
  } catch (error) {
    return { _tag: "Invalid", why: because("beforeSendThrew", { reason: String(error) }) }
  }
}

/** The program already knows the `messageId` of the call, so it stays. */
const withMessageId = (call: WireCall, messageId: string | undefined): WireCall =>
  call.messageId === messageId || messageId === undefined ? call : { ...call, messageId }

const isCall = (value: unknown): value is WireCall =>
  typeof value === "object" && value !== null && "type" in value
