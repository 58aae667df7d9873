import type { Forward, ForwardShape } from "@inlethq/core/forward/Forward"
import { Effect } from "effect"
import { SecretBox } from "../SecretBox.ts"

/** Returns the `owner` argument with which `SecretBox` encrypts and decrypts the key of a forward. */
export const keyOwner = ({ forwardId, workspace }: Pick<Forward, "forwardId" | "workspace">): string =>
  `forward:${workspace}:${forwardId}`

/** Where the batches of a forward go, with the headers that authorize them. */
export interface ForwardTarget {
  readonly url: URL
  readonly headers: Readonly<Record<string, string>>
}

/** Returns the target of a forward, with its decrypted key. */
export const targetOf = Effect.fnUntraced(function* (forward: Forward) {
  const key = yield* SecretBox.use((box) => box.open(forward.sealedKey, keyOwner(forward)))
  return targetWith(forward, key)
})

const targetWith = ({ to, url }: Pick<Forward, "to" | "url">, key: string): ForwardTarget => {
  const credentials = to === "segment" ? `${key}:` : key
  return {
    url: new URL(`${url.replace(/\/+$/, "")}${paths[to]}`),
    headers: {
      authorization: `Basic ${Buffer.from(credentials).toString("base64")}`,
      // By default, a receiver of this shape answers 200 to calls with a wrong key and to calls that it cannot read.
      ...(to === "segment" && { "x-strict-mode": "1" }),
    },
  }
}

const paths: Readonly<Record<ForwardShape, string>> = { segment: "/v1/batch", "track-v2": "/v2/batch" }
