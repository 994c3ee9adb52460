// SPDX-License-Identifier: MIT
// dunlin/worker: an engine in a worker. The worker calls serve(load), the page connect(worker), and then uses it as if it were its own.
import type { Dunlin, Flock, Layout, LoadOptions } from "./engine";

/** What both ends of a worker have, in browsers and in node. */
export interface Port {
    postMessage(message: unknown, transfer?: any[]): void;
    addEventListener?: (type: "message", listener: (event: any) => void) => void;
    on?: (type: any, listener: (message: any) => void) => unknown;
}

/** What a worker answers instead of a value. */
export type Answer<Value> = Value extends Flock ? RemoteFlock : Value;
/** Methods that answer later. Functions do not reach a worker. */
export type Remote<Self> = { [Name in keyof Self as Self[Name] extends (...words: never[]) => unknown ? Exclude<Name, "addBehaviour" | "animate" | "on" | symbol> : never]:
    Self[Name] extends (...words: infer Words) => infer Value ? (...words: Words) => Promise<Answer<Value>> : never };

/** A flock in a worker: the methods of Flock, which answer later, with copies of arrays. An array that is handed over comes back in the answer. */
export type RemoteFlock = Omit<Remote<Flock>, "readInto"> & {
    /** Writes into the array, which goes to the worker and comes back: it is empty until then. */
    readInto(species: number, target: Float32Array, layout?: Layout, size?: number): Promise<Float32Array>;
};
export type RemoteDunlin = Remote<Dunlin>;

interface Order {
    dunlin: number;
    self: number; // -1: the engine
    method: string;
    words: unknown[];
}

interface Reply {
    dunlin: number;
    value?: unknown;
    flock?: number;
    error?: { name: string; message: string; line?: number };
}

function listen(port: Port, hear: (message: any) => void): void {
    if (port.addEventListener) port.addEventListener("message", ({ data }) => hear(data));
    else port.on!("message", hear);
}

/** A copy in which arrays are no longer the engine's memory. The array that the caller handed over stays itself. */
function copied(value: unknown, own: unknown, buffers: ArrayBufferLike[]): unknown {
    if (ArrayBuffer.isView(value)) {
        const array = value === own ? value : (value as Float32Array).slice();
        buffers.push(array.buffer);
        return array;
    }
    if (Array.isArray(value)) return value.map((one) => copied(one, own, buffers));
    if (typeof value !== "object" || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, copied(one, own, buffers)]));
}

/** In the worker: answers what connect() asks for. */
export function serve(load: (options?: LoadOptions) => Promise<Dunlin>, port: Port = globalThis as unknown as Port): void {
    const flocks = new Map<number, Flock>();
    let dunlin: Dunlin | null = null;
    let last = 0;

    async function act({ self, method, words }: Order): Promise<Omit<Reply, "dunlin">> {
        if (method === "load") return (dunlin = await load(...(words as [LoadOptions?]))), { value: dunlin.threads };
        const owner = (self < 0 ? dunlin : flocks.get(self)) as unknown as Record<string, (...words: unknown[]) => unknown>;
        if (typeof owner?.[method] !== "function") throw new TypeError(`method is ${JSON.stringify(method)}: it must be a method of what was opened`);
        const value = owner[method](...words);
        if (method === "destroy") flocks.delete(self);
        if (self < 0 && method === "open") return flocks.set(++last, value as Flock), { flock: last };
        return { value: method === "readInto" ? words[1] : value };
    }

    let queue = Promise.resolve(); // one after another, as they were asked
    listen(port, (order: Order) => {
        if (typeof order?.dunlin !== "number") return;
        queue = queue.then(async () => {
            const buffers: ArrayBufferLike[] = [];
            try {
                const { value, flock } = await act(order);
                const answer = copied(value, order.words[1], buffers);
                port.postMessage({ dunlin: order.dunlin, value: answer, flock }, [...new Set(buffers)]);
            } catch (error) {
                const { name, message, line } = error as Error & { line?: number };
                port.postMessage({ dunlin: order.dunlin, error: { name, message, line } });
            }
        });
    });
}

/** On the page: loads the engine in a worker that serves, with the options of load(). The worker is the caller's to terminate. */
export async function connect(worker: Port, options: LoadOptions = {}): Promise<RemoteDunlin & { threads: number }> {
    const waiting = new Map<number, { resolve: (reply: Reply) => void; reject: (error: unknown) => void }>();
    let last = 0;

    listen(worker, (reply: Reply) => {
        const call = waiting.get(reply?.dunlin);
        if (call === undefined) return;
        waiting.delete(reply.dunlin);
        if (reply.error) call.reject(Object.assign(new Error(reply.error.message), reply.error));
        else call.resolve(reply);
    });

    function ask(self: number, method: string, words: unknown[]): Promise<Reply> {
        const transfer = method === "readInto" ? [(words[1] as Float32Array | undefined)?.buffer].filter((one) => one instanceof ArrayBuffer) : [];
        return new Promise((resolve, reject) => {
            waiting.set(++last, { resolve, reject });
            worker.postMessage({ dunlin: last, self, method, words }, transfer);
        });
    }

    /** `then` is no method, so that a promise of the proxy resolves to the proxy. */
    const proxy = (self: number, more: object) => new Proxy(more, {
        get: (own, name) => name in own ? Reflect.get(own, name) : typeof name !== "string" || name === "then" ? undefined
            : async (...words: unknown[]) => {
                const { value, flock } = await ask(self, name, words);
                return flock === undefined ? value : proxy(flock, {});
            },
    });
    const { value } = await ask(-1, "load", [options]);
    return proxy(-1, { threads: value }) as RemoteDunlin & { threads: number };
}
