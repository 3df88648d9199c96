-- Spike arrest for a request under several keys: counts under all that are to be counted, or under none (D16).
-- KEYS: those to be counted, then those only consulted. ARGV[1]: how many are counted; then, for each key, its interval
-- and the length of its burst, in nanoseconds. Returns 1 or 0, then how far each key was ahead before this request.
-- The time is this server's. Lua counts in doubles, exact up to 2^53: instants are kept as seconds and nanoseconds, and
-- only differences, of a minute at most, are added up.
local time = redis.call('TIME')
local now_s, now_n = tonumber(time[1]), tonumber(time[2]) * 1000

local function keep(key, ahead)
  local n = now_n + ahead
  local value = string.format('%d %d', now_s + math.floor(n / 1000000000), n % 1000000000)
  redis.call('SET', key, value, 'PX', math.ceil(ahead / 1000000))
end

local answer = {1}
for i, key in ipairs(KEYS) do
  local interval, full = tonumber(ARGV[2 * i]), tonumber(ARGV[2 * i + 1])
  local ahead = 0
  local s, n = string.match(redis.call('GET', key) or '', '^(%d+) (%d+)$')
  if s then
    ahead = math.max((tonumber(s) - now_s) * 1000000000 + tonumber(n) - now_n, 0)
    if ahead > full then -- the clock was set back or the limit raised; unless put right, the key stays locked
      ahead = full
      keep(key, ahead)
    end
  end
  if ahead > full - interval then
    answer[1] = 0
  end
  answer[i + 1] = ahead
end

if answer[1] == 1 then
  for i = 1, tonumber(ARGV[1]) do
    keep(KEYS[i], answer[i + 1] + tonumber(ARGV[2 * i]))
  end
end
return answer
