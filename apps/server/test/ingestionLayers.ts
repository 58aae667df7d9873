import type { Sequence } from "@inlet/core/values/Identifier"
import { Ingest } from "@inlet/core/engine/Ingest"
import { ConfigProvider, Effect, Layer, PubSub } from "effect"
import * as Settings from "../src/Settings.ts"

/** A server that nobody set up: of the US, without a peer. */
export const defaultSettings = Settings.layer.pipe(
  Layer.provide(ConfigProvider.layer(ConfigProvider.fromUnknown({}))),
)

/** Ingestion that does no more than it is told. */
export const ingestOf = (does: Partial<Omit<Ingest["Service"], "commits">>): Layer.Layer<Ingest> =>
  Layer.unwrap(Effect.map(PubSub.sliding<Sequence>(1), (commits) => Layer.mock(Ingest, { ...does, commits })))
