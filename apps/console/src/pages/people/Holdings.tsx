import type { PersonDocument } from "@inlethq/contract/people/People"
import { Link } from "@tanstack/react-router"
import { CopyId } from "../../shared/values/CopyId.tsx"
import { Section } from "../../shared/dialogs/Detail.tsx"
import { Time } from "../../shared/time/Time.tsx"

interface HoldingsProps {
  readonly person: PersonDocument
}

interface LinkedHoldingsProps extends HoldingsProps {
  readonly w: string
}

export const rowStyle =
  "grid min-h-8 grid-cols-[minmax(0,2fr)_minmax(0,1fr)_auto] items-center gap-3 border-t border-line px-4 text-sm"
export const linkStyle = "truncate text-accent hover:underline"

/** The devices of a person. */
export const Devices = ({ person: { devices } }: HoldingsProps) =>
  devices.length === 0 ? null : (
    <Section title="Devices">
      <ul className="-mx-4">
        {devices.map(({ last_used, platform, token }) => (
          <li className={rowStyle} key={token}>
            <CopyId id={token} label="device token" />
            <span className="text-muted">{platform}</span>
            <span className="text-muted">{last_used === null ? "never used" : <Time at={last_used} />}</span>
          </li>
        ))}
      </ul>
    </Section>
  )

/** The objects that a person is related to. */
export const Relationships = ({ person: { relationships }, w }: LinkedHoldingsProps) =>
  relationships.length === 0 ? null : (
    <Section title="Relationships">
      <ul className="-mx-4">
        {relationships.map(({ attributes, object_id: objectId, object_type_id: objectTypeId }) => (
          <li className={rowStyle} key={`${objectTypeId}/${objectId}`}>
            <Link
              className={linkStyle}
              params={{ w, objectTypeId, objectId }}
              to="/w/$w/objects/$objectTypeId/$objectId"
            >
              {objectTypeId}/{objectId}
            </Link>
            <span className="col-span-2 truncate font-mono text-xs text-muted">
              {Object.keys(attributes).length === 0 ? "" : JSON.stringify(attributes)}
            </span>
          </li>
        ))}
      </ul>
    </Section>
  )
