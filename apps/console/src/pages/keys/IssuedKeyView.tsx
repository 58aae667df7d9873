import type { IssuedKey } from "@inlethq/contract/workspaces/Keys"
import { Code } from "../../shared/values/Code.tsx"

interface IssuedKeyViewProps {
  readonly issued: IssuedKey
}

/** The secret of a new key, and a command that uses it. */
export const IssuedKeyView = ({ issued }: IssuedKeyViewProps) => (
  <div className="space-y-4">
    <p className="text-sm text-muted">
      Copy the secret now. Inlet stores only a digest of it, so it cannot be shown again.
    </p>
    {issued.kind === "track" ? (
      <>
        <Labelled label="Site ID" text={issued.site_id} />
        <Labelled label="API key" text={issued.api_key} />
      </>
    ) : (
      <Labelled label="Write key" text={issued.write_key} />
    )}
    <Labelled label="Command that sends an event with this key" text={curlOf(issued)} />
  </div>
)

interface LabelledProps {
  readonly label: string
  readonly text: string
}

const Labelled = ({ label, text }: LabelledProps) => (
  <div className="space-y-1">
    <p className="text-sm font-medium">{label}</p>
    <Code label={label} text={text} />
  </div>
)

const curlOf = (issued: IssuedKey): string =>
  issued.kind === "track"
    ? [
        `curl -u ${issued.site_id}:${issued.api_key} \\`,
        `  ${location.origin}/api/v1/customers/ada/events \\`,
        `  -H 'content-type: application/json' -d '{"name":"signed_up"}'`,
      ].join("\n")
    : [
        `curl -u ${issued.write_key}: ${location.origin}/v1/track \\`,
        `  -H 'content-type: application/json' -d '{"userId":"ada","event":"signed_up"}'`,
      ].join("\n")
