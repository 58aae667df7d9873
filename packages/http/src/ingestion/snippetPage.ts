/**
 * Returns an HTML page that shows the script tag for the browser library. The page also loads the library, so that
 * users can try it out.
 */
export const snippetPage = (address: URL, writeKey: string): string => {
  const base = address.href.replace(/\/$/, "")
  const source = `${base}/v1/analytics-js/snippet/${encodeURIComponent(writeKey)}/analytics.min.js`
  const tag = `<script src="${escape(source)}"></script>`
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Inlet on your page</title>
<style>body{font:16px/1.5 system-ui,sans-serif;max-width:48rem;margin:4rem auto;padding:0 1rem}
pre{padding:1rem;overflow-x:auto;background:#f2f2f2;color:#111}</style>
${tag}
<h1>Inlet on your page</h1>
<p>Put this into the head of every page:</p>
<pre>${escape(tag)}</pre>
<p>It defines <code>analytics</code>: call <code>analytics.identify("5", { plan: "pro" })</code>,
<code>analytics.track("Signed up")</code> or <code>analytics.page()</code>. This page loads it too, so you can try it in the
browser console.</p>
</html>
`
}

/** Returns the page's Content-Security-Policy, which allows scripts from this server and requests to it. */
export const pagePolicy = ({ origin }: URL): string =>
  `default-src 'none'; script-src ${origin}; connect-src ${origin}; style-src 'unsafe-inline'`

const escape = (text: string): string =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;")
