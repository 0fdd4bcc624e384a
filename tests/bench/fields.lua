local Unit = {}
Unit.__index = Unit
function Unit:think()
  self.x = self.x + self.speed
  if self.x > 20.0 then self.speed = -0.5 elseif self.x < 0.0 then self.speed = 0.5 end
  self.health = self.health - 3
  if self.health <= 0 then
    self.health = 100
    self.hits = self.hits + 1
    self.state = "hurt"
  elseif self.state == "hurt" and self.health < 90 then
    self.state = "idle"
  end
end
local units = {}
for i = 1, 50 do units[i] = setmetatable({health = 100, x = 0.0, speed = 0.5, state = "idle", hits = 0}, Unit) end
for _ = 1, 100 do for i = 1, 50 do units[i]:think() end end
return units[8].hits .. " " .. units[8].state
