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
    {secretsOf(issued).map(([label, text]) => (
      <Labelled key={label} label={label} text={text} />
    ))}
    <Labelled
      label={
        issued.kind === "app"
          ? "Command that lists segments with this key"
          : "Command that sends an event with this key"
      }
      text={curlOf(issued)}
    />
  </div>
)

const secretsOf = (issued: IssuedKey): ReadonlyArray<readonly [label: string, text: string]> => {
  switch (issued.kind) {
    case "track":
      return [
        ["Site ID", issued.site_id],
        ["API key", issued.api_key],
      ]
    case "pipelines":
      return [["Write key", issued.write_key]]
    case "app":
      return [["App key", issued.app_key]]
  }
}

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

const curlOf = (issued: IssuedKey): string => {
  switch (issued.kind) {
    case "track":
      return [
        `curl -u ${issued.site_id}:${issued.api_key} \\`,
        `  ${location.origin}/api/v1/customers/ada/events \\`,
        `  -H 'content-type: application/json' -d '{"name":"signed_up"}'`,
      ].join("\n")
    case "pipelines":
      return [
        `curl -u ${issued.write_key}: ${location.origin}/v1/track \\`,
        `  -H 'content-type: application/json' -d '{"userId":"ada","event":"signed_up"}'`,
      ].join("\n")
    case "app":
      return `curl -H 'authorization: Bearer ${issued.app_key}' ${location.origin}/v1/segments`
  }
}
