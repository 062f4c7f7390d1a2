#!/usr/bin/env node
'use strict'
// Syntax of 2015 only: an old Node must get as far as the sentence.
const version = process.versions.node.split('.').map(Number)
if (version[0] < 20 || (version[0] === 20 && version[1] < 19)) {
  process.stderr.write(
    'resource-mock needs Node 20.19 or newer, but this is Node ' + process.versions.node + '. Install a newer Node.\n',
  )
  process.exit(1)
}

/** Says why the command could not be loaded, and what to do. */
function explain(error) {
  if (error.syscall === 'uv_cwd') return 'The working folder no longer exists. Change to another folder.'
  return (
    'resource-mock cannot be loaded: ' +
    error.message.split('\n')[0] +
    '. Install it again, or make its files readable for you.'
  )
}

try {
  require('../dist/cjs/launch.cjs')
} catch (error) {
  process.stderr.write(explain(error) + '\n')
  process.exit(2)
}
