-- Rotation of live refresh tokens: each answer's token goes to the end of a queue, each request takes the first.
-- Argument: a file of refresh tokens, one a line; more than there are connections, for the queue never runs empty.
dofile("outcome.lua")

wrong = 0 -- global: `outcome.lua` asks the thread for it

local queue, first, last = {}, 1, 0
local before, after

function init(arguments)
  for line in io.lines(arguments[1]) do
    last = last + 1
    queue[last] = line
  end
  wrk.headers["grant_type"] = "refresh_token"
  wrk.headers["refresh_token"] = "@"
  wrk.headers["Content-Length"] = "0"
  before, after = wrk.format("POST"):match("^(.-)@(.*)$")
end

function request()
  local token = queue[first] or "none left"
  queue[first] = nil
  first = first + 1
  return before .. token .. after
end

function response(status, headers, body)
  local token = body:match('"refresh_token":"([^"]+)"')
  if status ~= 200 or token == nil then
    wrong = wrong + 1
    return
  end
  last = last + 1
  queue[last] = token
end
