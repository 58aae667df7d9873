import { constants, crc32, deflateRawSync, gzipSync } from "node:zlib"

const mebibyte = 1024 * 1024

/**
 * Returns a gzip file that inflates to `mebibytes` MiB in which every byte is `byte`. The file repeats one compressed
 * MiB, so little memory is needed.
 */
export const gzipBomb = (mebibytes: number, byte: number): Buffer => {
  const block = Buffer.alloc(mebibyte, byte)
  const part = deflateRawSync(block, { finishFlush: constants.Z_FULL_FLUSH })
  const end = Buffer.from([3, 0])
  let sum = 0
  for (let n = 0; n < mebibytes; n++) sum = crc32(block, sum)
  const trailer = Buffer.alloc(8)
  trailer.writeUInt32LE(sum >>> 0, 0)
  trailer.writeUInt32LE((mebibytes * mebibyte) >>> 0, 4)
  const parts = Array.from({ length: mebibytes }, () => part)
  return Buffer.concat([gzipSync("").subarray(0, 10), ...parts, end, trailer])
}
