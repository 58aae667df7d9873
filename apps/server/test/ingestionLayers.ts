import type { Sequence } from "@inlet/core/values/Identifier"
import { Ingest } from "@inlet/core/engine/Ingest"
import { ConfigProvider, Effect, Layer, PubSub } from "effect"
import * as Settings from "../src/Settings.ts"

/** The default settings, with the region US and without a peer. */
export const defaultSettings = Settings.layer.pipe(
  Layer.provide(ConfigProvider.layer(ConfigProvider.fromUnknown({}))),
)

/** A mock of `Ingest` with the given methods. */
export const ingestOf = (does: Partial<Omit<Ingest["Service"], "commits">>): Layer.Layer<Ingest> =>
  Layer.unwrap(Effect.map(PubSub.sliding<Sequence>(1), (commits) => Layer.mock(Ingest, { ...does, commits })))
