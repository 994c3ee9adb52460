// SPDX-License-Identifier: MIT
const isolated = [
    { key: "Cross-Origin-Opener-Policy", value: "same-origin" },
    { key: "Cross-Origin-Embedder-Policy", value: "require-corp" },
];

export default { headers: async () => [{ source: "/:path*", headers: isolated }] };
