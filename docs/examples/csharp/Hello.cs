// SPDX-License-Identifier: MIT
// The flock of ../hello.c, from C#: mcs -unsafe Hello.cs && mono Hello.exe, with libdunlin.so in LD_LIBRARY_PATH. Structs are those of dunlin.cdef,
// field by field: bool is a byte there, an enum an int, and a pointer an IntPtr.
using System;
using System.Runtime.InteropServices;

unsafe struct WorldDef {
    public int cookie, dimensions;
    public fixed float size[3];
    public int boundary;
    public fixed int axis_boundary[3];
    public float margin;
    public byte keep_overshoot, boundary_first;
    public int integrator;
    public float time_step;
    public byte forces_are_increments;
    public ulong seed;
    public int threads;
    public IntPtr executor, run, run_context, allocator, kernel, index;
}

struct SpeciesDef {
    public int cookie;
    public IntPtr name;
    public float min_speed, max_speed, max_force, drag, friction;
    public byte obstacles_block;
    public float clearance;
    public int groups, body_of, regroup_every;
    public float regroup_radius;
    public int regroup_min_agents;
}

struct Rule {
    public float radius, weight;
    public int response;
    public float limit;
    public int falloff;
    public float min_radius, half_angle;
    public int kin;
}

unsafe struct InteractionDef {
    public int cookie, observer, observed;
    public Rule separation, alignment, cohesion;
    public fixed int order[3];
    public byte in_turn, ignore_coincident;
    public int nearest, max_neighbours;
    public byte sight_blocked;
}

unsafe struct ScatterDef {
    public int cookie;
    public uint count;
    public int region;
    public fixed float centre[3];
    public fixed float extent[3];
    public float min_speed, max_speed;
    public fixed float velocity[3];
    public float group_radius;
}

unsafe struct Error {
    public int code;
    public fixed sbyte message[320];
}

// "dunlin" is libdunlin.so on Linux, and dunlin.dll on Windows.
static unsafe class Dunlin {
    [DllImport("dunlin")] public static extern WorldDef dunlin_world_def_default();
    [DllImport("dunlin")] public static extern SpeciesDef dunlin_species_def_default();
    [DllImport("dunlin")] public static extern InteractionDef dunlin_interaction_def_default();
    [DllImport("dunlin")] public static extern ScatterDef dunlin_scatter_def_default(IntPtr world);
    [DllImport("dunlin")] public static extern int dunlin_world_create(ref WorldDef def, out IntPtr world, out Error error);
    [DllImport("dunlin")] public static extern int dunlin_world_add_species(IntPtr world, ref SpeciesDef def, out int number, out Error error);
    [DllImport("dunlin")] public static extern int dunlin_world_add_interaction(IntPtr world, ref InteractionDef def, out int number, out Error error);
    [DllImport("dunlin")] public static extern int dunlin_world_scatter(IntPtr world, int species, ref ScatterDef def, out Error error);
    [DllImport("dunlin")] public static extern int dunlin_world_step(IntPtr world, out Error error);
    [DllImport("dunlin")] public static extern ulong dunlin_world_state_hash(IntPtr world);
    [DllImport("dunlin")] public static extern void dunlin_world_destroy(IntPtr world);
}

// What a world is to C#: it is destroyed at the end of `using`, and what fails throws.
sealed unsafe class World : IDisposable {
    IntPtr world;
    Error error;

    public World() {
        WorldDef def = Dunlin.dunlin_world_def_default();
        Check(Dunlin.dunlin_world_create(ref def, out world, out error));
    }

    public void Dispose() {
        Dunlin.dunlin_world_destroy(world);
        world = IntPtr.Zero;
    }

    public void AddFlock(uint agents) {
        int number;
        SpeciesDef species = Dunlin.dunlin_species_def_default();
        InteractionDef flock = Dunlin.dunlin_interaction_def_default();
        ScatterDef everywhere = Dunlin.dunlin_scatter_def_default(world);
        flock.separation.radius = 1;
        flock.alignment.radius = flock.cohesion.radius = 3;
        everywhere.count = agents;
        Check(Dunlin.dunlin_world_add_species(world, ref species, out number, out error));
        Check(Dunlin.dunlin_world_add_interaction(world, ref flock, out number, out error));
        Check(Dunlin.dunlin_world_scatter(world, 0, ref everywhere, out error));
    }

    public void Step() { Check(Dunlin.dunlin_world_step(world, out error)); }
    public ulong StateHash { get { return Dunlin.dunlin_world_state_hash(world); } }

    void Check(int result) {
        fixed (sbyte *message = error.message) if (result != 0) throw new Exception(new string(message));
    }
}

static class Hello {
    static void Main() {
        using (var world = new World()) {
            world.AddFlock(2000);
            for (int step = 0; step < 300; step++) world.Step();
            Console.WriteLine("state hash: {0:x16}", world.StateHash);
        }
    }
}
