import { Schema } from "effect"

/** The name of a Kafka topic, as Kafka accepts it. */
export const KafkaTopic = Schema.String.check(
  Schema.isPattern(/^(?!\.{1,2}$)[A-Za-z0-9._-]{1,249}$/, {
    expected: "1 to 249 letters, digits, dots, underscores or hyphens, other than . and ..",
  }),
)
