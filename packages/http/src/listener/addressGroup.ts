import { hash } from "node:crypto"
import type { Socket } from "node:net"

/** Addresses are hashed into this many groups, so that counters by address need a fixed amount of memory. */
const addressGroups = 256

/** Returns the group of the address at the other end of a connection, from 0. */
export const addressGroupOf = ({ remoteAddress = "" }: Pick<Socket, "remoteAddress">): number =>
  hash("sha256", remoteAddress, "buffer").readUInt32BE() % addressGroups
