local x = 0
for i = 0, 199999 do x = (x + i) % 65536 end
return tostring(x)
