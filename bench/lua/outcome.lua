-- Shared by all loads: counts what was not a 200 and prints the outcome as one line of JSON, times in microseconds.
-- wrk counts statuses above 399 itself; a script that looks at each answer counts the others in the global `wrong`.

local threads = {}

function setup(thread)
  table.insert(threads, thread)
end

function done(summary, latency, requests)
  local errors = summary.errors
  local bad = errors.connect + errors.read + errors.write + errors.status + errors.timeout
  for _, thread in ipairs(threads) do
    bad = bad + (thread:get("wrong") or 0)
  end
  print(string.format('\n{"requests": %d, "microseconds": %d, "wrong": %d, "p50": %d, "p99": %d}',
    summary.requests, summary.duration, bad, latency:percentile(50), latency:percentile(99)))
end
