/** Imports a module, and prints the milliseconds of processor time that the process has used. */
await import(process.argv[2])
const { user, system } = process.cpuUsage()
console.log((user + system) / 1000)
