-- One POST after the other, each with the next body; every answer must match a pattern.
-- Arguments: a file of bodies, one a line; the pattern (of Lua).
dofile("outcome.lua")

wrong = 0 -- global: `outcome.lua` asks the thread for it

local prepared, nth, pattern = {}, 0, nil

function init(arguments)
  for line in io.lines(arguments[1]) do
    table.insert(prepared, wrk.format("POST", nil, nil, line))
  end
  pattern = arguments[2]
end

function request()
  nth = nth % #prepared + 1
  return prepared[nth]
end

function response(status, headers, body)
  if status ~= 200 or not body:match(pattern) then
    wrong = wrong + 1
  end
end
