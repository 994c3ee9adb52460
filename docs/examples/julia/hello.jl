# SPDX-License-Identifier: MIT
# The flock of ../hello.c, from Julia, with libdunlin.so in LD_LIBRARY_PATH: julia hello.jl
# The tests compare the structs and calls with dunlin.cdef; they do not run this file.
const dunlin = "libdunlin"

struct WorldDef
    cookie::Cint
    dimensions::Cint
    size::NTuple{3,Cfloat}
    boundary::Cint
    axis_boundary::NTuple{3,Cint}
    margin::Cfloat
    keep_overshoot::Bool
    boundary_first::Bool
    integrator::Cint
    time_step::Cfloat
    forces_are_increments::Bool
    seed::UInt64
    threads::Cint
    executor::Ptr{Cchar}
    run::Ptr{Cvoid}
    run_context::Ptr{Cvoid}
    allocator::Ptr{Cvoid}
    kernel::Ptr{Cchar}
    index::Ptr{Cchar}
end

struct Regroup
    every::Cint
    radius::Cfloat
    min_agents::Cint
end

struct SpeciesDef
    cookie::Cint
    name::Ptr{Cchar}
    min_speed::Cfloat
    max_speed::Cfloat
    max_force::Cfloat
    drag::Cfloat
    friction::Cfloat
    obstacles_block::Bool
    clearance::Cfloat
    groups::Cint
    body_of::Cint
    regroup::Regroup
end

struct Rule
    radius::Cfloat
    weight::Cfloat
    response::Cint
    limit::Cfloat
    falloff::Cint
    min_radius::Cfloat
    half_angle::Cfloat
    kin::Cint
end

struct InteractionDef
    cookie::Cint
    observer::Cint
    observed::Cint
    rules::NTuple{3,Rule} # separation, alignment, cohesion
    order::NTuple{3,Cint}
    in_turn::Bool
    ignore_coincident::Bool
    nearest::Cint
    max_neighbours::Cint
    sight_blocked::Bool
end

struct ScatterDef
    cookie::Cint
    count::UInt32
    region::Cint
    centre::NTuple{3,Cfloat}
    extent::NTuple{3,Cfloat}
    min_speed::Cfloat
    max_speed::Cfloat
    velocity::NTuple{3,Cfloat}
    group_radius::Cfloat
end

struct Error
    code::Cint
    message::NTuple{320,Cchar}
end

# A struct with other values in some fields: what C returns by value cannot be changed in its place.
with(def::T; fields...) where {T} = T((get(fields, name, getfield(def, name)) for name in fieldnames(T))...)

const failure = Ref{Error}()
check(result) = result == 0 || error(unsafe_string(Ptr{UInt8}(Base.unsafe_convert(Ptr{Error}, failure)) + fieldoffset(Error, 2)))

created = Ref{Ptr{Cvoid}}(C_NULL)
place = ccall((:dunlin_world_def_default, dunlin), WorldDef, ())
check(ccall((:dunlin_world_create, dunlin), Cint, (Ref{WorldDef}, Ref{Ptr{Cvoid}}, Ref{Error}), place, created, failure))
world = created[]

species = ccall((:dunlin_species_def_default, dunlin), SpeciesDef, ())
flock = ccall((:dunlin_interaction_def_default, dunlin), InteractionDef, ())
flock = with(flock; rules = Tuple(with(rule; radius = Cfloat(radius)) for (rule, radius) in zip(flock.rules, (1, 3, 3))))
everywhere = ccall((:dunlin_scatter_def_default, dunlin), ScatterDef, (Ptr{Cvoid},), world)
everywhere = with(everywhere; count = UInt32(2000))
check(ccall((:dunlin_world_add_species, dunlin), Cint, (Ptr{Cvoid}, Ref{SpeciesDef}, Ptr{Cint}, Ref{Error}),
    world, species, C_NULL, failure))
check(ccall((:dunlin_world_add_interaction, dunlin), Cint, (Ptr{Cvoid}, Ref{InteractionDef}, Ptr{Cint}, Ref{Error}),
    world, flock, C_NULL, failure))
check(ccall((:dunlin_world_scatter, dunlin), Cint, (Ptr{Cvoid}, Cint, Ref{ScatterDef}, Ref{Error}),
    world, 0, everywhere, failure))

for step in 1:300
    check(ccall((:dunlin_world_step, dunlin), Cint, (Ptr{Cvoid}, Ref{Error}), world, failure))
end
println("state hash: ", string(ccall((:dunlin_world_state_hash, dunlin), UInt64, (Ptr{Cvoid},), world), base = 16, pad = 16))
ccall((:dunlin_world_destroy, dunlin), Cvoid, (Ptr{Cvoid},), world)
