-- Authorization requests with prompt=none of a person who is signed in; the codes are kept for another run.
-- Argument: the file that gets the codes, one a line.
dofile("outcome.lua")

wrong = 0 -- global: `outcome.lua` asks the thread for it

local kept

function init(arguments)
  kept = io.open(arguments[1], "w")
  kept:setvbuf("line") -- nothing closes the file
end

function response(status, headers, body)
  local place = headers["location"] or headers["Location"] or ""
  local code = place:match("[?&]code=([^&]+)")
  if code ~= nil then
    kept:write(code, "\n")
  else
    wrong = wrong + 1
  end
end
