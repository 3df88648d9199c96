-- The code flow of a person who is signed in: an authorization request with prompt=none, then the redemption of its code.
-- Arguments: a file with the cookie, one with the path of the request, one with the form up to the code's value.
dofile("outcome.lua")

wrong = 0 -- global: `outcome.lua` asks the thread for it

local codes = {}
local authorize, form, authorization

local function read(name)
  for line in io.lines(name) do
    return line
  end
end

function init(arguments)
  local cookie = read(arguments[1])
  form = read(arguments[3])
  authorization = wrk.headers["Authorization"]
  wrk.headers["Authorization"] = nil
  wrk.headers["Cookie"] = cookie
  authorize = wrk.format("GET", read(arguments[2]))
  wrk.headers["Cookie"] = nil
  wrk.headers["Authorization"] = authorization
  wrk.headers["Content-Type"] = "application/x-www-form-urlencoded"
end

function request()
  local code = table.remove(codes)
  if code == nil then
    return authorize
  end
  return wrk.format("POST", nil, nil, form .. code)
end

function response(status, headers, body)
  if status == 303 then
    local place = headers["location"] or headers["Location"] or ""
    local code = place:match("[?&]code=([^&]+)")
    if code ~= nil then
      table.insert(codes, code)
      return
    end
  elseif status == 200 and body:match('"access_token"') then
    return
  end
  wrong = wrong + 1
end
