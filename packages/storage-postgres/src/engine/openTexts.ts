import { errorText } from "@inlet/core/log/ErrorText"

const seen = "at startup with PostgreSQL: one line, then exit code 1"

/** The texts of the errors that prevent the opening of a PostgreSQL store. */
export const openTexts = {
  tooNew: errorText(
    "the PostgreSQL database has format {found}, but this version of Inlet reads only formats up to {known}; start the version of Inlet that migrated the database, or a newer version",
    {
      seen,
      expected: "a database of this version or an older version",
      remedy: "Start the version of Inlet that migrated the database, or a newer version.",
    },
  ),
  foreign: errorText(
    "the PostgreSQL database has a table `migrations` that another program made; create a database for Inlet alone",
    {
      seen,
      expected: "an empty database, or a database that Inlet made",
      remedy: "Create a database for Inlet alone and name it in `INLET_STORE`.",
    },
  ),
  away: errorText(
    "PostgreSQL at {hosts} was not available for {seconds} s ({problem}); start PostgreSQL, or correct INLET_STORE",
    {
      seen,
      expected: "a server named in `INLET_STORE` that accepts connections and writes",
      remedy:
        "Start PostgreSQL, or correct the hosts. `start_timeout` in the URL sets how long a starting node retries.",
    },
  ),
  signIn: errorText(
    "PostgreSQL refuses the user {user} ({problem}); correct the user or the password in INLET_STORE",
    {
      seen,
      expected: "a user and a password that the server accepts",
      remedy: "Correct the user or the password in `INLET_STORE`, or the server's `pg_hba.conf`.",
    },
  ),
  missingDatabase: errorText(
    "the PostgreSQL database {database} does not exist; create the database, or correct INLET_STORE",
    {
      seen,
      expected: "an existing database",
      remedy: "Create it with `CREATE DATABASE`, or correct the name in `INLET_STORE`.",
    },
  ),
  missingRights: errorText(
    "the PostgreSQL user {user} lacks rights ({problem}); grant the rights, or make the user the owner of the database",
    {
      seen,
      expected: "a user that may create, read and write tables in the schema",
      remedy: "Make the user the owner of the database, or grant the rights that the message names.",
    },
  ),
  untrusted: errorText(
    "the certificate of PostgreSQL is not trusted ({problem}); correct sslrootcert or the host in INLET_STORE",
    {
      seen,
      expected: "a certificate that `sslmode` and `sslrootcert` accept",
      remedy:
        "Set `sslrootcert` to the certificate of the authority that signed the server's certificate, or correct the host.",
    },
  ),
  rootCertificate: errorText("cannot read sslrootcert {file} ({problem}); correct the path in INLET_STORE", {
    seen,
    expected: "a readable PEM file",
    remedy: "Correct the path in `INLET_STORE`.",
  }),
  oldServer: errorText("PostgreSQL {version} is too old; upgrade the server to version {oldest} or newer", {
    seen,
    expected: "PostgreSQL 15 or newer",
    remedy: "Upgrade the server.",
  }),
  encoding: errorText(
    "the PostgreSQL database has the encoding {encoding}; create a database with the encoding UTF8",
    {
      seen,
      expected: "a database with the encoding UTF8",
      remedy: "Create a database with `ENCODING 'UTF8' TEMPLATE template0`.",
    },
  ),
  weakCommits: errorText(
    "synchronous_commit is {level} in PostgreSQL; set synchronous_commit to `on` or `remote_apply` for the server, the database and the user",
    {
      seen,
      expected: "commits that are durable before they are acknowledged",
      remedy: "Set `synchronous_commit = on` for the server, the database and the user.",
    },
  ),
  unfinishedCopy: errorText(
    "the PostgreSQL database is the target of an unfinished copy; run `inlet copy` again to finish the copy",
    {
      seen,
      expected: "a complete copy",
      remedy:
        "Run the same `inlet copy` command again. If the copy cannot resume, drop the database. If the database also held other workspaces, restore them from a backup.",
    },
  ),
  copyInUse: errorText(
    "the PostgreSQL database is in use by a server; stop all servers on the database, wait 45 s if a server was killed, and copy again",
    {
      seen: "`inlet copy`: exit code 1",
      expected: "a source and a target without servers",
      remedy: "Stop all servers on the database until the copy is complete.",
    },
  ),
  otherSecret: errorText(
    "INLET_SECRET differs from the secret that the database was set up with; set INLET_SECRET to the value that the first node had",
    {
      seen,
      expected: "the same `INLET_SECRET` on every node",
      remedy: "Set `INLET_SECRET` to the value that the first node had. A lost secret cannot be recovered.",
    },
  ),
}
