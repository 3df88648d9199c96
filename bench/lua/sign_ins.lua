-- The form of the sign-in page, sent over and over. Argument: a file with the form. A wrong password would get a 200 too, so
-- each answer must be the page that goes on with a code.
dofile("outcome.lua")

wrong = 0 -- global: `outcome.lua` asks the thread for it

local prepared

function init(arguments)
  for line in io.lines(arguments[1]) do
    prepared = wrk.format("POST", nil, nil, line)
  end
end

function request()
  return prepared
end

function response(status, headers, body)
  if status ~= 200 or not body:match("code=") then
    wrong = wrong + 1
  end
end
