import { describe, expect, test } from 'vitest';
import { PublicError } from '../../../src/errors/errors.ts';
import type { ExchangeReport } from '../../../src/http/exchange.ts';
import { eventually } from '../../support/eventually.ts';
import { connectRaw, jsonBody, rawExchange, statusLine } from '../../support/http/raw-client.ts';
import { get, post, startServer, text } from '../../support/http/test-server.ts';

const routes = [
  get('/a/:name', ({ params }) => text(`hello ${params.name}`)),
  post('/a', async (request) => text(`got ${(await request.body()).toString()}`)),
];
const start = async () => (await startServer(routes)).port;

const HOST = 'Host: x\r\n';
const badRequest = {
  error: { code: 'BAD_REQUEST', message: expect.any(String), messageKey: expect.any(String) },
};

describe('requests that the parser accepts but we reject get 400 JSON, and the connection is closed', () => {
  const cases: Record<string, string> = {
    'two different Content-Length headers': `POST /a HTTP/1.1\r\n${HOST}Content-Length: 3\r\nContent-Length: 5\r\n\r\nabcde`,
    'two equal Content-Length headers': `POST /a HTTP/1.1\r\n${HOST}Content-Length: 3\r\nContent-Length: 3\r\n\r\nabc`,
    'an empty Content-Length': `POST /a HTTP/1.1\r\n${HOST}Content-Length: \r\n\r\nabc`,
    'two Host headers': `GET /a/b HTTP/1.1\r\nHost: x\r\nHost: y\r\n\r\n`,
    'an empty Host': 'GET /a/b HTTP/1.1\r\nHost: \r\n\r\n',
    'a Host that is no host':
      'GET /a/b HTTP/1.1\r\nHost: hotmail-com.olc.protection.outlook.com%3A25\r\n\r\n',
    'a Host with credentials': 'GET /a/b HTTP/1.1\r\nHost: user@x\r\n\r\n',
    'DEL in the path': `GET /a/b\x7fc HTTP/1.1\r\n${HOST}\r\n`,
    'bytes above ASCII in the path': `GET /a/\xe9 HTTP/1.1\r\n${HOST}\r\n`,
    'bytes above ASCII in the query': `GET /a/b?c=\xe9 HTTP/1.1\r\n${HOST}\r\n`,
    'a fragment': `GET /a/b#c HTTP/1.1\r\n${HOST}\r\n`,
    'an encoded NUL': `GET /a/b%00 HTTP/1.1\r\n${HOST}\r\n`,
    'an encoded line break': `GET /a/b%0d%0a HTTP/1.1\r\n${HOST}\r\n`,
    'malformed percent-encoding': `GET /a/%zz HTTP/1.1\r\n${HOST}\r\n`,
    'percent-encoding that is not UTF-8': `GET /a/%ff HTTP/1.1\r\n${HOST}\r\n`,
    'a query that is not UTF-8': `GET /a/b?c=%e9 HTTP/1.1\r\n${HOST}\r\n`,
    'a query that is not UTF-8 beside a bare percent sign': `GET /a/b?c=100%&d=%c3%a9%ff HTTP/1.1\r\n${HOST}\r\n`,
    'a query that ends within a character': `GET /a/b?c=%c3 HTTP/1.1\r\n${HOST}\r\n`,
    'malformed percent-encoding on an unknown route': `GET /nowhere/%zz HTTP/1.1\r\n${HOST}\r\n`,
  };
  test.each(Object.entries(cases))('%s', async (_name, bytes) => {
    const transcript = await rawExchange(await start(), bytes);
    expect(statusLine(transcript)).toBe('HTTP/1.1 400 Bad Request');
    expect(transcript).toMatch(/^content-type: application\/json/im);
    expect(transcript).toMatch(/^connection: close/im);
    expect(jsonBody(transcript)).toEqual(badRequest);
  });

  test.each([
    ['two lengths', 'Content-Length: 0\r\nContent-Length: 46\r\n'],
    ['an empty length', 'Content-Length: \r\n'],
  ])('the bytes after %s are not served as a request', async (_name, lengths) => {
    const reports: ExchangeReport[] = [];
    const { port } = await startServer(routes, { onRequest: (report) => reports.push(report) });
    const smuggled = `GET /a/smuggled HTTP/1.1\r\n${HOST}\r\n`;
    const transcript = await rawExchange(port, `POST /a HTTP/1.1\r\n${HOST}${lengths}\r\n${smuggled}`);
    expect(transcript).not.toContain('smuggled');
    expect(reports.filter(({ method }) => method === 'GET')).toEqual([]);
  });
});

