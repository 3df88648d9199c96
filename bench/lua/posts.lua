-- One POST after the other, each with the next body. Argument: a file of bodies, one a line.
dofile("outcome.lua")

local prepared, nth = {}, 0

function init(arguments)
  for line in io.lines(arguments[1]) do
    table.insert(prepared, wrk.format("POST", nil, nil, line))
  end
end

function request()
  nth = nth % #prepared + 1
  return prepared[nth]
end
