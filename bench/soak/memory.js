/** Loaded into the mock's process before anything else: on request, collects garbage and reports the memory. */
process.on('message', () => {
  globalThis.gc()
  // Memory finalized by the first collection is free after the second.
  setImmediate(() => {
    globalThis.gc()
    process.send(process.memoryUsage())
  })
})
process.channel.unref()
