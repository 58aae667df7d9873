import { hash } from "node:crypto"
import { addressOf, type RemoteEnd } from "./addressOf.ts"

/** Addresses are hashed into this many groups, so that counters by address need a fixed amount of memory. */
const addressGroups = 256

/** Returns the group of the address at the other end of a connection, from 0. */
export const addressGroupOf = (connection: RemoteEnd): number =>
  hash("sha256", addressOf(connection) ?? "", "buffer").readUInt32BE() % addressGroups
