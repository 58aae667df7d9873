import type { Command } from "@inlethq/core/Command"
import type { RejectOperation } from "@inlethq/core/operation/commands"
import { isJsonObject, utf8Bytes, type Json } from "@inlethq/core/values/Json"
import type { Fault } from "@inlethq/core/log/Outcome"
import { Result } from "effect"
import { batchFault, itemFault } from "../decoding/batchItem.ts"
import { listedFault } from "../decoding/Findings.ts"
import { restOfEntity, restOfUnknown, withOmitted, type Rest } from "../decoding/omitted.ts"
import type { Receipt } from "../decoding/Receipt.ts"
import { notAnObject, reject } from "../decoding/reject.ts"
import { decodeEntity } from "./entity.ts"
import { withSent } from "../decoding/sentCall.ts"
import { requestTexts, valueTexts } from "../texts/wireTexts.ts"

/** A fault of a batch item that the response lists. */
export interface BatchError {
  readonly batchIndex: number
  readonly fault: Fault
}

/** A decoded batch with one command for each item, in order. The command of a refused item records the refusal. */
export interface Batch {
  readonly commands: ReadonlyArray<Command>
  readonly errors: ReadonlyArray<BatchError>
  /**
   * The status of the response: 200 for a batch without invalid items, 207 if some items are invalid, 400 if all items
   * are invalid (contract §2).
   */
  readonly status: 200 | 207 | 400
}

/** Decodes the body of `/batch`, which has `bytes` bytes. Fails if the body has no list of items (contract §2, §5). */
export const decodeBatch = (
  receipt: Receipt,
  body: unknown,
  bytes: number,
): Result.Result<Batch, RejectOperation> => {
  const items = readItems(body, bytes)
  if (Result.isFailure(items)) {
    return Result.fail(keptRefusal(receipt, items.failure, restOfUnknown(receipt.workspace, body)))
  }
  const itemBytesMax = receipt.workspace.limits.batchItemBytesMax
  const commands: Array<Command> = []
  const errors = new Errors()
  let refused = 0
  for (const [batchIndex, item] of items.success.entries()) {
    const itemReceipt = { ...receipt, batchIndex }
    const wrong = bytes > itemBytesMax ? itemFault(item, itemBytesMax) : undefined
    const decoded =
      wrong === undefined
        ? decodeEntity(itemReceipt, item)
        : Result.fail(keptRefusal(itemReceipt, wrong, restOfEntity(receipt.workspace, item)))
    commands.push(Result.merge(decoded))
    if (Result.isSuccess(decoded)) continue
    refused++
    errors.add(batchIndex, decoded.failure.faults)
  }
  return Result.succeed({ commands, errors: errors.listed, status: statusOf(commands.length, refused) })
}

const keptRefusal = (receipt: Receipt, fault: Fault, { omitted, rest }: Rest<unknown>): RejectOperation =>
  withOmitted(withSent(receipt, reject(receipt, null, [fault]), rest), omitted)

/**
 * The largest number of bytes of JSON for the detailed errors of a batch, since a small body can contain very many
 * faults. Beyond this limit, each refused item gets one short error.
 */
export const errorsBytesMax = 1024 * 1024

/** Collects the errors of a batch. Stops adding details at `errorsBytesMax`. */
class Errors {
  readonly listed: Array<BatchError> = []
  private bytesLeft = errorsBytesMax

  add(batchIndex: number, faults: ReadonlyArray<Fault>): void {
    const told = this.bytesLeft > 0 ? faults : faults.slice(0, 1).map(untold)
    for (const fault of told) {
      const listed = { batch_index: batchIndex, ...listedFault("svc", fault) }
      this.bytesLeft -= utf8Bytes(JSON.stringify(listed))
      this.listed.push({ batchIndex, fault })
    }
  }
}

const untold = ({ reason }: Fault): Fault => ({ ...requestTexts.notApplied(""), reason })

const statusOf = (items: number, refused: number): Batch["status"] => {
  if (refused === 0) return 200
  return refused === items ? 400 : 207
}

const readItems = (body: unknown, bytes: number): Result.Result<ReadonlyArray<Json>, Fault> => {
  if (!isJsonObject(body)) return Result.fail(notAnObject())
  const { batch } = body
  if (batch === undefined || batch === null) {
    return Result.fail(valueTexts.missing("batch"))
  }
  if (!Array.isArray(batch)) return Result.fail(valueTexts.notArray("batch"))
  const wrong = batchFault(batch.length, bytes)
  return wrong === undefined ? Result.succeed(batch) : Result.fail(wrong)
}
