-- One POST, over and over. Argument: the file that holds its body.
dofile("outcome.lua")

function init(arguments)
  local file = assert(io.open(arguments[1], "rb"))
  wrk.method = "POST"
  wrk.body = file:read("*a")
  file:close()
end
