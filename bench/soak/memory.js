/** Loaded into the mock's process before anything else: tells its memory, garbage collected, whenever it is asked. */
process.on('message', () => {
  globalThis.gc()
  // What the first collection finalised is free after the second.
  setImmediate(() => {
    globalThis.gc()
    process.send(process.memoryUsage())
  })
})
process.channel.unref()
