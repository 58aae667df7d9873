import { useQuery } from "@tanstack/react-query"
import { api } from "../../api/generated.ts"
import { useRefusal } from "../../session/useRefusal.ts"
import { Field } from "../../shared/fields/Field.tsx"
import { Group } from "./Group.tsx"
import type { WorkspaceEdits } from "./useWorkspaceEdits.ts"

interface StorageSettingsProps {
  readonly edits: WorkspaceEdits
}

/** The settings that decide how long data stay, how many there are, and where the activity log is copied to. */
export const StorageSettings = ({ edits: { editText, text } }: StorageSettingsProps) => {
  const auditRefusal = useRefusal("workspaces.create")
  return (
    <>
      <Group
        help="Housekeeping deletes what is older, a few hundred rows at a time. Shorter times also apply to data that are stored already."
        title="Retention"
      >
        <div className="grid gap-4 sm:grid-cols-2">
          <Field
            help="Empty: for ever. At least 30."
            label="Days that events stay"
            max={36_500}
            min={30}
            onChange={(event) => editText("retention_days", event.target.value)}
            step={1}
            type="number"
            value={text("retention_days")}
          />
          <Field
            help="Entries of the log that are not events. People can be read as they were within this time. At least 30."
            label="Days of history"
            max={36_500}
            min={30}
            onChange={(event) => editText("history_days", event.target.value)}
            required
            step={1}
            type="number"
            value={text("history_days")}
          />
          <Field
            help="What was sent, the key, the client and the address. 0 keeps nothing, 90 is the most."
            label="Days that rejected calls stay"
            max={90}
            min={0}
            onChange={(event) => editText("rejected_days", event.target.value)}
            required
            step={1}
            type="number"
            value={text("rejected_days")}
          />
          <Field
            disabled={auditRefusal !== undefined}
            help={auditRefusal ?? "Records of who changed this workspace, also after it is deleted."}
            label="Days that the audit log stays"
            max={3650}
            min={1}
            onChange={(event) => editText("audit_days", event.target.value)}
            required
            step={1}
            type="number"
            value={text("audit_days")}
          />
          <Field
            help="People, objects, forms, deliveries, and identifiers of unknown people. Empty: no limit. A full workspace rejects calls that would create one."
            label="Most records"
            max={1_000_000_000}
            min={1}
            onChange={(event) => editText("records_max", event.target.value)}
            step={1}
            type="number"
            value={text("records_max")}
          />
        </div>
      </Group>
      <KafkaSettings edits={{ editText, text }} />
    </>
  )
}

const KafkaSettings = ({
  edits: { editText, text },
}: {
  readonly edits: Pick<WorkspaceEdits, "editText" | "text">
}) => {
  const refusal = useRefusal("server.get")
  const server = useQuery({
    queryKey: ["server"],
    queryFn: ({ signal }) => api.server.get(signal),
    enabled: refusal === undefined,
  })
  const hasBrokers = server.data === undefined || server.data.kafka !== null
  return (
    <Group
      help="Every operation is copied to this topic of Kafka, from the moment that it is set. Empty: no copy."
      title="Copy to Kafka"
    >
      <Field
        disabled={!hasBrokers && text("kafka") === ""}
        help={
          hasBrokers
            ? "The brokers are those of the server."
            : "The server has no brokers. Set its variable INLET_KAFKA and start it again."
        }
        label="Kafka topic"
        onChange={(event) => editText("kafka", event.target.value)}
        pattern="[A-Za-z0-9._\-]{1,249}"
        value={text("kafka")}
      />
    </Group>
  )
}
