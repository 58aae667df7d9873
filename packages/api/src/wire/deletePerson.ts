import type { DeletePerson } from "@inlet/core/Command"
import type { Address } from "./identifiers.ts"
import type { Receipt } from "./Receipt.ts"

/** The command that deletes whom a request addresses; the other identifiers it holds do not matter (contract §6). */
export const deletePerson = (receipt: Receipt, address: Address): DeletePerson => ({
  _tag: "DeletePerson",
  workspace: receipt.workspace,
  source: receipt.source,
  receivedAt: receipt.receivedAt,
  at: receipt.receivedAt,
  originalTimestamp: null,
  batchIndex: receipt.batchIndex,
  deduplicationKey: null,
  faults: [],
  target: address.target,
})
