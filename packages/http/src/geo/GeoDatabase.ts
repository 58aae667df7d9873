import { Effect } from "effect"
import { Reader, type Response } from "mmdb-lib"
import { readFile, stat } from "node:fs/promises"
import { WrongSetting } from "../listener/WrongSetting.ts"
import { placeOf, type Place } from "./placeOf.ts"

/** The largest database of places. Those of cities have some 60 to 150 MB. It is held in memory. */
const geoBytesMax = 1024 * 1024 * 1024

/** The largest number of addresses whose places are remembered. */
const placesMax = 4096

/** A database of places, and what tells it from the next version of its file. */
export interface GeoDatabase {
  readonly version: string
  /** Returns the place of an address, or undefined if it is not known. */
  readonly locate: (address: string) => Place | undefined
}

/** Reads a database in the MaxMind format, and checks that addresses can be looked up in it. */
export const readGeoDatabase = (file: string): Effect.Effect<GeoDatabase, WrongSetting> =>
  Effect.tryPromise({
    try: async () => {
      const { size } = await stat(file)
      if (size > geoBytesMax) throw new Error(`${file} has ${size} bytes, more than ${geoBytesMax}`)
      const version = await versionOf(file)
      const reader = new Reader<Response>(await readFile(file))
      for (const address of ["0.0.0.0", "127.0.0.1", "255.255.255.255"]) reader.get(address)
      return { version, locate: remembering((address) => placeIn(reader, address)) }
    },
    catch: (cause) =>
      new WrongSetting({
        variable: "INLET_GEO",
        expected: `a readable mmdb file (${cause instanceof Error ? cause.message : String(cause)})`,
      }),
  })

/** Returns what changes when a file is written or replaced. */
export const versionOf = async (file: string): Promise<string> => {
  const { ino, mtimeMs, size } = await stat(file)
  return `${ino} ${mtimeMs} ${size}`
}

/** A damaged record, or an IPv6 address in a database of IPv4, has no place. */
const placeIn = (reader: Reader<Response>, address: string): Place | undefined => {
  try {
    return placeOf(reader.get(address))
  } catch {
    return undefined
  }
}

/** Remembers the places of the addresses that were looked up last. If there are too many, all are forgotten. */
const remembering = (locate: GeoDatabase["locate"]): GeoDatabase["locate"] => {
  const places = new Map<string, Place | undefined>()
  return (address) => {
    const known = places.get(address)
    if (known !== undefined || places.has(address)) return known
    if (places.size >= placesMax) places.clear()
    const found = locate(address)
    places.set(address, found)
    return found
  }
}
