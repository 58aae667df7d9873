import { errorText } from "@inlet/core/log/ErrorText"

const seen = "at startup with PostgreSQL: one line, then exit code 1"

/** The errors of opening a PostgreSQL store. */
export const openTexts = {
  tooNew: errorText(
    "the PostgreSQL database is of format {found}; this version knows formats up to {known}",
    {
      seen,
      expected: "a database of this version or an older one",
      remedy: "Start the version of Inlet that migrated the database, or a newer one.",
    },
  ),
  foreign: errorText("the PostgreSQL database has a table migrations that another program made", {
    seen,
    expected: "an empty database, or one that Inlet made",
    remedy: "Create a database for Inlet alone and name it in `INLET_STORE`.",
  }),
}
