import fc from 'fast-check';

/** A request that announces a chunked body, that body, written by hand, and one more request behind it. */
export interface ChunkedRequest {
  /** What goes out at once, in order. */
  readonly packets: readonly Buffer[];
}

const often = <T>(usual: T, ...others: T[]) =>
  fc.oneof(
    { arbitrary: fc.constant(usual), weight: 6 },
    { arbitrary: fc.constantFrom(...others), weight: 4 },
  );

const lineEnd = often('\r\n', '\n', '\r', '', 'XX', '\n\r', '\r\n\r\n', '\0\n');
const content = fc.constantFrom('a', 'abc', '{"json":null}', '\r\n', '0\r\n\r\n', 'a'.repeat(300));
const sizeOf = (text: string) =>
  often(
    text.length.toString(16),
    `0${text.length.toString(16)}`,
    `${text.length.toString(16)};a=b`,
    `${text.length.toString(16)} `,
    '',
    '-1',
    '0x3',
    '+3',
    'zz',
    'ffffffffffffffff',
    '10000000000000000',
    '1',
    '7fffffff',
  );
const chunk = content.chain((text) =>
  fc
    .tuple(sizeOf(text), lineEnd, lineEnd)
    .map(([size, afterSize, afterChunk]) => size + afterSize + text + afterChunk),
);
const trailer = often(
  '',
  'X:',
  'X-Trailer: 1\r\n',
  ' folded\r\n',
  'Content-Length: 9\r\n',
  '\r\n',
  'no colon',
);
const last = fc
  .tuple(often('0', '00', '0;a=b', '', '-0'), lineEnd, trailer, often('\r\n', '\n', '', 'XX'))
  .map((parts) => parts.join(''));

const encoding = often(
  'Transfer-Encoding: chunked',
  'transfer-encoding:chunked',
  'Transfer-Encoding:\tchunked',
  'Transfer-Encoding: Chunked ',
  'Transfer-Encoding: gzip, chunked',
  'Transfer-Encoding: identity',
  'Transfer-Encoding:',
  'Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked',
);
const START = [
  'POST /api/trpc/users.getMe',
  'POST /api/auth/sign-out',
  'GET /healthz',
  'DELETE /api/users/avatar',
];

/** `next` is what must never be served: a whole request. */
export const chunkedRequests = (next: string): fc.Arbitrary<ChunkedRequest> =>
  fc
    .record({
      start: fc.constantFrom(...START),
      encoding,
      chunks: fc.array(chunk, { maxLength: 3 }),
      last,
      cuts: fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 3 }),
    })
    .map(({ start, encoding: header, chunks, last: end, cuts }) => {
      const head = `${start} HTTP/1.1\r\nHost: localhost\r\n${header}\r\n\r\n`;
      const bytes = Buffer.from(head + chunks.join('') + end + next, 'latin1');
      const places = [0, ...cuts.map((cut) => Math.round(cut * bytes.length)), bytes.length].sort(
        (a, b) => a - b,
      );
      return { packets: places.slice(1).map((place, index) => bytes.subarray(places[index], place)) };
    });
