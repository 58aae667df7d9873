/** The largest answer of an issuer, in KB. */
export const issuerAnswerKbMax = 256

/** The longest wait for an answer of an issuer, in milliseconds. */
const issuerWaitMsMax = 10_000

/** An answer of an issuer is larger than `issuerAnswerKbMax`. */
export class AnswerTooLarge extends Error {}

/** An issuer does not answer, answers with a fault of its own, or takes longer than `issuerWaitMsMax`. */
export class IssuerAway extends Error {}

/** What a request to an issuer is made with. */
interface IssuerRequest {
  readonly body?: string | URLSearchParams | Uint8Array<ArrayBuffer> | undefined | null
  readonly headers: Record<string, string>
  readonly method: string
}

/** The statuses of answers that have no body. */
const bodyless = new Set([204, 205, 304])

/** Sends a request to an issuer and reads the whole answer, within limits of size and time. Follows no redirect. */
export const boundedFetch = async (
  url: string,
  { body = null, headers, method }: IssuerRequest,
): Promise<Response> => {
  const signal = AbortSignal.timeout(issuerWaitMsMax)
  try {
    const response = await fetch(url, { body, headers, method, redirect: "manual", signal })
    if (response.status >= 500) throw new IssuerAway(`status ${response.status}`)
    const bytes = await bytesOf(response)
    const answered = { status: response.status, headers: response.headers }
    return new Response(bodyless.has(response.status) ? null : bytes, answered)
  } catch (cause) {
    throw cause instanceof AnswerTooLarge || cause instanceof IssuerAway
      ? cause
      : new IssuerAway("no answer", { cause })
  }
}

const bytesOf = async ({ body }: Response): Promise<Uint8Array<ArrayBuffer>> => {
  const chunks: Array<Uint8Array> = []
  let size = 0
  for await (const chunk of body ?? []) {
    size += chunk.length
    if (size > issuerAnswerKbMax * 1024) throw new AnswerTooLarge()
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}
