import { errorText } from "@inlethq/core/log/ErrorText"

/** The texts of the errors that prevent the opening of a PostgreSQL store. */
export const postgresTexts = {
  tooNew: errorText(
    "the PostgreSQL database has format {found}, but this version of Inlet reads only formats up to {known}; start the version of Inlet that migrated the database, or a newer version",
    "Start the version of Inlet that migrated the database, or a newer version.",
  ),
  tooOld: errorText(
    "the PostgreSQL database has format {found}, from a build before the first release; run `inlet export` with that build and `inlet import` into a new database",
    "Export people, objects, segments and events with the build that wrote the data. Start this version with a new database in `INLET_STORE`, and import the files.",
  ),
  migrationMissing: errorText(
    "the PostgreSQL database has format {found} and this version of Inlet needs format {known}; run `inlet migrate`, or set INLET_MIGRATE=on",
    "Run `inlet migrate` with this version of Inlet, or start one node with `INLET_MIGRATE=on`. Format 0 is an empty database.",
  ),
  liveNodes: errorText(
    "the migration to format {format} removes what running nodes use ({hosts}); stop them first, or run `inlet migrate --force`",
    "Stop every node of the earlier version. One that was killed counts as running for 45 s. `inlet migrate --force` or `INLET_MIGRATE=force` migrates all the same: those nodes then answer 503 until they are upgraded.",
  ),
  foreign: errorText(
    "the PostgreSQL database has a table `migrations` that another program made; create a database for Inlet alone",
    "Create a database for Inlet alone and name it in `INLET_STORE`.",
  ),
  away: errorText(
    "PostgreSQL at {hosts} was not available for {seconds} s ({problem}); start PostgreSQL, or correct INLET_STORE",
    "Start PostgreSQL, or correct the hosts. `start_timeout` in the URL sets how long a starting node retries.",
  ),
  signIn: errorText(
    "PostgreSQL refuses the user {user} ({problem}); correct the user or the password in INLET_STORE",
    "Correct the user or the password in `INLET_STORE`, or the server's `pg_hba.conf`.",
  ),
  missingDatabase: errorText(
    "the PostgreSQL database {database} does not exist; create the database, or correct INLET_STORE",
    "Create it with `CREATE DATABASE`, or correct the name in `INLET_STORE`.",
  ),
  noConnectionLeft: errorText(
    "PostgreSQL has no connection left ({problem}); raise max_connections, or lower pool_size in INLET_STORE",
    "Set `max_connections` of the server to at least (`pool_size` + 2) × nodes + 10. Calls are answered with 503 until a connection is free.",
  ),
  missingRights: errorText(
    "the PostgreSQL user {user} lacks rights ({problem}); grant the rights, or make the user the owner of the database",
    "Make the user the owner of the database, or grant the rights that the message names.",
  ),
  untrusted: errorText(
    "the certificate of PostgreSQL is not trusted ({problem}); correct sslrootcert or the host in INLET_STORE",
    "Set `sslrootcert` to the certificate of the authority that signed the server's certificate, or correct the host.",
  ),
  rootCertificate: errorText(
    "cannot read sslrootcert {file} ({problem}); correct the path in INLET_STORE",
    "Correct the path in `INLET_STORE`.",
  ),
  oldServer: errorText(
    "PostgreSQL {version} is too old; upgrade the server to version {oldest} or newer",
    "Upgrade the server.",
  ),
  encoding: errorText(
    "the PostgreSQL database has the encoding {encoding}; create a database with the encoding UTF8",
    "Create a database with `ENCODING 'UTF8' TEMPLATE template0`.",
  ),
  weakCommits: errorText(
    "synchronous_commit is {level} in PostgreSQL; set synchronous_commit to `on` or `remote_apply` for the server, the database and the user",
    "Set `synchronous_commit = on` for the server, the database and the user.",
  ),
  unfinishedCopy: errorText(
    "the PostgreSQL database is the target of an unfinished copy; run `inlet copy` again to finish the copy",
    "Run the same `inlet copy` command again. If the copy cannot resume, drop the database. If the database also held other workspaces, restore them from a backup.",
  ),
  noCitus: errorText(
    "the database in INLET_STORE has no Citus; run `CREATE EXTENSION citus` in it, on a server that has Citus",
    "Install Citus on the servers, add `citus` to `shared_preload_libraries`, run `CREATE EXTENSION citus` in the database, and add the workers with `citus_add_node`.",
  ),
  nodesRun: errorText(
    "nodes run on the database ({hosts}); stop them first, because each table is locked while its rows move",
    "Stop all nodes. One that was killed counts as running for 45 s.",
  ),
  copyInUse: errorText(
    "the PostgreSQL database is in use by a server; stop all servers on the database, wait 45 s if a server was killed, and copy again",
    "Stop all servers on the database until the copy is complete.",
  ),
  otherSecret: errorText(
    "INLET_SECRET differs from the secret that the database was set up with; set INLET_SECRET to the value that the first node had",
    "Set `INLET_SECRET` to the value that the first node had. A lost secret cannot be recovered.",
  ),
}