describe('a head that is too large is rejected with 431 JSON, before the parser does', () => {
  const line = (bytes: number) => `GET /a/b?${'q'.repeat(bytes)} HTTP/1.1\r\n${HOST}\r\n`;
  const lines = (headers: number) => `GET /a/b HTTP/1.1\r\n${HOST}${'X: y\r\n'.repeat(headers - 1)}\r\n`;

  test.each([
    ['a long line', line(17_000)],
    ['the longest line that the parser takes', line(65_000)],
    ['a long header', `GET /a/b HTTP/1.1\r\n${HOST}X: ${'y'.repeat(17_000)}\r\n\r\n`],
    [
      'a header again and again, of which one counts',
      `GET /a/b HTTP/1.1\r\n${HOST}${`From: ${'y'.repeat(900)}\r\n`.repeat(20)}\r\n`,
    ],
    ['many headers', lines(91)],
    ['as many headers as the parser takes', lines(98)],
  ])('%s', async (_what, bytes) => {
    const transcript = await rawExchange(await start(), bytes);
    expect(statusLine(transcript)).toMatch(/^HTTP\/1.1 431 /);
    expect(transcript).toMatch(/^content-type: application\/json/im);
    expect(transcript).toMatch(/^connection: close/im);
    expect(jsonBody(transcript)).toEqual({
      error: { code: 'REQUEST_HEAD_TOO_LARGE', message: expect.any(String), messageKey: expect.any(String) },
    });
  });

  test.each([
    ['a line just below', line(16_300)],
    ['as many headers as are taken', lines(90)],
  ])('%s is served', async (_what, bytes) => {
    const connection = await connectRaw(await start());
    connection.send(bytes);
    expect(await connection.until(/hello b/)).toContain('HTTP/1.1 200 OK');
  });
});

describe('requests that the parser rejects itself close the connection without reaching a route', () => {
  const cases: Record<string, [bytes: string, status: number]> = {
    'no Host': ['GET /a/b HTTP/1.1\r\nX: y\r\n\r\n', 400],
    'Content-Length before Transfer-Encoding': [
      `POST /a HTTP/1.1\r\n${HOST}Content-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n`,
      400,
    ],
    'Transfer-Encoding before Content-Length': [
      `POST /a HTTP/1.1\r\n${HOST}Transfer-Encoding: chunked\r\nContent-Length: 3\r\n\r\n3\r\nabc\r\n0\r\n\r\n`,
      400,
    ],
    'a control character in the path': [`GET /a/b\x01 HTTP/1.1\r\n${HOST}\r\n`, 505],
    'a space in the path': [`GET /a/b c HTTP/1.1\r\n${HOST}\r\n`, 505],
    'HTTP/1.0': [`GET /a/b HTTP/1.0\r\n${HOST}\r\n`, 505],
    'a head over 64 KiB': [`GET /a/b HTTP/1.1\r\n${HOST}X: ${'y'.repeat(66_000)}\r\n\r\n`, 431],
    'over 98 headers': [`GET /a/b HTTP/1.1\r\n${HOST}${'X: y\r\n'.repeat(99)}\r\n`, 431],
  };
  test.each(Object.entries(cases))('%s', async (_name, [bytes, status]) => {
    const transcript = await rawExchange(await start(), bytes);
    expect(statusLine(transcript)).toContain(`HTTP/1.1 ${status} `);
    expect(transcript).not.toContain('got ');
    expect(transcript).not.toContain('hello ');
  });

  const broken: Record<string, string> = {
    'letters in Content-Length': `POST /a HTTP/1.1\r\n${HOST}Content-Length: abc\r\n\r\nabc`,
    'a signed Content-Length': `POST /a HTTP/1.1\r\n${HOST}Content-Length: +3\r\n\r\nabc`,
    'a list in Content-Length': `POST /a HTTP/1.1\r\n${HOST}Content-Length: 3, 3\r\n\r\nabc`,
    'a Content-Length beyond any number': `POST /a HTTP/1.1\r\n${HOST}Content-Length: ${'9'.repeat(30)}\r\n\r\nabc`,
  };
  test.each(Object.entries(broken))('%s', async (_name, bytes) => {
    const transcript = await rawExchange(await start(), bytes);
    expect(statusLine(transcript)).toMatch(/^HTTP\/1.1 (400|413) /);
    expect(transcript).not.toContain('got ');
  });
});

