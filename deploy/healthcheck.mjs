// Exits with code 0 if the server of this container is ready, and with code 1 otherwise.
import { get as getHttp } from "node:http"
import { get as getHttps } from "node:https"

const answerMsMax = 4000
const { INLET_OPERATOR_PORT, INLET_PORT, INLET_TLS_CERT } = process.env
const port = INLET_OPERATOR_PORT || INLET_PORT || "8080"
const isHttps = (INLET_TLS_CERT ?? "") !== ""

const url = `${isHttps ? "https" : "http"}://127.0.0.1:${port}/health/ready`
// The certificate names the public host and not the loopback address.
const options = { timeout: answerMsMax, rejectUnauthorized: false }
const request = (isHttps ? getHttps : getHttp)(url, options, (response) =>
  process.exit(response.statusCode === 200 ? 0 : 1),
)
request.once("timeout", () => process.exit(1))
request.once("error", () => process.exit(1))
