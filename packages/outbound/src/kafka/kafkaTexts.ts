import { errorText } from "@inlet/core/log/ErrorText"

const seen = "log of the server; `inlet doctor`; `failure` in `GET /management/v1/server`"

/** Texts with this place are the reason in another text. */
const seenAsReason = `${seen}, as the reason`

/** The texts of errors about copying activity logs to Kafka. */
export const kafkaTexts = {
  notSent: errorText("cannot send to the Kafka topic {topic}: {reason}", {
    seen,
    expected: "a broker that accepts the entries",
    remedy:
      "If the brokers are unavailable only for a while, do nothing: Inlet retries and sends the waiting entries. Otherwise, correct the problem that the message names. If a message is too large, raise `max.message.bytes` of the topic. If the connection is closed, check whether the brokers require `INLET_KAFKA_TLS`.",
  }),
  noTopic: errorText("the Kafka topic {topic} does not exist and cannot be created: {reason}", {
    seen,
    expected: "an existing topic, or the right to create it",
    remedy: "Create the topic, or choose another topic with `inlet workspaces update`.",
  }),
  noAnswer: errorText("no answer from Kafka within {seconds} seconds", {
    seen,
    expected: "an answer of the broker in time",
    remedy: "Check that the brokers of `INLET_KAFKA` run and are reachable from Inlet.",
  }),
  tlsRequired: errorText("the broker requires TLS", {
    seen: seenAsReason,
    expected: "a broker that accepts connections without TLS",
    remedy: "Set `INLET_KAFKA_TLS`.",
  }),
  tooManyIterations: errorText("the broker asks for {iterations} iterations of SCRAM, more than {max}", {
    seen: seenAsReason,
    expected: "a user of the brokers with at most {max} iterations",
    remedy: "Set the password of the user again with fewer iterations. Kafka's default is 4096.",
  }),
  longAnswer: errorText("the answer of the broker has {bytes} bytes, more than {max}", {
    seen: seenAsReason,
    expected: "an answer of a Kafka broker",
    remedy: "Check that `INLET_KAFKA` names Kafka brokers and not another service.",
  }),
  shortAnswer: errorText("the answer of the broker has {bytes} bytes, fewer than {min}", {
    seen: seenAsReason,
    expected: "an answer of a Kafka broker",
    remedy: "Check that `INLET_KAFKA` names Kafka brokers and not another service.",
  }),
}
