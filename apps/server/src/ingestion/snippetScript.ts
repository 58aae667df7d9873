import { etagOf, type Script, type SnippetFiles } from "./snippetFiles.ts"

/** Calls that pages may make before the library is there; it catches up with them once it is. */
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

/** Where the library loads its parts from, under the origin of its script. */
const partsPath = `"/v1/analytics-js/"`

/** Where the library tells of its own errors until it has its settings. */
const vendorHost = `"cdp.customer.io/v1"`

/**
 * What stands before the library: the object that collects calls until it is there, with the write key, and the address that
 * the script was loaded from, where its settings and parts are, too.
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

/** The one script of a page: the library as its package has it, told who and where it is. */
export const snippetScript = ({ entry, version }: SnippetFiles, writeKey: string): Script => {
  const text = entry.text
    .replaceAll(partsPath, () => `"/v1/analytics-js/${version}/"`)
    .replaceAll(vendorHost, () => `(window.inletHost+"/v1")`)
  const script = begin(writeKey) + text
  return { text: script, etag: etagOf(script) }
}
