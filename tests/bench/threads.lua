local total = 0
local function tick()
  local n = 0
  while n < 40 do coroutine.yield(50); n = n + 1 end
  total = total + n
end
local buckets, now, live = {}, 0, 1000
local function put(at, thread)
  local bucket = buckets[at]
  if not bucket then bucket = {}; buckets[at] = bucket end
  bucket[#bucket + 1] = thread
end
for _ = 1, 1000 do
  local thread = coroutine.create(tick)
  local _, delay = coroutine.resume(thread)
  put(delay, thread)
end
while live > 0 do
  now = now + 50
  local bucket = buckets[now] or {}
  buckets[now] = nil
  for i = #bucket, 1, -1 do
    local _, delay = coroutine.resume(bucket[i])
    if delay then put(now + delay, bucket[i]) else live = live - 1 end
  end
end
return tostring(total)
