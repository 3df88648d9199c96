-- Reports on many companies with many tokens, in random order.
-- Arguments: a file of access tokens and a file of company numbers, one a line. The path ends where the number begins.
dofile("outcome.lua")

local PREPARED = 20000
local prepared, nth = {}, 0

local function lines(name)
  local found = {}
  for line in io.lines(name) do
    table.insert(found, line)
  end
  return found
end

function init(arguments)
  local tokens, numbers = lines(arguments[1]), lines(arguments[2])
  math.randomseed(20200501)
  for i = 1, PREPARED do
    wrk.headers["Authorization"] = "Bearer " .. tokens[math.random(#tokens)]
    prepared[i] = wrk.format("GET", wrk.path .. numbers[math.random(#numbers)])
  end
end

function request()
  nth = nth % PREPARED + 1
  return prepared[nth]
end