describe('a body in chunks', () => {
  const chunked = `POST /a HTTP/1.1\r\n${HOST}Transfer-Encoding: chunked\r\n\r\n`;
  const next = `GET /a/smuggled HTTP/1.1\r\n${HOST}\r\n`;
  const encoded = (value: string) =>
    `POST /a HTTP/1.1\r\n${HOST}Transfer-Encoding:${value}\r\n\r\n3\r\nabc\r\n0\r\n\r\n`;
  const bodies: Record<string, string> = {
    'as it should be': `${chunked}3\r\nabc\r\n0\r\n\r\n`,
    'none of it yet': chunked,
    'bare line feeds': `${chunked}3\nabc\n0\n\n`,
    'wrong bytes after a chunk': `${chunked}3\r\nabcXX0\r\n\r\n`,
    'an extension': `${chunked}3;a=b\r\nabc\r\n0\r\n\r\n`,
    'on a GET': `GET /a/b HTTP/1.1\r\n${HOST}Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
    'another encoding': encoded(' identity'),
    'a list of encodings': encoded(' gzip, chunked'),
    'a tab before the encoding': encoded('\tchunked'),
    'no encoding': encoded(''),
    'two encodings': `POST /a HTTP/1.1\r\n${HOST}Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
  };
  test.each(Object.entries(bodies))('%s: 411, and the connection is closed', async (_name, bytes) => {
    const transcript = await rawExchange(await start(), bytes);
    expect(statusLine(transcript)).toBe('HTTP/1.1 411 Length Required');
    expect(transcript).toMatch(/^connection: close/im);
    expect(jsonBody(transcript)).toEqual({
      error: {
        code: 'LENGTH_REQUIRED',
        message: expect.stringContaining('Content-Length'),
        messageKey: expect.any(String),
      },
    });
  });

  const followed: Record<string, string> = {
    'the end of a chunked body': `${chunked}3\r\nabc\r\n0\r\n\r\n${next}`,
    'a trailer whose name the parser skips': `${chunked}0\r\nX:${next}`,
    'the same after a chunk': `${chunked}3\r\nabc\r\n0\r\nX:${next}`,
    'wrong bytes at the end': `${chunked}3\r\nabcXX0\r\nXX${next}`,
    'a plain trailer': `${chunked}0\r\nX-Trailer: 1\r\n\r\n${next}`,
  };
  test.each(Object.entries(followed))('nothing is served after %s', async (_name, bytes) => {
    for (const packets of [[bytes], [bytes.slice(0, chunked.length), bytes.slice(chunked.length)]]) {
      const reports: ExchangeReport[] = [];
      const { port } = await startServer(routes, { onRequest: (report) => reports.push(report) });
      const connection = await connectRaw(port);
      for (const packet of packets) {
        connection.send(packet);
        await new Promise((resolve) => setImmediate(resolve));
      }
      expect(await connection.untilClosed()).not.toMatch(/hello|got/);
      await eventually(() => reports.length > 0, { what: 'the exchange to end' });
      // The bytes that follow in the same packet close the connection before the 411 is sent.
      expect(reports.map(({ method, status }) => [method, status])).toEqual([
        ['POST', expect.toSatisfy((status) => status === 411 || status === 499)],
      ]);
    }
  });
});

