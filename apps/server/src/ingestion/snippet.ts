import { Effect } from "effect"
import type { IncomingMessage } from "node:http"
import type { Answer } from "./Answer.ts"
import type { Call, Endpoint } from "./Call.ts"
import { unrecorded } from "./commit.ts"
import { pipelines } from "./Protocol.ts"
import { addressOf, withWriteKey } from "./settings.ts"
import { snippetFiles, type Script } from "./snippetFiles.ts"
import { pagePolicy, snippetPage } from "./snippetPage.ts"
import { snippetScript } from "./snippetScript.ts"
import { requestTexts } from "./failures.ts"

/** What has the version of the library in its address never changes. */
const forEver = "public, max-age=31536000, immutable"

/** What changes with the library is asked for again after an hour; its tag says whether it changed. */
const anHour = "public, max-age=3600"

/** GET `/analytics-js/snippet/{writeKey}/analytics.min.js`: the library of a page. */
export const script: Endpoint = (call) =>
  withWriteKey(call, (writeKey) =>
    Effect.sync(() => serve(call.request, snippetScript(snippetFiles(), writeKey), anHour)),
  )

/** GET `/analytics-js/snippet/{writeKey}/`: shows the tag that loads it. */
export const page: Endpoint = (call) =>
  withWriteKey(call, (writeKey) =>
    Effect.map(addressOf(call.request), (address) => ({
      status: 200,
      body: snippetPage(address, writeKey),
      contentType: "text/html; charset=utf-8",
      headers: { "content-security-policy": pagePolicy(address) },
    })),
  )

/** GET `/analytics-js/{file}`: a part that the library loads on demand. */
export const part: Endpoint = ({ parameters: [name = ""], request }) =>
  Effect.sync(() => servePart(request, name, anHour))

/** GET `/analytics-js/{version}/{file}`: the same, of one version for ever. */
export const versionedPart: Endpoint = ({ parameters: [version = "", name = ""], request }: Call) =>
  Effect.sync(() =>
    version === snippetFiles().version ? servePart(request, name, forEver) : unrecorded(noSuchPart),
  )

const noSuchPart = pipelines.failure(404, requestTexts.unknownScript())

const servePart = (request: IncomingMessage, name: string, cacheControl: string): Answer => {
  const found = snippetFiles().part(name)
  return found === undefined ? unrecorded(noSuchPart) : serve(request, found, cacheControl)
}

const serve = (request: IncomingMessage, { etag, text }: Script, cacheControl: string): Answer => {
  const isKnown = (request.headers["if-none-match"] ?? "").split(/\s*,\s*/).includes(etag)
  return {
    status: isKnown ? 304 : 200,
    body: isKnown ? null : text,
    contentType: "text/javascript; charset=utf-8",
    cacheControl,
    headers: { etag, "x-content-type-options": "nosniff" },
  }
}
