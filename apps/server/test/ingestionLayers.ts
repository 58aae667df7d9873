import { Ingest } from "@inlet/core/engine/Ingest"
import { ConfigProvider, Layer } from "effect"
import * as Settings from "../src/Settings.ts"

/** The default settings, with the region US and without the address of a node in the other region. */
export const defaultSettings = Settings.layer.pipe(
  Layer.provide(ConfigProvider.layer(ConfigProvider.fromUnknown({}))),
)

/** Returns an `Ingest` that has only the given methods. */
export const ingestOf = (does: Partial<Ingest["Service"]>): Layer.Layer<Ingest> => Layer.mock(Ingest, does)
