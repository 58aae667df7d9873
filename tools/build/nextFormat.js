/*
 * This text is added to the list of migrations, in a build that acts as a later version of Inlet. Its first migration adds columns
 * and a table, as the rules for migrations allow, and the second one an index. A third one removes the table, if a test asks for it.
 */
{
  const adds = {
    id: newestFormat() + 1,
    name: "of the next version",
    statements: [
      "ALTER TABLE activity ADD COLUMN note TEXT",
      "ALTER TABLE subjects ADD COLUMN rank BIGINT NOT NULL DEFAULT 0",
      "ALTER TABLE heads ADD COLUMN notes BIGINT NOT NULL DEFAULT 0",
      "CREATE TABLE notes (workspace BIGINT PRIMARY KEY, text TEXT NOT NULL)",
    ],
  }
  const builds = {
    id: adds.id + 1,
    name: "the index of the next version",
    indexes: [{ name: "links_by_subject", on: "links (workspace, subject)" }],
  }
  const removes = { id: builds.id + 1, name: "of the version after that", statements: ["DROP TABLE notes"] }
  released.push(adds, builds)
  if (process.env.INLET_TEST_REMOVES !== undefined) released.push(removes)
}
