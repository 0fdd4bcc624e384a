local as = python.as_function
local gapto, nextgoal, now, isset = as(host.gapto), as(host.nextgoal), as(host.now), as(host.isset)
local Unit = host.Unit
local getplace, getgoal, setgoal = as(Unit.getplace), as(Unit.getgoal), as(Unit.setgoal)
local cansee, movealong = as(Unit.cansee), as(Unit.movealong)
local function think(self)
  local here = getplace(self)
  local goal = getgoal(self)
  local gap = gapto(here, goal)
  if gap < 64.0 then setgoal(self, nextgoal(here)) end
  local seen = cansee(self, goal)
  if seen ~= 0 and self.state ~= "alert" then
    self.state = "alert"
    self.since = now()
  elseif now() - self.since > 5 then
    self.state = "idle"
  end
  movealong(self, goal, 2.0)
  self.health = self.health - 1
  if self.health <= 0 then self.health = 100 end
  if isset(self.health) ~= 0 then self.turns = self.turns + 1 end
end
local units = {}
for i = 0, 49 do units[i + 1] = host.Unit(i) end
for _ = 1, 100 do for i = 1, 50 do think(units[i]) end end
return string.format("%d %s", units[8].health, units[8].state)
