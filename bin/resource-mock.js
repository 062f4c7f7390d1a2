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
require('../dist/cjs/launch.cjs')
