-- SPDX-License-Identifier: MIT
-- luajit hello.lua DUNLIN.CDEF LIBDUNLIN.SO: the flock of ../hello.c, from Lua.
local ffi = require("ffi")
local bit = require("bit")

local declarations = assert(io.open(arg[1]))
ffi.cdef(declarations:read("*a"))
declarations:close()
local dunlin = ffi.load(arg[2])

local failure = ffi.new("dunlin_error")
local function try(result)
    if result ~= dunlin.DUNLIN_OK then error(ffi.string(failure.message), 2) end
end

local place = dunlin.dunlin_world_def_default()
local created = ffi.new("dunlin_world *[1]")
try(dunlin.dunlin_world_create(place, created, failure))
local world = ffi.gc(created[0], dunlin.dunlin_world_destroy)

local flock = dunlin.dunlin_interaction_def_default()
flock.rules[dunlin.DUNLIN_RULE_SEPARATION].radius = 1
flock.rules[dunlin.DUNLIN_RULE_ALIGNMENT].radius = 3
flock.rules[dunlin.DUNLIN_RULE_COHESION].radius = 3
local everywhere = dunlin.dunlin_scatter_def_default(world)
everywhere.count = 2000
try(dunlin.dunlin_world_add_species(world, dunlin.dunlin_species_def_default(), nil, failure))
try(dunlin.dunlin_world_add_interaction(world, flock, nil, failure))
try(dunlin.dunlin_world_scatter(world, 0, everywhere, failure))

for _ = 1, 300 do try(dunlin.dunlin_world_step(world, failure)) end
print("state hash: " .. bit.tohex(dunlin.dunlin_world_state_hash(world), 16))
