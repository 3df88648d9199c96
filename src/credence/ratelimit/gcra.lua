-- Rate limits of one request under several keys (GCRA, D16): counts the request under all counted keys, or under none.
-- KEYS: the counted keys, then the keys that are checked only. ARGV[1]: the number of counted keys; then for each key
-- its interval and its burst, in nanoseconds. Returns 1 (admitted) or 0, then for each key how far its theoretical
-- arrival time was ahead before this request, in nanoseconds. The time is this server's.
-- Lua numbers are doubles, exact up to 2^53: an instant is stored as seconds and nanoseconds, and only differences of
-- at most a minute are added.
local time = redis.call('TIME')
local now_s, now_ns = tonumber(time[1]), tonumber(time[2]) * 1000

local function store(key, ahead_ns)
  local ns = now_ns + ahead_ns
  local value = string.format('%d %d', now_s + math.floor(ns / 1000000000), ns % 1000000000)
  redis.call('SET', key, value, 'PX', math.ceil(ahead_ns / 1000000))
end

local answer = {1}
for i, key in ipairs(KEYS) do
  local interval_ns, burst_ns = tonumber(ARGV[2 * i]), tonumber(ARGV[2 * i + 1])
  local ahead_ns = 0
  local s, ns = string.match(redis.call('GET', key) or '', '^(%d+) (%d+)$')
  if s then
    ahead_ns = math.max((tonumber(s) - now_s) * 1000000000 + tonumber(ns) - now_ns, 0)
    if ahead_ns > burst_ns then -- the clock was set back or the limit raised: without this the key stays refused
      ahead_ns = burst_ns
      store(key, ahead_ns)
    end
  end
  if ahead_ns > burst_ns - interval_ns then
    answer[1] = 0
  end
  answer[i + 1] = ahead_ns
end

if answer[1] == 1 then
  for i = 1, tonumber(ARGV[1]) do
    store(KEYS[i], answer[i + 1] + tonumber(ARGV[2 * i]))
  end
end
return answer