describe('a body in chunks for a route of callbacks or uploads', () => {
  const taking = [
    get('/a/:name', ({ params }) => text(`hello ${params.name}`)),
    post('/callback', async (request) => text(`<${(await request.body()).toString()}>`), {
      bodyKind: 'callbacks',
      bodyLimit: 100,
    }),
    post(
      '/upload',
      async (request) => {
        await request.letBodyIn('person');
        let size = 0;
        for await (const piece of request.bodyStream()) size += piece.length;
        return text(`<${size}>`);
      },
      { bodyKind: 'uploads', bodyLimit: 300_000 },
    ),
    post('/refused', () => text('no'), {
      bodyKind: 'uploads',
      headFault: () => new PublicError('UNAUTHORIZED'),
    }),
  ];
  const head = (path: string, encoding = 'Transfer-Encoding: chunked') =>
    `POST ${path} HTTP/1.1\r\n${HOST}${encoding}\r\n\r\n`;
  const next = `GET /a/smuggled HTTP/1.1\r\n${HOST}\r\n`;
  const chunk = (text: string) => `${text.length.toString(16)}\r\n${text}\r\n`;
  const END = '0\r\n\r\n';

  test.each([
    ['one chunk', head('/callback') + chunk('abc') + END, '<abc>'],
    ['several', head('/callback') + chunk('ab') + chunk('c') + END, '<abc>'],
    ['none', head('/callback') + END, '<>'],
    ['as much as is taken', head('/callback') + chunk('x'.repeat(100)) + END, `<${'x'.repeat(100)}>`],
    ['a large upload', head('/upload') + chunk('x'.repeat(150_000)).repeat(2) + END, '<300000>'],
  ])('%s is read, and the connection ends with the answer', async (_name, bytes, body) => {
    const { port } = await startServer(taking);
    const whole = await rawExchange(port, bytes);
    expect(statusLine(whole)).toBe('HTTP/1.1 200 OK');
    expect(whole).toContain(body);
    const connection = await connectRaw(port);
    for (const packet of bytes.match(/[\s\S]{1,1000}/g) ?? []) {
      connection.send(packet);
      await new Promise((resolve) => setImmediate(resolve));
    }
    expect(await connection.untilClosed()).toContain(body);
  });

  test.each([
    ['is longer than the limit', head('/callback') + chunk('x'.repeat(101)) + END, 413],
    ['never ends beyond the limit', head('/upload') + chunk('x'.repeat(301_000)), 413],
    ['has another encoding', head('/callback', 'Transfer-Encoding: gzip, chunked') + chunk('abc') + END, 400],
    [
      'names its encoding twice',
      head('/callback', 'Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked') + END,
      400,
    ],
    [
      'is compressed',
      head('/callback', 'Transfer-Encoding: chunked\r\nContent-Encoding: gzip') + chunk('abc') + END,
      415,
    ],
    ['is not wanted', head('/refused') + chunk('abc') + END, 401],
  ])('one that %s is refused', async (_name, bytes, status) => {
    const transcript = await rawExchange((await startServer(taking)).port, bytes);
    expect(statusLine(transcript)).toContain(` ${status} `);
    expect(transcript).not.toContain('<');
  });

  test.each([
    ['a right end', `${chunk('abc')}${END}${next}`],
    ['a trailer whose name the parser skips', `${chunk('abc')}0\r\nX:${next}`],
    ['wrong bytes at the end', `3\r\nabcXX0\r\nXX${next}`],
    ['a plain trailer', `0\r\nX-Trailer: 1\r\n\r\n${next}`],
  ])('nothing is served after %s', async (_name, rest) => {
    for (const path of ['/callback', '/refused'])
      for (const packets of [[head(path) + rest], [head(path), rest]]) {
        const reports: ExchangeReport[] = [];
        const { port } = await startServer(taking, { onRequest: (report) => reports.push(report) });
        const connection = await connectRaw(port);
        for (const packet of packets) {
          connection.send(packet);
          await new Promise((resolve) => setImmediate(resolve));
        }
        expect(await connection.untilClosed()).not.toContain('hello');
        await eventually(() => reports.length > 0, { what: 'the exchange to end' });
        expect(reports.filter(({ method }) => method === 'GET')).toEqual([]);
      }
  });
});

