-- One GET after the other, each with the next proof. Argument: a file of proofs, one a line.
dofile("outcome.lua")

local proofs, nth = {}, 0
local before, after

function init(arguments)
  for line in io.lines(arguments[1]) do
    table.insert(proofs, line)
  end
  wrk.headers["DPoP"] = "@"
  before, after = wrk.format("GET"):match("^(.-)@(.*)$")
end

function request()
  nth = nth % #proofs + 1
  return before .. proofs[nth] .. after
end
