import fc from 'fast-check';
import { readProcedures } from '../../../../ops/codegen/api/procedures.ts';
import { defineTarget } from '../target.ts';
import { brokenJson, hostileText } from '../values/hostile-values.ts';
import { type HostWorld, percentEncoded, sendLoosely } from '../worlds/host-world.ts';

interface FuzzRequest {
  readonly method: string;
  readonly path: string;
  readonly query: readonly (readonly [string, string])[];
  readonly headers: Record<string, string>;
  readonly body: string | null;
}

/** The client's library resolves them; `request-heads` sends them unchanged. */
const DOTS = /^\.{1,2}$/;
const NAMES = readProcedures().map(({ path }) => path);
const path = fc.oneof(
  { arbitrary: fc.constantFrom(...NAMES), weight: 4 },
  {
    arbitrary: fc.constantFrom(
      '',
      'users',
      'users.',
      '.getMe',
      'users.getMe.',
      'users.getMe/',
      'users/getMe',
      'users.getMe,users.getMe',
      '__proto__',
      'constructor',
      'users.__proto__',
      'users.constructor',
      'toString',
      'USERS.GETME',
      ',',
    ),
    weight: 2,
  },
  {
    arbitrary: hostileText.filter((text) => text.length < 2_000 && !DOTS.test(text)).map(percentEncoded),
    weight: 2,
  },
);
const jsonText = fc.oneof(
  brokenJson,
  fc.constantFrom(
    '{"json":{}}',
    '{"0":{"json":{}}}',
    '[]',
    '{"json":null,"meta":{"values":["undefined"]}}',
    'null',
  ),
);
const parameter = fc.tuple(
  fc.oneof(
    fc.constantFrom('input', 'batch', 'connectionParams', 'lastEventId', 'input[]', '__proto__'),
    hostileText,
  ),
  fc.oneof(fc.constantFrom('1', 'true', ''), jsonText),
);
const header = fc.constantFrom<Record<string, string>>(
  {},
  ...[
    'text/plain',
    'multipart/form-data',
    'multipart/form-data; boundary=x',
    'application/octet-stream',
    '',
  ].map((type): Record<string, string> => ({ 'content-type': type })),
  ...['application/x-www-form-urlencoded', 'application/json; charset=utf-16', 'application/trpc+json'].map(
    (type): Record<string, string> => ({ 'content-type': type }),
  ),
  { 'trpc-accept': 'application/jsonl' },
  { accept: 'text/event-stream', 'last-event-id': '1' },
  { 'x-trpc-source': '__proto__' },
  { 'content-encoding': 'gzip' },
);

/** Forms of a procedure call: paths, methods, query encodings, batches, content types. */
export const procedureRequests = defineTarget<HostWorld, FuzzRequest>({
  name: 'procedure-requests',
  about: 'procedure paths, methods, query encodings, batch envelopes and content types',
  runs: 250,
  mustSee: ['accepted', 'refused'],
  input: () =>
    fc.record({
      method: fc.oneof(
        { arbitrary: fc.constantFrom('GET', 'POST'), weight: 8 },
        { arbitrary: fc.constantFrom('PUT', 'DELETE', 'PATCH', 'OPTIONS'), weight: 1 },
      ),
      path,
      query: fc.array(parameter, { maxLength: 3 }),
      headers: header,
      body: fc.option(jsonText),
    }),
  feed({ method, path: name, query, headers, body }, world) {
    const search = query.map(([key, value]) => `${percentEncoded(key)}=${percentEncoded(value)}`).join('&');
    const target = `/api/trpc/${name}${search === '' ? '' : `?${search}`}`;
    const init = { headers, ...(body === null || method === 'GET' ? {} : { body }) };
    return world.judge('procedure', () => sendLoosely(world.people.owner, method, target, init));
  },
});
