/** What API.md says of the wire: how messages are framed, and who may keep an answer. */
export const TRANSPORT = `## Framing

HTTP/1.1 with one \`Host\`. A body comes with one \`Content-Length\`; any \`Transfer-Encoding\`, with whatever body, is refused with 411
\`LENGTH_REQUIRED\` and the connection is closed before anything that follows is served. So a client that streams a body names its length:
\`fetch\` does for strings, bytes and \`FormData\`, not for a \`ReadableStream\`; on iOS use \`uploadTask(with:from:)\` or \`fromFile:\`, not
\`httpBodyStream\`; with OkHttp let \`RequestBody.contentLength()\` answer the length. A second request on a connection before the first is
answered closes it. What cannot be read as a request at all is refused with 400 and the connection closed.

A proxy in front may speak other versions of HTTP to clients. [The one of compose.yaml](ops/proxy/Caddyfile) passes bodies in chunks on,
[HAProxy's configuration](ops/proxy/haproxy.cfg) refuses them itself, with the same answer. Health checks by HTTP/1.0 go to the proxy or to the
operators' port (\`OPS_PORT\`: \`/healthz\`, \`/readyz\`); the API host's own port answers 505 to it.`;
