import { Link } from "@tanstack/react-router"
import type { ReactNode } from "react"
import type { ProofDocument } from "@inlethq/contract/segments/RuleProof"
import { Icon } from "../buttons/Icon.tsx"
import { counted } from "./figures.ts"
import { ExactTime } from "../time/Time.tsx"

interface ProofTreeProps {
  readonly w: string
  readonly proof: ProofDocument
}

/** Why a rule holds or does not hold for a person: each part with what decided it. */
export const ProofTree = ({ proof, w }: ProofTreeProps) => (
  <ul aria-label="Why" className="text-sm">
    <ProofNode proof={proof} w={w} />
  </ul>
)

const ProofNode = ({ proof, w }: ProofTreeProps) => (
  <li className="py-0.5">
    <div className="flex items-start gap-2">
      <span className={proof.truth ? "text-green" : "text-red"}>
        <Icon className="mt-0.5" name={proof.truth ? "check" : "close"} />
        <span className="sr-only">{proof.truth ? "holds" : "does not hold"}</span>
      </span>
      <div className="min-w-0">
        <span className="break-words">{proof.text}</span>
        {proof.evidence === null ? null : (
          <div className="text-xs break-words text-muted">
            <EvidenceText evidence={proof.evidence} w={w} />
          </div>
        )}
        {proof.flips_at === null ? null : (
          <div className="text-xs text-amber">
            {proof.flips_to === true ? "holds from " : "no longer holds from "}
            <ExactTime at={proof.flips_at} />
          </div>
        )}
      </div>
    </div>
    {proof.nodes.length === 0 ? null : (
      <ul className="ml-2 border-l border-line pl-3">
        {proof.nodes.map((node, i) => (
          <ProofNode key={`${i} ${node.path}`} proof={node} w={w} />
        ))}
      </ul>
    )}
  </li>
)

interface EvidenceTextProps {
  readonly w: string
  readonly evidence: NonNullable<ProofDocument["evidence"]>
}

const EvidenceText = ({ evidence, w }: EvidenceTextProps): ReactNode => {
  switch (evidence.type) {
    case "counted":
      return (
        <>
          {counted(evidence.times, "time", "times")}
          {evidence.operations.map(({ at, operation_id }) =>
            operation_id === null ? null : (
              <div key={operation_id}>
                <OperationLink operationId={operation_id} w={w} /> <ExactTime at={at} />
              </div>
            ),
          )}
          {evidence.counted_from === null ? null : (
            <div>
              counted from <ExactTime at={evidence.counted_from} />
            </div>
          )}
        </>
      )
    case "values":
      return (
        <>
          {evidence.values.length === 0
            ? "not set"
            : evidence.values.map((value) => JSON.stringify(value)).join(", ")}{" "}
          {evidence.operation_id === null ? null : (
            <>
              by <OperationLink operationId={evidence.operation_id} w={w} />
            </>
          )}
        </>
      )
    case "identifiers":
      return evidence.values.length === 0 ? "none" : evidence.values.join(", ")
    case "created":
      return (
        <>
          created <ExactTime at={evidence.created_at} />
        </>
      )
    case "devices":
      return evidence.tokens.length === 0 ? "no such device" : evidence.tokens.join(", ")
    case "objects":
      return evidence.objects.length === 0
        ? "no such object"
        : evidence.objects.map(({ object_id, object_type_id }) => `${object_type_id}/${object_id}`).join(", ")
    case "segment":
      return (
        <Link
          className="text-accent hover:underline"
          params={{ w, segmentId: String(evidence.segment_id) }}
          to="/w/$w/segments/$segmentId"
        >
          {evidence.member ? "in it" : "not in it"}
        </Link>
      )
  }
}

interface OperationLinkProps {
  readonly w: string
  readonly operationId: string
}

const OperationLink = ({ operationId, w }: OperationLinkProps) => (
  // The span marks a link inside a line, which stays as small as its text on a phone.
  <span>
    <Link
      className="font-mono text-accent hover:underline"
      params={{ w, operationId }}
      to="/w/$w/operations/$operationId"
    >
      {operationId}
    </Link>
  </span>
)
