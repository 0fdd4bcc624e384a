local units, Unit = {}, host.Unit
local total = 0
local function tick(self)
  for n = 0, 39 do
    self.x = self.x + n
    if self.x > 500 then self.x = 0 end
    coroutine.yield(50)
  end
  total = total + self.x
end
local buckets, now, live = {}, 0, 10000
local function put(at, thread)
  local bucket = buckets[at]
  if not bucket then bucket = {}; buckets[at] = bucket end
  bucket[#bucket + 1] = thread
end
for i = 1, 10000 do
  local thread = coroutine.create(tick)
  local _, delay = coroutine.resume(thread, Unit())
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
return string.format("%d", total)
