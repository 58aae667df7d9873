import type { ErasureDocument } from "../../api/documents.ts"
import { useQuery } from "@tanstack/react-query"
import { Link, useNavigate, useParams } from "@tanstack/react-router"
import { api } from "../../api/generated.ts"
import { useWorkspace } from "../../frame/useWorkspace.ts"
import { ApiProblem } from "../../shared/dialogs/ApiProblem.tsx"
import { Code } from "../../shared/values/Code.tsx"
import { CopyId } from "../../shared/values/CopyId.tsx"
import { Detail, Facts, Section } from "../../shared/dialogs/Detail.tsx"
import { count } from "../../shared/values/figures.ts"
import { Button } from "../../shared/buttons/Button.tsx"
import { download } from "../../shared/lists/download.ts"
import { Icon } from "../../shared/buttons/Icon.tsx"
import { JsonView } from "../../shared/values/JsonView.tsx"
import { Loading } from "../../shared/dialogs/Loading.tsx"
import { ExactTime } from "../../shared/time/Time.tsx"
import { erasureSteps, isDone } from "./erasureTexts.ts"

/** The milliseconds after which an erasure is read again until it is sealed. */
const refreshMs = 2_000

/** One erasure: how far it has come, what it cannot reach, and its receipt. */
export const ErasurePanel = () => {
  const w = useWorkspace()
  const navigate = useNavigate()
  const { erasureId } = useParams({ from: "/w/$w/erasures/$erasureId" })
  const erasure = useQuery({
    queryKey: [w, "erasures", erasureId],
    queryFn: ({ signal }) => api.erasures.get(w, erasureId, signal),
    refetchInterval: ({ state }) => (state.data?.state === "sealed" ? false : refreshMs),
  })
  return (
    <Detail onClose={() => void navigate({ to: "/w/$w/erasures", params: { w } })} title={erasureId}>
      {erasure.error === null ? null : (
        <ApiProblem
          onRetry={() => void erasure.refetch()}
          problem={erasure.error}
          what="The erasure could not be loaded."
        />
      )}
      {erasure.isPending ? <Loading /> : null}
      {erasure.data === undefined ? null : <ErasureView erasure={erasure.data} w={w} />}
    </Detail>
  )
}

interface ErasureViewProps {
  readonly w: string
  readonly erasure: ErasureDocument
}

interface BackupsProps {
  readonly backups: NonNullable<NonNullable<ErasureDocument["receipt"]>["backups"]>
}

const Backups = ({ backups }: BackupsProps) =>
  backups.length === 0 ? null : (
    <Section title="Backups from before">
      <ul className="list-disc space-y-1 pl-4 text-sm">
        {backups.map(({ created_at, file }) => (
          <li className="break-words" key={`${created_at} ${file}`}>
            {file}, begun <ExactTime at={created_at} />
          </li>
        ))}
      </ul>
    </Section>
  )

const ErasureView = ({ erasure, w }: ErasureViewProps) => (
  <>
    <Section title="Erasure">
      <Facts
        facts={[
          ["Id", <CopyId id={erasure.erasure_id} key="id" label="erasure id" />],
          ["Action", erasure.action],
          ["At", <ExactTime at={erasure.at} key="at" />],
          [
            "Operation",
            <Link
              className="font-mono text-xs text-accent hover:underline"
              key="operation"
              params={{ w, operationId: erasure.operation_id }}
              to="/w/$w/operations/$operationId"
            >
              {erasure.operation_id}
            </Link>,
          ],
          ["Erased before position", String(erasure.position)],
          ["Identifiers", count(erasure.identifiers)],
          ["People and visitors", count(erasure.subjects)],
        ]}
      />
    </Section>
    {erasure.counts === null ? null : (
      <Section title="What the profile had">
        <Facts facts={Object.entries(erasure.counts).map(([name, number]) => [name, count(number)])} />
      </Section>
    )}
    {erasure.rows === null ? null : (
      <Section title="What was erased elsewhere">
        <Facts facts={rowFacts(erasure.rows)} />
      </Section>
    )}
    <Section title="How far it has come">
      <ol className="space-y-1 text-sm">
        {erasureSteps.map(([step, means]) => (
          <li className="flex items-start gap-2" key={step}>
            <span className={isDone(erasure.state, step) ? "text-green" : "text-faint"}>
              <Icon className="mt-0.5" name={isDone(erasure.state, step) ? "check" : "pending"} />
              <span className="sr-only">{isDone(erasure.state, step) ? "done" : "not yet"}</span>
            </span>
            <span className={isDone(erasure.state, step) ? "" : "text-muted"}>
              <span className="font-medium">{step}</span>: {means}
            </span>
          </li>
        ))}
      </ol>
    </Section>
    <Backups backups={erasure.receipt?.backups ?? []} />
    {erasure.not_covered.length === 0 ? null : (
      <Section title="What it cannot reach">
        <ul className="list-disc space-y-1 pl-4 text-sm">
          {erasure.not_covered.map((place) => (
            <li className="break-words" key={place}>
              {place}
            </li>
          ))}
        </ul>
      </Section>
    )}
    <Receipt erasure={erasure} />
  </>
)

const rowFacts = ({
  answers,
  deliveries,
  entries,
  events,
  from,
  mentions,
  to,
}: NonNullable<ErasureDocument["rows"]>): ReadonlyArray<readonly [string, string]> => [
  ["Events removed", count(events)],
  ["Entries without content", count(entries)],
  ["Parts of other entries", count(mentions)],
  ["Deliveries", count(deliveries)],
  ["Answers to webhooks", count(answers)],
  ["Log positions", from === null ? "none" : `${from} to ${to}`],
]

const Receipt = ({ erasure: { erasure_id, receipt, waits_for_lake } }: Pick<ErasureViewProps, "erasure">) => (
  <Section title="Receipt">
    {receipt === null ? (
      <p className="text-sm text-muted">
        {waits_for_lake
          ? "It is signed once the files of the lake are written again without the person."
          : "It is signed once everything about the person is gone."}
      </p>
    ) : (
      <div className="space-y-3">
        <Button
          icon="download"
          onClick={() =>
            download("receipt.json", `${JSON.stringify(receipt, null, 2)}\n`, "application/json")
          }
        >
          Download the receipt
        </Button>
        <p className="text-sm text-muted">
          The first command saves the signed receipt, the second searches everywhere for what may be left.
        </p>
        <Code label="The commands that save and verify the receipt" text={commandsOf(erasure_id)} />
        <JsonView label="The receipt" value={receipt} />
      </div>
    )}
  </Section>
)

const commandsOf = (erasureId: string): string =>
  `inlet erasure get ${erasureId} --out receipt\ninlet erasure verify receipt/receipt.json --identifier ada@example.com`
