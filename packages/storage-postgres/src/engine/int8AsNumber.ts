import * as PgTypes from "@effect/sql-pg/PgTypes"
import { Result } from "effect"

/**
 * Converts between `bigint` values of the database and JavaScript numbers. A value above 2^53 - 1 or below its negative
 * is an error, because a number might not represent the value exactly.
 */
export const int8AsNumber: PgTypes.Codec<number> = {
  encode: (value) => {
    if (!Number.isSafeInteger(value)) return unsafe(String(value))
    const bytes = new Uint8Array(8)
    new DataView(bytes.buffer).setBigInt64(0, BigInt(value))
    return Result.succeed(bytes)
  },
  write: (sink, value) => {
    if (!Number.isSafeInteger(value)) return unsafe(String(value))
    const high = Math.floor(value / highUnit)
    sink.int32(high)
    sink.int32((value - high * highUnit) | 0)
    return Result.void
  },
  decode: (bytes) => readAt(bytes, 0),
  read: (bytes, offset) => readAt(bytes, offset),
}

const highUnit = 2 ** 32

const readAt = (bytes: Uint8Array, offset: number): Result.Result<number, PgTypes.CodecError> => {
  const view = new DataView(bytes.buffer, bytes.byteOffset + offset, 8)
  const value = view.getInt32(0) * highUnit + view.getUint32(4)
  return Number.isSafeInteger(value) ? Result.succeed(value) : unsafe(String(view.getBigInt64(0)))
}

const unsafe = (value: string): Result.Result<never, PgTypes.CodecError> => {
  const message = [value, "is not a safe integer"].join(" ")
  return Result.fail(new PgTypes.CodecError({ message }))
}
