local count, size = {}, 0
for i = 0, 19999 do
  local key = "k" .. (i % 500)
  if count[key] == nil then count[key] = 0; size = size + 1 end
  count[key] = count[key] + 1
end
return size .. " " .. count["k7"]