describe('a body with a content coding is rejected by its name', () => {
  test.each(['gzip', 'br', 'GZIP', 'identity, gzip', 'x'])('%s is 415', async (coding) => {
    const connection = await connectRaw(await start());
    connection.send(`POST /a HTTP/1.1\r\n${HOST}Content-Encoding: ${coding}\r\nContent-Length: 3\r\n\r\nabc`);
    const transcript = await connection.until(/\}\}$/);
    expect(statusLine(transcript)).toBe('HTTP/1.1 415 Unsupported Media Type');
    expect(jsonBody(transcript)).toEqual({
      error: {
        code: 'UNSUPPORTED_MEDIA_TYPE',
        message: expect.stringContaining('Content-Encoding'),
        messageKey: expect.any(String),
      },
    });
  });

  test('identity, or a coding without a body, is served', async () => {
    const identity = await connectRaw(await start());
    identity.send(`POST /a HTTP/1.1\r\n${HOST}Content-Encoding: identity\r\nContent-Length: 3\r\n\r\nabc`);
    await identity.until(/got abc/);
    const bodiless = await connectRaw(await start());
    bodiless.send(`GET /a/b HTTP/1.1\r\n${HOST}Content-Encoding: gzip\r\n\r\n`);
    await bodiless.until(/hello b/);
  });
});

describe('unusual but valid requests are served', () => {
  test('a head of 10 KiB', async () => {
    const connection = await connectRaw(await start());
    connection.send(`GET /a/b?${'q'.repeat(10_000)} HTTP/1.1\r\n${HOST}\r\n`);
    expect(await connection.until(/hello b/)).toContain('HTTP/1.1 200 OK');
  });

  test('encoded slashes, spaces and non-Latin letters in a parameter', async () => {
    const connection = await connectRaw(await start());
    connection.send(`GET /a/b%2Fc%20d%C3%A9 HTTP/1.1\r\n${HOST}\r\n`);
    const transcript = await connection.until(/hello /);
    expect(Buffer.from(transcript, 'latin1').toString()).toContain('hello b/c dé');
  });

  test('a bare percent sign in a query', async () => {
    const connection = await connectRaw(await start());
    connection.send(`GET /a/b?c=100%&d=%C3%A9 HTTP/1.1\r\n${HOST}\r\n`);
    expect(await connection.until(/hello b/)).toContain('HTTP/1.1 200 OK');
  });

  test('an unknown method is a 405, and so is a known one in lower case', async () => {
    const connection = await connectRaw(await start());
    connection.send(`FOO /a/b HTTP/1.1\r\n${HOST}\r\n`);
    expect(await connection.until(/METHOD_NOT_ALLOWED/)).toMatch(/^allow: GET, HEAD\r$/m);
    const other = await connectRaw(await start());
    other.send(`get /a/b HTTP/1.1\r\n${HOST}\r\n`);
    await other.until(/METHOD_NOT_ALLOWED/);
  });
});
