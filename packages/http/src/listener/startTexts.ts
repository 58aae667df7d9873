import { errorText } from "@inlet/core/log/ErrorText"

const seen = "at startup: one line, then exit code 1"

/** The errors with which the server refuses to start. */
export const startTexts = {
  wrongSetting: errorText("{variable} must be {expected}", {
    seen,
    expected: "the value that the message describes. [Settings](operations/settings.md) lists every variable",
    remedy: "Correct the environment variable, or remove it to use the default.",
  }),
  portInUse: errorText("cannot listen on {host}:{port}: the port is in use (set {variable})", {
    seen,
    expected: "a port that no other process uses",
    remedy: "Set another port, or stop the other process.",
  }),
  cannotListen: errorText("cannot listen on {host}:{port}: {code}", {
    seen,
    expected: "an address of this machine that the user may listen on",
    remedy: "Correct `INLET_HOST` and `INLET_PORT`. Ports below 1024 often require a privilege.",
  }),
}
