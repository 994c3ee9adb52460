// SPDX-License-Identifier: MIT
"use client";
import { useEffect, useState } from "react";
import { hash } from "../hash.js";

export default function Page() {
    const [answer, tell] = useState("");
    useEffect(() => {
        hash(1).then((first) => {
            const worker = new Worker(new URL("../worker.js", import.meta.url), { type: "module" });
            worker.onmessage = ({ data }) => {
                globalThis.results = [...(globalThis.results ?? [first]), data];
                tell(globalThis.results.join(" "));
                worker.postMessage(3);
            };
            worker.postMessage(1);
        });
    }, []);
    return <p>{answer}</p>;
}
