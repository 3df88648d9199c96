-- Rotation of live refresh tokens as RFC 6749 §6 describes it, in a form: each answer's token goes to the end of a queue.
-- Argument: a file of refresh tokens, one a line; more than there are connections, for the queue never runs empty.
dofile("outcome.lua")

wrong = 0 -- global: `outcome.lua` asks the thread for it

local queue, first, last = {}, 1, 0

function init(arguments)
  for line in io.lines(arguments[1]) do
    last = last + 1
    queue[last] = line
  end
end

function request()
  local token = queue[first] or "none left"
  queue[first] = nil
  first = first + 1
  return wrk.format("POST", nil, nil, "grant_type=refresh_token&refresh_token=" .. token)
end

function response(status, headers, body)
  local token = body:match('"refresh_token":%s*"([^"]+)"')
  if status ~= 200 or token == nil or not body:match('"access_token":%s*"[^"]+"') then
    wrong = wrong + 1
    return
  end
  last = last + 1
  queue[last] = token
end
