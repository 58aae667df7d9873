import { etagOf } from "../entityTags.ts"
import type { Script, SnippetFiles } from "./snippetFiles.ts"

/** Methods that a page can call before the library is loaded. The library replays these calls once it is loaded. */
const bufferedMethods = [
  "identify",
  "track",
  "page",
  "screen",
  "group",
  "alias",
  "reset",
  "ready",
  "on",
  "once",
  "off",
  "debug",
  "setAnonymousId",
  "addSourceMiddleware",
  "addDestinationMiddleware",
  "addIntegrationMiddleware",
  "register",
  "trackClick",
  "trackForm",
  "trackLink",
  "trackSubmit",
]

/** The string literal in the browser library with the path of the files that the library loads on demand. */
const partsPath = `"/v1/analytics-js/"`

/**
 * The host that is hard-coded in the browser library. The library sends reports of its own errors to this host until
 * its settings are loaded.
 */
const vendorHost = `"cdp.customer.io/v1"`

/**
 * Returns the code that runs before the library. This code creates the object that buffers calls, and sets the write
 * key. It also makes the library load its settings and parts from the server that the script itself was loaded from.
 */
const begin = (writeKey: string): string => `!function(d,w,k,m){
var s=d.currentScript,g=d.querySelector("script[data-global-customerio-analytics-key]"),
n=g&&g.dataset.globalCustomerioAnalyticsKey||"analytics",a=w[n]=w[n]||[],
o=s?s.src.split("/v1/analytics-js/")[0]:w.location.origin;
a._cdn=a._cdn||o;a._writeKey=a._writeKey||k;
if(Array.isArray(a))m.forEach(function(f){a[f]=a[f]||function(){
var c=[].slice.call(arguments);if(w[n]!==a)return w[n][f].apply(w[n],c);a.push([f].concat(c));return a}});
w.inletHost=o.replace(/^https?:\\/\\//,"")}(document,window,${JSON.stringify(writeKey)},${JSON.stringify(bufferedMethods)});
`

/**
 * Returns the script for a page: the setup code, followed by the library. In the library, the vendor's addresses are
 * replaced by this server's.
 */
export const snippetScript = ({ entry, version }: SnippetFiles, writeKey: string): Script => {
  const text = entry.text
    .replaceAll(partsPath, () => `"/v1/analytics-js/${version}/"`)
    .replaceAll(vendorHost, () => `(window.inletHost+"/v1")`)
  const script = begin(writeKey) + text
  return { text: script, etag: etagOf(script) }
}
