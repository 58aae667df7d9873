import { Inlet } from "./Inlet.ts"

// Starts a server in the same way as tests do, prints its data directory, and runs until this process is killed.
const inlet = await Inlet.start()
console.log(inlet.dataDir)
