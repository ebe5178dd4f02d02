import fc from 'fast-check';
import { damaged } from './damaged-bytes.ts';
import { brokenJson, hostileText } from './hostile-values.ts';

const status = fc.oneof(
  { arbitrary: fc.constantFrom(200, 201), weight: 6 },
  {
    arbitrary: fc.constantFrom(
      404,
      404,
      202,
      204,
      301,
      304,
      400,
      401,
      402,
      404,
      422,
      429,
      500,
      503,
      599,
      999,
    ),
    weight: 3,
  },
);
const wait = fc.constantFrom(
  '5',
  '0',
  '-1',
  '1e300',
  '1e308',
  '99999999999',
  'NaN',
  'Wed, 21 Oct 2026 07:28:00 GMT',
  '',
  '0x10',
  ' 7 ',
);
const TOO_LONG = 5 * 1024 * 1024;

/**
 * Answers of an HTTP server: valid ones with `bodies`, and ones that are no JSON, too long, cut off or no
 * HTTP.
 */
export function httpAnswers(bodies: fc.Arbitrary<string>): fc.Arbitrary<Buffer> {
  const sound = fc
    .record({ code: status, text: bodies, retryAfter: fc.option(wait, { freq: 3 }), chunked: fc.boolean() })
    .map(({ code, text, retryAfter, chunked }) => answer(code, text, { retryAfter, chunked }));
  const odd = fc
    .tuple(status, fc.oneof(brokenJson, fc.constant('x'.repeat(TOO_LONG))), fc.boolean())
    .map(([code, text, chunked]) => answer(code, text, { retryAfter: null, chunked }));
  return fc.oneof(
    { arbitrary: sound, weight: 8 },
    { arbitrary: odd, weight: 1 },
    { arbitrary: damaged(sound, { changes: 3 }), weight: 2 },
    { arbitrary: hostileText.map((text) => Buffer.from(text)), weight: 1 },
  );
}

function answer(
  code: number,
  text: string,
  { retryAfter, chunked }: { retryAfter: string | null; chunked: boolean },
): Buffer {
  const bytes = Buffer.from(text);
  const framing = chunked ? 'transfer-encoding: chunked' : `content-length: ${bytes.length}`;
  const lines = [`HTTP/1.1 ${code} Any`, 'content-type: application/json', 'connection: close', framing];
  if (retryAfter !== null) lines.push(`retry-after: ${retryAfter}`);
  const head = Buffer.from(`${lines.join('\r\n')}\r\n\r\n`);
  if (!chunked) return Buffer.concat([head, bytes]);
  return Buffer.concat([
    head,
    Buffer.from(`${bytes.length.toString(16)}\r\n`),
    bytes,
    Buffer.from('\r\n0\r\n\r\n'),
  ]);
}
