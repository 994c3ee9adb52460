// SPDX-License-Identifier: MIT
// The few things that WebGL2 takes many lines for.

/** Compiles and links a program; throws what the compiler says. */
export function makeProgram(gl: WebGL2RenderingContext, vertices: string, fragments: string): WebGLProgram {
    const program = gl.createProgram()!;
    for (const [type, source] of [[gl.VERTEX_SHADER, vertices], [gl.FRAGMENT_SHADER, fragments]] as const) {
        const shader = gl.createShader(type)!;
        gl.shaderSource(shader, source);
        gl.compileShader(shader);
        if (!gl.getShaderParameter(shader, gl.COMPILE_STATUS) && !gl.isContextLost())
            throw new Error(`shader: ${gl.getShaderInfoLog(shader)}`);
        gl.attachShader(program, shader);
    }
    gl.linkProgram(program);
    if (!gl.getProgramParameter(program, gl.LINK_STATUS) && !gl.isContextLost())
        throw new Error(`shader: ${gl.getProgramInfoLog(program)}`);
    return program;
}

/** Places of a program's uniforms, found once. */
export class Uniforms {
    private readonly places = new Map<string, WebGLUniformLocation | null>();

    constructor(private readonly gl: WebGL2RenderingContext, readonly program: WebGLProgram) {}

    at(name: string): WebGLUniformLocation | null {
        if (!this.places.has(name)) this.places.set(name, this.gl.getUniformLocation(this.program, name));
        return this.places.get(name)!;
    }
}

/** A texture of one float per element, as wide as `width`, that grows with what is put into it. */
export class Column {
    private texture: WebGLTexture | null = null;
    private rows = 0;

    constructor(private readonly gl: WebGL2RenderingContext, private readonly width: number) {}

    /** Fills the texture from the engine's array and binds it to a unit. */
    put(unit: number, values: Float32Array): void {
        const gl = this.gl;
        gl.activeTexture(gl.TEXTURE0 + unit);
        this.makeRoom(Math.ceil(values.length / this.width));
        gl.bindTexture(gl.TEXTURE_2D, this.texture);
        const rows = Math.floor(values.length / this.width);
        const rest = values.length % this.width;
        if (rows > 0) gl.texSubImage2D(gl.TEXTURE_2D, 0, 0, 0, this.width, rows, gl.RED, gl.FLOAT, values);
        if (rest > 0)
            gl.texSubImage2D(gl.TEXTURE_2D, 0, 0, rows, rest, 1, gl.RED, gl.FLOAT, values.subarray(rows * this.width));
    }

    private makeRoom(rows: number): void {
        const gl = this.gl;
        if (this.texture !== null && rows <= this.rows) return;
        if (this.texture !== null) gl.deleteTexture(this.texture);
        this.rows = Math.max(1, Math.ceil(rows * 1.25));
        this.texture = gl.createTexture();
        gl.bindTexture(gl.TEXTURE_2D, this.texture);
        gl.texStorage2D(gl.TEXTURE_2D, 1, gl.R32F, this.width, this.rows);
        gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MIN_FILTER, gl.NEAREST);
        gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MAG_FILTER, gl.NEAREST);
    }
}
