import { Inlet } from "./Inlet.ts"

// Starts a server as tests do, prints where its data is, and waits to be killed.
const inlet = await Inlet.start()
console.log(inlet.dataDir)
