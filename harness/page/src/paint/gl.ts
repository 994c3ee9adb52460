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

/** The texture unit in which textures are filled; no program reads it. */
const fillingUnit = 15;

/** A texture of one number per element, as wide as `width`, that grows with what is put into it. */
export class Column {
    private texture: WebGLTexture | null = null;
    private rows = 0;

    constructor(private readonly gl: WebGL2RenderingContext, private readonly width: number, private readonly whole = false) {}

    /** Fills the texture from the engine's array. */
    put(values: Float32Array | Uint32Array): void {
        const gl = this.gl;
        gl.activeTexture(gl.TEXTURE0 + fillingUnit);
        const [format, type] = this.whole ? [gl.RED_INTEGER, gl.UNSIGNED_INT] : [gl.RED, gl.FLOAT];
        this.makeRoom(Math.ceil(values.length / this.width));
        gl.bindTexture(gl.TEXTURE_2D, this.texture);
        const rows = Math.floor(values.length / this.width);
        const rest = values.length % this.width;
        if (rows > 0) gl.texSubImage2D(gl.TEXTURE_2D, 0, 0, 0, this.width, rows, format, type, values);
        if (rest > 0) gl.texSubImage2D(gl.TEXTURE_2D, 0, 0, rows, rest, 1, format, type, values.subarray(rows * this.width));
    }

    bind(unit: number): void {
        this.gl.activeTexture(this.gl.TEXTURE0 + unit);
        this.gl.bindTexture(this.gl.TEXTURE_2D, this.texture);
    }

    free(): void {
        this.gl.deleteTexture(this.texture);
        this.texture = null;
    }

    private makeRoom(rows: number): void {
        const gl = this.gl;
        if (this.texture !== null && rows <= this.rows) return;
        this.free();
        this.rows = Math.max(1, Math.ceil(rows * 1.25));
        this.texture = gl.createTexture();
        gl.bindTexture(gl.TEXTURE_2D, this.texture);
        gl.texStorage2D(gl.TEXTURE_2D, 1, this.whole ? gl.R32UI : gl.R32F, this.width, this.rows);
        gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MIN_FILTER, gl.NEAREST);
        gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MAG_FILTER, gl.NEAREST);
    }
}

/** A picture as large as the canvas, to which light can be added where nothing solid is nearer. */
export class Sum {
    readonly texture: WebGLTexture;
    readonly frame: WebGLFramebuffer;
    private readonly depth: WebGLRenderbuffer;

    constructor(private readonly gl: WebGL2RenderingContext, readonly width: number, readonly height: number, precise: boolean) {
        this.texture = gl.createTexture()!;
        this.frame = gl.createFramebuffer()!;
        gl.activeTexture(gl.TEXTURE0 + fillingUnit);
        gl.bindTexture(gl.TEXTURE_2D, this.texture);
        gl.texStorage2D(gl.TEXTURE_2D, 1, precise ? gl.RGBA16F : gl.RGBA8, width, height);
        gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MIN_FILTER, gl.NEAREST);
        gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MAG_FILTER, gl.NEAREST);
        gl.bindFramebuffer(gl.FRAMEBUFFER, this.frame);
        gl.framebufferTexture2D(gl.FRAMEBUFFER, gl.COLOR_ATTACHMENT0, gl.TEXTURE_2D, this.texture, 0);
        this.depth = gl.createRenderbuffer()!;
        gl.bindRenderbuffer(gl.RENDERBUFFER, this.depth);
        gl.renderbufferStorage(gl.RENDERBUFFER, gl.DEPTH_COMPONENT16, width, height);
        gl.framebufferRenderbuffer(gl.FRAMEBUFFER, gl.DEPTH_ATTACHMENT, gl.RENDERBUFFER, this.depth);
        gl.clearColor(0, 0, 0, 0);
        gl.clear(gl.COLOR_BUFFER_BIT);
        gl.bindFramebuffer(gl.FRAMEBUFFER, null);
    }

    free(): void {
        this.gl.deleteFramebuffer(this.frame);
        this.gl.deleteTexture(this.texture);
        this.gl.deleteRenderbuffer(this.depth);
    }
}

/** Vertices with attributes of `sizes` numbers each, replaced as a whole. */
export class Mesh {
    private readonly array: WebGLVertexArrayObject;
    private readonly buffer: WebGLBuffer;
    private count = 0;

    constructor(private readonly gl: WebGL2RenderingContext, private readonly sizes: number[]) {
        this.array = gl.createVertexArray()!;
        this.buffer = gl.createBuffer()!;
        gl.bindVertexArray(this.array);
        gl.bindBuffer(gl.ARRAY_BUFFER, this.buffer);
        const stride = this.stride();
        sizes.reduce((offset, size, i) => {
            gl.enableVertexAttribArray(i);
            gl.vertexAttribPointer(i, size, gl.FLOAT, false, 4 * stride, 4 * offset);
            return offset + size;
        }, 0);
        gl.bindVertexArray(null);
    }

    put(numbers: number[]): void {
        this.count = numbers.length / this.stride();
        this.gl.bindBuffer(this.gl.ARRAY_BUFFER, this.buffer);
        this.gl.bufferData(this.gl.ARRAY_BUFFER, new Float32Array(numbers), this.gl.DYNAMIC_DRAW);
    }

    draw(): void {
        if (this.count === 0) return;
        this.gl.bindVertexArray(this.array);
        this.gl.drawArrays(this.gl.TRIANGLES, 0, this.count);
        this.gl.bindVertexArray(null);
    }

    private stride(): number {
        return this.sizes.reduce((sum, size) => sum + size, 0);
    }
}
