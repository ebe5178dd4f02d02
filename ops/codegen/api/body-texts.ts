import { BODY_SHARES, type ShareName } from '../../../src/http/body-budget.ts';

const mebibytes = (bytes: number): string => (Number.isFinite(bytes) ? `${bytes / (1024 * 1024)} MiB` : '');

const row = (kind: ShareName, what: string): string => {
  const { total, large, network, person } = BODY_SHARES[kind];
  const cells = [total, large, network, person].map(mebibytes);
  return `| ${[what, ...cells].join(' | ')} |`;
};

/** The section of docs/api.md about request bodies: their size, their timeouts, and their memory together. */
export const BODIES = `## Bodies

How large each may be, and how long it may take, stands among the [limits](#limits). A larger one is refused with 413 as soon as its length is known. Every 10 s a client sends at least 64 KiB, or what is left:
otherwise 408 \`REQUEST_TIMEOUT\`, and the connection is closed. Time in which the server does not read does not count.

Who asks is decided before the body is read, and of a photo also whose listing it is: so its form has \`propertyId\` in front of
\`file\`. Of a callback, missing or stale headers are 401 before the body is looked at; then 413 for its size; then 401 for its signature.

One process keeps at most so much of unfinished and unanswered bodies in memory. A body takes room for its whole length, and 16 KiB
more, before it is read, and gives it back with the answer:

| bodies of | together | those above 64 KiB | one client network | one person |
| --- | --- | --- | --- | --- |
${row('calls', 'calls')}
${row('callbacks', 'callbacks')}
${row('entering', 'photos and avatars that wait')}
${row('uploads', 'photos and avatars')}

A client network is an IPv4 address, or an IPv6 /64. When there is no room, those who send slowly (less than 64 KiB in half a second; for a
photo in 5 s) make room, the slowest first, but never for another body of the same person. A photo waits for room up to 15 s,
unread but for what was in the socket with its head; of one person at most 20 wait. What finds no room, or made it, is refused with 503 \`SERVICE_UNAVAILABLE\` and \`Retry-After\`: send it again then. So a call
or a callback of a few kilobytes comes through while others hold all that large bodies may have, and the provider sends a refused callback again.

An answer may come before the end of the body. What is still to come is read and dropped, if it comes at 16 KiB a second or more;
the connection then serves the next request.`;
