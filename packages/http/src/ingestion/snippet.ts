import { Effect } from "effect"
import type { IncomingMessage } from "node:http"
import { isKnownTag } from "../entityTags.ts"
import type { Answer } from "./Answer.ts"
import type { Call, Endpoint } from "./Call.ts"
import { pipelines } from "./Protocol.ts"
import { publicAddressOf, withWriteKey } from "./browserSettings.ts"
import { BrowserLibrary, type Script, type SnippetFiles } from "./snippetFiles.ts"
import { pagePolicy, snippetPage } from "./snippetPage.ts"
import { snippetScript } from "./snippetScript.ts"
import { ingestionTexts } from "./ingestionTexts.ts"

/** The `Cache-Control` for URLs that contain the library's version. The content of such a URL never changes. */
const cacheForever = "public, max-age=31536000, immutable"

/**
 * The `Cache-Control` for URLs without a version. Their content changes when the library is updated, so browsers check
 * it again after an hour.
 */
const cacheOneHour = "public, max-age=3600"

/** GET `/analytics-js/snippet/{writeKey}/analytics.min.js`: the browser library, configured with a write key. */
export const script: Endpoint = (call) =>
  withWriteKey(call, (writeKey) =>
    withFiles((files) => serve(call.request, snippetScript(files, writeKey), cacheOneHour)),
  )

/** GET `/analytics-js/snippet/{writeKey}/`: a page that shows the script tag for the browser library. */
export const page: Endpoint = (call) =>
  withWriteKey(call, (writeKey) =>
    Effect.map(publicAddressOf(call.request), (address) => ({
      status: 200,
      body: snippetPage(address, writeKey),
      contentType: "text/html; charset=utf-8",
      headers: { "content-security-policy": pagePolicy(address) },
    })),
  )

/** GET `/analytics-js/{file}`: a part of the browser library that is loaded on demand. */
export const part: Endpoint = ({ parameters: [name = ""], request }) =>
  withFiles((files) => servePart(files, request, name, cacheOneHour))

/**
 * GET `/analytics-js/{version}/{file}`: a part of one version of the browser library. Responds with 404 if another
 * version is installed.
 */
export const versionedPart: Endpoint = ({ parameters: [version = "", name = ""], request }: Call) =>
  withFiles((files) =>
    version === files.version ? servePart(files, request, name, cacheForever) : noSuchPart,
  )

const withFiles = (answer: (files: SnippetFiles) => Answer): Effect.Effect<Answer, never, BrowserLibrary> =>
  Effect.flatMap(BrowserLibrary, ({ files }) => Effect.map(files, answer))

const noSuchPart = pipelines.failure(404, ingestionTexts.unknownScript())

const servePart = (
  { part }: SnippetFiles,
  request: IncomingMessage,
  name: string,
  cacheControl: string,
): Answer => {
  const found = part(name)
  return found === undefined ? noSuchPart : serve(request, found, cacheControl)
}

const serve = (request: IncomingMessage, { etag, text }: Script, cacheControl: string): Answer => {
  const isKnown = isKnownTag(request.headers["if-none-match"], etag)
  return {
    status: isKnown ? 304 : 200,
    body: isKnown ? null : text,
    contentType: "text/javascript; charset=utf-8",
    cacheControl,
    headers: { etag },
  }
}
