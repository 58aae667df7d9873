import { hash } from "node:crypto"

/** Addresses are hashed into this many groups, so that counters by address need a fixed amount of memory. */
const addressGroups = 256

/** Returns the group of an address, from 0. */
export const addressGroupOf = (address: string | null): number =>
  hash("sha256", address ?? "", "buffer").readUInt32BE() % addressGroups
