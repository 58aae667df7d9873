/** The modules that the server loads by their address, most of them in threads of their own. */
export const loadedModules: Readonly<Record<string, string>> = {
  checkpointThread: "packages/storage-sqlite/src/engine/checkpointThread.ts",
  fileThread: "packages/lake/src/thread/fileThread.ts",
  typesThread: "packages/outbound/src/types/typesThread.ts",
  openSqliteCatalog: "packages/storage-sqlite/src/read/openSqliteCatalog.ts",
  openPostgresCatalog: "packages/storage-postgres/src/read/openPostgresCatalog.ts",
}
