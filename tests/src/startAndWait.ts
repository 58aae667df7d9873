import { Inlet } from "./Inlet.ts"

// Starts a server as tests do, prints its data directory, and runs until it is killed.
const inlet = await Inlet.start()
console.log(inlet.dataDir)
