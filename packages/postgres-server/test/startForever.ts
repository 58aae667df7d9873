import { PostgresServer } from "../src/PostgresServer.ts"

// Starts a server and runs until the process is killed.
const { directory, port } = await PostgresServer.start()
console.log(JSON.stringify({ directory, port }))
setInterval(() => undefined, 60_000)
