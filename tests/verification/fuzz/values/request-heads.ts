import fc from 'fast-check';

/** Bytes of one HTTP request, written without a library. */
export interface RawRequest {
  readonly bytes: Buffer;
  /** The bytes end before the request is complete, so there is no answer. */
  readonly cut: boolean;
}

const latin1 = fc
  .array(fc.oneof(fc.integer({ min: 0x20, max: 0x7e }), fc.integer({ min: 0, max: 0xff })), { maxLength: 24 })
  .map((codes) => String.fromCharCode(...codes));
const method = fc.oneof(
  { arbitrary: fc.constant('GET'), weight: 6 },
  { arbitrary: fc.constantFrom('GET', 'POST', 'HEAD', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'), weight: 6 },
  {
    arbitrary: fc.constantFrom('get', 'TRACE', 'CONNECT', 'PRI', 'PROPFIND', 'G\0T', '', 'A'.repeat(300)),
    weight: 2,
  },
  { arbitrary: fc.stringMatching(/^[A-Z]{1,12}$/), weight: 1 },
);
const PATHS = [
  '/healthz',
  '/api/trpc/search.list',
  '/api/auth/get-session',
  '/api/images/x',
  '/api/property-images',
];
const target = fc.oneof(
  { arbitrary: fc.constantFrom(...PATHS), weight: 6 },
  {
    arbitrary: fc.constantFrom(
      '/',
      '*',
      '//',
      '/%',
      '/%00',
      '/%zz',
      '/../..',
      '/a#b',
      '/a b',
      'http://evil/healthz',
      '/?',
      '/healthz?%',
      '/\x7f',
      '/api/trpc/%2e%2e',
      '/api/trpc/../x',
      '/api/auth/../authconstructor',
      '/api/auth/../auth__proto__',
      '/API/TRPC/x',
      '/api/images/%ff',
      '/api//images/x',
      '/api/trpc/%F0%9F%98%80',
      '/\xff',
      `/${'a'.repeat(9_000)}`,
      `/healthz?${'a=1&'.repeat(2_000)}`,
    ),
    weight: 2,
  },
  { arbitrary: latin1.map((text) => `/${text}`), weight: 1 },
);
const version = fc.oneof(
  { arbitrary: fc.constant('HTTP/1.1'), weight: 12 },
  { arbitrary: fc.constantFrom('HTTP/1.0', 'HTTP/2.0', 'http/1.1', ''), weight: 1 },
);
const line = fc.oneof(
  fc.constantFrom(
    'Host: b',
    'Host:',
    'Host: a/b',
    'Host: [::1',
    'Content-Length: 0',
    'Content-Length: 5',
    'Content-Length: -1',
    'Content-Length: 1e3',
    'Content-Length: 99999999999999999999',
    'Content-Length: 0, 0',
    'Content-Length:',
    'Transfer-Encoding: chunked',
    'Transfer-Encoding: gzip, chunked',
    'Transfer-Encoding: x',
    'Connection: close',
    'Upgrade: websocket',
    'Connection: Upgrade',
    'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==',
    'Sec-WebSocket-Version: 13',
    'Cookie: __Host-better-auth.session_token=%',
    'Cookie: =;;=',
    'Expect: 100-continue',
    ': empty',
    'no-colon',
    'X-Forwarded-For: %',
    'X-Forwarded-For: fe80::1%lo, 1.2.3.4',
    'Content-Type: application/json',
    ' folded',
    'Origin: \xff',
    'Accept-Language: \xe9\x00',
    'X-A: \x01\x02',
    'Content-Type: multipart/form-data; boundary="',
    `X-Long: ${'v'.repeat(12_000)}`,
  ),
  fc
    .tuple(fc.constantFrom('Cookie', 'Accept', 'Referer', 'If-None-Match', 'X-Any', 'User-Agent'), latin1)
    .map(([name, value]) => `${name}: ${value}`),
  latin1,
);
const sound = fc.constantFrom(
  'Accept: */*',
  'User-Agent: x',
  'Content-Length: 0',
  'Cookie: a=b',
  'Connection: close',
);
const body = fc.oneof(
  { arbitrary: fc.constant(''), weight: 4 },
  fc.constantFrom(
    'hello',
    '5\r\nhello\r\n0\r\n\r\n',
    'zz\r\n',
    '0\r\n\r\n',
    'fffffffff\r\n',
    '{"json":null}',
  ),
  latin1,
);

/** Requests that are valid in most places and wrong in a few. */
export const rawRequests: fc.Arbitrary<RawRequest> = fc
  .record({
    start: fc.tuple(method, target, version).map(([one, two, three]) => `${one} ${two} ${three}`),
    host: fc.oneof({ arbitrary: fc.constant(['Host: localhost']), weight: 6 }, fc.constant([])),
    lines: fc.oneof(
      { arbitrary: fc.array(sound, { maxLength: 2 }), weight: 2 },
      { arbitrary: fc.array(line, { maxLength: 3 }), weight: 3 },
    ),
    end: fc.oneof({ arbitrary: fc.constant('\r\n\r\n'), weight: 12 }, fc.constantFrom('\n\n', '\r\n', '')),
    body,
  })
  .map(({ start, host, lines, end, body: rest }) => ({
    bytes: Buffer.from([start, ...host, ...lines].join('\r\n') + end + rest, 'latin1'),
    cut: end !== '\r\n\r\n' || host.length === 0 || lines.some(isNoHeader) || isShort(lines.join('\n'), rest),
  }));

/** The parser waits for more bytes after such a line, and after a head without a Host. */
const isNoHeader = (text: string): boolean => !/^[!-9;-~]+:/.test(text);

/** A body shorter than the headers announce. */
function isShort(headers: string, body: string): boolean {
  if (/^transfer-encoding:.*chunked/im.test(headers)) return !body.includes('0\r\n\r\n');
  return /^content-length: *[5-9]/im.test(headers) && body.length < 5;
}
