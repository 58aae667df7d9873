import { errorText } from "@inlethq/core/log/ErrorText"

/** The texts of errors about copying activity logs to Kafka. */
export const kafkaTexts = {
  notSent: errorText(
    "cannot send to the Kafka topic {topic}: {reason}",
    "If the brokers are unavailable only for a while, do nothing: Inlet retries and sends the waiting entries. Otherwise, correct the problem that the message names. If a message is too large, raise `max.message.bytes` of the topic. If the connection is closed, check whether the brokers require `INLET_KAFKA_TLS`.",
  ),
  noTopic: errorText(
    "the Kafka topic {topic} does not exist and cannot be created: {reason}",
    "Create the topic, or choose another topic with `inlet workspaces update`.",
  ),
  noAnswer: errorText(
    "no answer from Kafka within {seconds} seconds",
    "Check that the brokers of `INLET_KAFKA` run and are reachable from Inlet.",
  ),
  tlsRequired: errorText("the broker requires TLS", "Set `INLET_KAFKA_TLS`."),
  tooManyIterations: errorText(
    "the broker asks for {iterations} iterations of SCRAM, more than {max}",
    "Set the password of the user again with fewer iterations. Kafka's default is 4096.",
  ),
  longAnswer: errorText(
    "the answer of the broker has {bytes} bytes, more than {max}",
    "Check that `INLET_KAFKA` names Kafka brokers and not another service.",
  ),
  shortAnswer: errorText(
    "the answer of the broker has {bytes} bytes, fewer than {min}",
    "Check that `INLET_KAFKA` names Kafka brokers and not another service.",
  ),
}
