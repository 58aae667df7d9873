import { ManagementApi } from "@inlet/api/management/ManagementApi"
import { Digest } from "@inlet/core/ports/Digest"
import { ErasureLedger } from "@inlet/core/ports/ErasureLedger"
import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { exportResponse } from "../exports/exportResponse.ts"
import { ledgerLines } from "./ledgerLines.ts"

export const erasureHandlers = HttpApiBuilder.group(
  ManagementApi,
  "erasures",
  Effect.fnUntraced(function* (handlers) {
    const ledger = yield* ErasureLedger
    const digest = yield* Digest
    return handlers.handleAll({
      ledger: Effect.fn("management.erasures.ledger")(() => exportResponse(ledgerLines(ledger, digest))),
    })
  }),
)
