import { Context, Effect, Layer, Option, Schedule } from "effect"
import { HttpSettings } from "../HttpSettings.ts"
import { readGeoDatabase, versionOf, type GeoDatabase } from "./GeoDatabase.ts"

/** The interval at which the file is checked for changes. */
const checkInterval = "1 second"

/** The places of addresses. Without a database, `locate` is undefined. */
export class Geo extends Context.Service<Geo, { readonly locate: GeoDatabase["locate"] | undefined }>()(
  "@inlethq/http/geo/Geo",
) {
  /** Reads the database of `INLET_GEO`, and replaces it when its file changes. Fails if it cannot be read at the start. */
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const { geoFile } = yield* HttpSettings
      if (Option.isNone(geoFile)) return Geo.of({ locate: undefined })
      let database = yield* readGeoDatabase(geoFile.value)
      yield* watch(geoFile.value, database.version, (replaced) => {
        database = replaced
      })
      return Geo.of({ locate: (address) => database.locate(address) })
    }),
  )
}

/**
 * Calls `use` with each new database until the scope closes. A file may be written in steps, so it is read once two
 * successive looks found the same. One that cannot be read is logged once, and the previous database stays in use.
 */
const watch = (file: string, inUse: string, use: (database: GeoDatabase) => void) => {
  let tried = inUse
  let before = inUse
  const look = Effect.gen(function* () {
    const version = yield* Effect.promise(() => versionOf(file).catch(String))
    const isSettled = version === before
    before = version
    if (!isSettled || version === tried) return
    tried = version
    yield* Effect.matchEffect(readGeoDatabase(file), {
      onFailure: ({ message }) =>
        Effect.logError(`the database of places was not replaced; the previous one stays in use: ${message}`),
      onSuccess: (database) => {
        use(database)
        return Effect.logInfo("the database of places was replaced")
      },
    })
  })
  return Effect.forkScoped(Effect.repeat(look, Schedule.spaced(checkInterval)))
}
