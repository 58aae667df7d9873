import { Result } from "effect"
import { batchErrorsBody, errorsBody } from "@inlethq/wire/track-v2/answers"
import { decodeBatch } from "@inlethq/wire/track-v2/batch"
import { decodeEntity } from "@inlethq/wire/track-v2/entity"
import { accepted, jsonInBrand } from "./Answer.ts"
import { trackEndpoint, type TrackOperation } from "./track.ts"
import { trackV2Errors } from "./trackAnswers.ts"

const refuse: TrackOperation["refuse"] = (status, faults) =>
  jsonInBrand(status, (brand) => errorsBody(brand, faults))

const shared = {
  ...trackV2Errors,
  source: "track-v2",
  kind: null,
  refuse,
} as const

export const entity = trackEndpoint({
  ...shared,
  bodyBytesMax: (limits) => limits.requestBytesMax,
  decode: (receipt, _call, body) =>
    Result.match(decodeEntity(receipt, body), {
      onSuccess: (command) => ({ commands: [command], answer: accepted }),
      onFailure: (refusal) => ({ commands: [refusal], answer: refuse(400, refusal.faults) }),
    }),
})

/** Handles POST `/batch`. Applies the valid items in order, and lists the errors of the invalid items (contract §2). */
export const batch = trackEndpoint({
  ...shared,
  bodyBytesMax: (limits) => limits.batchBytesMax,
  decode: (receipt, _call, body, bytes) =>
    Result.match(decodeBatch(receipt, body, bytes), {
      onSuccess: ({ commands, errors, status }) => ({
        commands,
        answer: status === 200 ? accepted : jsonInBrand(status, (brand) => batchErrorsBody(brand, errors)),
      }),
      onFailure: (refusal) => ({ commands: [refusal], answer: refuse(400, refusal.faults) }),
    }),
})
