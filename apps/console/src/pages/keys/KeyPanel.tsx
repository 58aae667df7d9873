import type { KeyDocument } from "@inlethq/contract/workspaces/Keys"
import { Link, useNavigate, useParams } from "@tanstack/react-router"
import { useState, type ReactNode } from "react"
import { useWorkspace } from "../../frame/useWorkspace.ts"
import { useRefusal } from "../../session/useRefusal.ts"
import { Button } from "../../shared/buttons/Button.tsx"
import { Detail, Facts, Section } from "../../shared/dialogs/Detail.tsx"
import { Loading } from "../../shared/dialogs/Loading.tsx"
import { ExactTime, Time } from "../../shared/time/Time.tsx"
import { CopyId } from "../../shared/values/CopyId.tsx"
import { count, counted } from "../../shared/values/figures.ts"
import { Outcome } from "../../shared/values/Outcome.tsx"
import { causeId, causeText } from "../errors/causes.ts"
import { apiOf } from "./kinds.ts"
import { RevokeKeyDialog } from "./RevokeKeyDialog.tsx"
import { useKeyUse, type KeyUse } from "./useKeyUse.ts"
import { useKeys } from "./useKeys.ts"

/** The panel beside the list of keys that shows what one key sends, with which clients, and what of it was refused. */
export const KeyPanel = () => {
  const w = useWorkspace()
  const navigate = useNavigate()
  const { keyId } = useParams({ from: "/w/$w/keys/$keyId" })
  const [isRevoking, setRevoking] = useState(false)
  const pages = useKeys(w)
  const key = pages.items.find(({ key_id }) => key_id === keyId)
  const use = useKeyUse(w, keyId)
  const refusal = useRefusal("keys.revoke")
  const close = (): void => void navigate({ to: "/w/$w/keys", params: { w } })
  return (
    <Detail
      actions={
        key === undefined ? null : (
          <Button onClick={() => setRevoking(true)} refusal={refusal} tone="danger">
            Revoke key
          </Button>
        )
      }
      onClose={close}
      title={key?.name ?? "Key"}
    >
      {key === undefined ? (
        pages.isLoading ? (
          <Loading />
        ) : (
          <p className="p-4 text-sm text-muted">This key was revoked. What it sent is still found in Live.</p>
        )
      ) : (
        <KeyFacts apiKey={key} />
      )}
      <Traffic keyId={keyId} use={use} w={w} />
      {isRevoking && key !== undefined ? (
        <RevokeKeyDialog apiKey={key} onClose={() => setRevoking(false)} w={w} />
      ) : null}
    </Detail>
  )
}

const KeyFacts = ({ apiKey }: { readonly apiKey: KeyDocument }) => (
  <Section title="Key">
    <Facts
      facts={[
        ["for", apiOf[apiKey.kind]],
        ["key ID", <CopyId id={apiKey.key_id} key="key" label="key ID" />],
        [
          "site ID",
          apiKey.site_id === null ? null : <CopyId id={apiKey.site_id} key="site" label="site ID" />,
        ],
        ["begins with", apiKey.prefix === null ? null : `${apiKey.prefix}…`],
        ["created", <ExactTime at={apiKey.created_at} key="created" />],
        ["last used", apiKey.last_used_at === null ? "never" : <Time at={apiKey.last_used_at} key="used" />],
        [
          "expires",
          apiKey.expires_at === null ? "never" : <ExactTime at={apiKey.expires_at} key="expires" />,
        ],
      ]}
    />
  </Section>
)

interface TrafficProps {
  readonly w: string
  readonly keyId: string
  readonly use: KeyUse | undefined
}

const linkStyle =
  "text-accent hover:underline pointer-coarse:inline-block pointer-coarse:min-w-11 pointer-coarse:py-3"

/** The largest number of clients, names and causes that the panel lists. */
const listedMax = 20

const Traffic = ({ keyId, use, w }: TrafficProps) => {
  if (use === undefined) return <Loading />
  return (
    <>
      <Section
        actions={
          <Link className={linkStyle} params={{ w }} search={{ filter: `key:${keyId}` }} to="/w/$w/live">
            Show its operations in Live
          </Link>
        }
        title="Clients"
      >
        <Rows empty="No event, page, screen or attribute came with this key yet.">
          {use.clients.slice(0, listedMax).map(({ client, count: number, last }) => (
            <Row key={client} left={count(number)} right={<Time at={last} />}>
              <span title={client}>{client}</span>
            </Row>
          ))}
        </Rows>
      </Section>
      <Section title="What it sends">
        <Rows empty="Nothing yet.">
          {use.names.slice(0, listedMax).map(({ count: number, kind, last, name, title }) => (
            <Row key={`${kind} ${name}`} left={count(number)} right={<Time at={last} />}>
              <Link className={linkStyle} params={{ w, kind, name }} to="/w/$w/events/$kind/$name">
                {title}
              </Link>
            </Row>
          ))}
        </Rows>
      </Section>
      <Section
        title={
          use.causes.length === 0
            ? "Errors of the last 7 days"
            : `Errors of the last 7 days: ${counted(use.refused, "operation", "operations")}`
        }
      >
        <Rows empty="Every operation of this key was applied completely.">
          {use.causes.slice(0, listedMax).map((cause) => (
            <Row key={cause.cause} left={count(cause.count)} right={<Outcome outcome={cause.outcome} />}>
              <Link
                className={linkStyle}
                params={{ w, causeId: causeId(cause) }}
                search={{ last: "7d" }}
                to="/w/$w/errors/$causeId"
              >
                {causeText(cause)}
              </Link>
            </Row>
          ))}
        </Rows>
      </Section>
    </>
  )
}

interface RowsProps {
  readonly empty: string
  readonly children: ReadonlyArray<ReactNode>
}

const Rows = ({ children, empty }: RowsProps) =>
  children.length === 0 ? (
    <p className="text-sm text-muted">{empty}</p>
  ) : (
    <ul className="divide-y divide-line text-sm">{children}</ul>
  )

interface RowProps {
  readonly left: string
  readonly right: ReactNode
  readonly children: ReactNode
}

const Row = ({ children, left, right }: RowProps) => (
  <li className="grid grid-cols-[64px_minmax(0,1fr)_auto] gap-x-3 py-1.5">
    <span className="pointer-coarse:py-3">{left}</span>
    <span className="truncate">{children}</span>
    <span className="text-muted pointer-coarse:py-3">{right}</span>
  </li>
)
