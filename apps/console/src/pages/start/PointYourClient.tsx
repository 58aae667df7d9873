/** Returns each client with the setting that holds the base URL of the server. */
const clients = (origin: string): ReadonlyArray<readonly [client: string, setting: string]> => [
  ["customerio-node", `new TrackClient(siteId, apiKey, { url: "${origin}/api/v1" })`],
  ["@customerio/cdp-analytics-node", `new Analytics({ writeKey, host: "${origin}" })`],
  ["@segment/analytics-node", `new Analytics({ writeKey, host: "${origin}" })`],
  ["@inlethq/sdk", `new Inlet({ url: "${origin}", writeKey })`],
  ["Any other Track client", `Base URL ${origin}/api/v1 with a site id and an API key`],
  ["Any other Pipelines client", `Base URL ${origin}/v1 with a write key`],
]

/** Says which setting of a client has to change, so that the client sends to this server. */
export const PointYourClient = () => (
  <>
    <p className="text-sm text-muted">
      Clients made for Customer.io or Segment need no change to your code, except for the address and the key.
      The guide docs/moving.md of the repository describes a move step by step.
    </p>
    <dl className="divide-y divide-line border-y border-line text-sm">
      {clients(location.origin).map(([client, setting]) => (
        <div className="grid gap-x-4 py-2 sm:grid-cols-[240px_minmax(0,1fr)]" key={client}>
          <dt>{client}</dt>
          <dd className="font-mono text-xs leading-5 break-words text-muted">{setting}</dd>
        </div>
      ))}
    </dl>
  </>
)
