-- The requests of the clients in bench/load.js. Arguments: the kind of the load, then the arguments of that kind.
-- A client is a connection; in wrk, all connections take their next request from one sequence.

local kinds = {}

-- Each path in turn.
function kinds.get(paths)
  local turn = 0
  return function()
    turn = turn % #paths + 1
    return wrk.format('GET', paths[turn])
  end
end

-- Always the same draft.
function kinds.create(arguments)
  local path, draft = arguments[1], arguments[2]
  return function()
    return wrk.format('POST', path, nil, draft)
  end
end

-- Updates, each with the version that the last one returned. The first argument is the action, with VERSION as a
-- placeholder. Only one client at a time updates a resource. There is one resource more than clients, since wrk requests
-- one request before the start that it does not send. A response does not name its resource, but the seed wrote the
-- resource's number into it.
function kinds.update(arguments)
  local template = table.remove(arguments, 1)
  local free = {}
  for at = 1, #arguments, 2 do
    table.insert(free, { path = arguments[at], version = arguments[at + 1] })
  end
  local updated = {}
  for _, resource in ipairs(free) do
    updated[tonumber(resource.path:match('%d+$'))] = resource
  end
  function response(status, _, body)
    if status ~= 200 then error('An update was answered with ' .. status .. ': ' .. body) end
    local resource = updated[tonumber(body:match('resource number (%d+)'))]
    resource.version = body:match('"version":(%d+)')
    table.insert(free, resource)
  end
  return function()
    local resource = table.remove(free, 1)
    local action = template:gsub('VERSION', resource.version)
    return wrk.format('POST', resource.path, nil, '{"version":' .. resource.version .. ',"actions":[' .. action .. ']}')
  end
end

function init(arguments)
  local kind = table.remove(arguments, 1)
  request = kinds[kind](arguments)
end

function done(summary, latency)
  local faults = 0
  for _, count in pairs(summary.errors) do faults = faults + count end
  local seconds = summary.duration / 1e6
  local answered = summary.requests - summary.errors.status
  local p99 = latency:percentile(99) / 1000
  local format = '{"requestsPerSecond":%f,"seconds":%f,"faults":%d,"p99":%f}\n'
  io.write(string.format(format, answered / seconds, seconds, faults, p99))
end
