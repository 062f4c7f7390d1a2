/** Runs checks one after the other, reports each on its own line, and ends with `N passed, N failed`. */

/**
 * @typedef {object} Steps
 * @property {<Value>(what: string, act: () => Promise<Value>) => Promise<Value>} step runs one check; an error ends the run
 * @property {() => void} close writes the last line and sets the exit status
 */

/**
 * @param {string} [where] a prefix for each line, if several runs write to the same output
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
