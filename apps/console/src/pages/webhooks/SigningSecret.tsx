import { Code } from "../../shared/values/Code.tsx"

/** A program that verifies the signature of a request with the package `standardwebhooks`. */
const verifier = [
  `import { Webhook } from "standardwebhooks"`,
  ``,
  `// Throws if the request was not signed with the secret. body is the raw text of the request.`,
  `new Webhook(process.env.SIGNING_SECRET).verify(body, request.headers)`,
].join("\n")

interface SigningSecretProps {
  readonly secret: string
}

/** A signing secret that is shown once, and how a receiver verifies signatures with it. */
export const SigningSecret = ({ secret }: SigningSecretProps) => (
  <div className="space-y-4">
    <p className="text-sm text-muted">
      Copy the signing secret now. It is stored encrypted and cannot be shown again. Your server verifies with
      it that a request comes from Inlet.
    </p>
    <div className="space-y-1">
      <p className="text-sm font-medium">Signing secret</p>
      <Code label="Signing secret" text={secret} />
    </div>
    <div className="space-y-1">
      <p className="text-sm font-medium">Verify a request in Node</p>
      <Code label="Program that verifies a request" text={verifier} />
    </div>
  </div>
)
