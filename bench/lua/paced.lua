-- One GET at an even pace, whether or not the answers keep up (an open loop): a 200 is admitted, a spike arrest is a 401
-- with Retry-After, and anything else is wrong. Argument: requests a second.
local ffi = require("ffi")
ffi.cdef("typedef struct { long s; long us; } moment; int gettimeofday(moment *, void *);")

-- globals: `done` asks the thread for them
admitted, arrested, wrong = 0, 0, 0

local threads = {}
local between, due
local moment = ffi.new("moment")

local function now()
  ffi.C.gettimeofday(moment, nil)
  return tonumber(moment.s) * 1000 + tonumber(moment.us) / 1000
end

function setup(thread)
  table.insert(threads, thread)
end

function init(arguments)
  between = 1000 / tonumber(arguments[1])
end

function delay()
  due = (due or now()) + between
  return math.max(0, math.floor(due - now()))
end

function response(status, headers)
  if status == 200 then
    admitted = admitted + 1
  elseif status == 401 and (headers["retry-after"] or headers["Retry-After"]) then
    arrested = arrested + 1
  else
    wrong = wrong + 1
  end
end

function done(summary, latency)
  local counted = { admitted = 0, arrested = 0, wrong = 0 }
  for _, thread in ipairs(threads) do
    for name, value in pairs(counted) do
      counted[name] = value + thread:get(name)
    end
  end
  local errors = summary.errors
  local bad = errors.connect + errors.read + errors.write + errors.timeout + counted.wrong
  print(string.format('\n{"admitted": %d, "arrested": %d, "microseconds": %d, "wrong": %d, "p50": %d, "p99": %d}',
    counted.admitted, counted.arrested, summary.duration, bad, latency:percentile(50), latency:percentile(99)))
end
