/** The sections of docs/api.md about the transport: the framing of messages, and caching. */
export const TRANSPORT = `## Framing

HTTP/1.1 with one \`Host\`. A body comes with one \`Content-Length\`. Only the provider's callbacks and uploads may come in chunks (\`Transfer-Encoding:
chunked\` and nothing else, no extensions), within the same limits; an upload in chunks takes as much room as the largest one. Elsewhere any
\`Transfer-Encoding\`, with whatever body, is refused with 411 \`LENGTH_REQUIRED\`. In both cases the connection is closed with the answer, before
anything that follows is served. So a client that streams a body of a call names its length:
\`fetch\` does for strings, bytes and \`FormData\`, not for a \`ReadableStream\`; on iOS use \`uploadTask(with:from:)\` or \`fromFile:\`, not
\`httpBodyStream\`; with OkHttp let \`RequestBody.contentLength()\` answer the length. A second request on a connection before the first is
answered closes it. What cannot be read as a request at all is refused with 400 and the connection closed.

A proxy in front may speak other versions of HTTP to clients. [The one of compose.yaml](../ops/deploy/Caddyfile) passes bodies in chunks on,
[HAProxy's configuration](../ops/deploy/haproxy.cfg) refuses them itself, with the same answer, where the API host would. Health checks by HTTP/1.0 go to the proxy or to the
operators' port (\`OPS_PORT\`: \`/healthz\`, \`/readyz\`); the API host's own port answers 505 to it.

Run a proxy in front in any case. If a request line arrives in two packets, the API host's HTTP parser may answer 505 and close the
connection, depending on where the line is cut; nothing has been executed then. HAProxy and Caddy read the whole head before they pass it on, so clients behind
them never see this. A client that talks to the API host's own port sends the call again on a new connection.

## Who may keep an answer

Every answer says it in \`Cache-Control\`. All of \`/api/trpc\` and \`/api/auth\` and every error response are \`no-store\`. Public photos and avatars
are \`public, max-age=86400, immutable\` with an \`ETag\`, staged pictures \`public, max-age=60, must-revalidate\`; a private picture is \`private, no-store\`. \`Vary\` names the request headers that the
answer depends on: \`Cookie\` where it depends on who asks, \`Accept-Language\` for procedures, \`Accept\` where the picture's format was
negotiated, \`Origin\` where \`WEB_ORIGINS\` is set. An answer that sets a cookie is \`no-store\`, whatever else it is: a session is never
renewed by an answer that another caller could be given.`;
