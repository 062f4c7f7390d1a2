/** Runs checks one after the other, tells each on a line of its own, and ends with `N passed, N failed`. */

/**
 * @typedef {object} Steps
 * @property {<Value>(what: string, act: () => Promise<Value>) => Promise<Value>} step runs one check; what it throws ends the run
 * @property {() => void} close writes the closing line and sets the exit status
 */

/**
 * @param {string} [where] stands before each line, where several runs write to one place
 * @returns {Steps}
 */
export function createSteps(where) {
  const prefix = where === undefined ? '' : `${where}: `
  const count = { passed: 0, failed: 0 }
  return {
    async step(what, act) {
      try {
        const value = await act()
        count.passed += 1
        console.log(`ok      ${prefix}${what}`)
        return value
      } catch (fault) {
        count.failed += 1
        console.log(`failed  ${prefix}${what}`)
        throw fault
      }
    },
    close() {
      console.log(`${prefix}${count.passed} passed, ${count.failed} failed`)
      process.exitCode = count.failed > 0 || count.passed === 0 ? 1 : 0
    },
  }
}
