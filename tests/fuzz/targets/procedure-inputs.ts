import fc from 'fast-check';
import { type ProcedureFacts, readProcedures } from '../../../ops/generate/procedures.ts';
import { noInput } from '../../../src/wire/text.ts';
import { defineTarget } from '../target.ts';
import { hostileKey, hostileText, hostileValue } from '../values/hostile-values.ts';
import { mutated, retexted } from '../values/mutated.ts';
import { valuesOf } from '../values/of-schema.ts';
import { toJsonText } from '../values/raw-json.ts';
import { type HostWorld, percentEncoded, sendLoosely } from '../worlds/host-world.ts';

const PROCEDURES = readProcedures();
/** Queries travel in the URL, whose head may have 16 KiB. */
const LONGEST_QUERY = 14_000;

interface Call {
  readonly procedure: ProcedureFacts;
  readonly who: keyof HostWorld['people'];
  readonly envelope: unknown;
}

/** What superjson may be told about the types of an input. */
const TYPES = [
  ...['undefined', 'bigint', 'Date', 'number', 'regexp', 'set', 'map', 'URL', 'Error', 'nope'],
  ...[['symbol', 'x'], ['class', 'Object'], ['custom', 'x'], ['typed-array', 'Uint8Array'], []],
];
const tree: fc.Arbitrary<unknown> = fc.oneof(
  fc.constantFrom<unknown>(...TYPES.map((type) => [type])),
  fc.tuple(
    fc.constantFrom<unknown>(...TYPES),
    fc.dictionary(hostileKey, fc.constantFrom<unknown>(...TYPES), { maxKeys: 2 }),
  ),
  hostileValue,
);
const path = fc.oneof(
  fc.constantFrom(
    'propertyId',
    'filters',
    'statuses.0',
    'slots.0.startsAt',
    'name',
    '__proto__.x',
    'a\\.b',
    '0',
    '',
  ),
  hostileKey,
);
const meta: fc.Arbitrary<unknown> = fc.oneof(
  fc.record({ values: fc.oneof(fc.dictionary(path, tree, { maxKeys: 3 }), tree) }),
  fc.record({
    referentialEqualities: fc.oneof(fc.dictionary(path, fc.array(path)), hostileValue),
    v: fc.constant(1),
  }),
  hostileValue,
);

function envelopeOf({ input }: ProcedureFacts, ids: readonly string[]): fc.Arbitrary<unknown> {
  const valid = input === noInput ? hostileValue : valuesOf(input, { ids });
  const json = (value: fc.Arbitrary<unknown>) => value.map((one) => ({ json: one }));
  return fc.oneof(
    { arbitrary: json(valid), weight: 4 },
    { arbitrary: json(retexted(valid)), weight: 5 },
    { arbitrary: json(mutated(valid)), weight: 5 },
    { arbitrary: json(hostileValue), weight: 1 },
    { arbitrary: fc.record({ json: fc.oneof(valid, mutated(valid)), meta }), weight: 4 },
    { arbitrary: hostileValue, weight: 1 },
  );
}

/** Every procedure, each with what its own schema takes, nearly takes, and would never expect. */
export const procedureInputs = defineTarget<HostWorld, Call>({
  name: 'procedure-inputs',
  about: 'every procedure with inputs from its own schema: valid, near-valid and hostile',
  runs: 500,
  mustSee: ['accepted', 'refused'],
  input: ({ ids, planted }) =>
    fc.constantFrom(...PROCEDURES).chain((procedure) =>
      fc.record({
        procedure: fc.constant(procedure),
        who: whoFor(procedure),
        envelope: fc
          .tuple(envelopeOf(procedure, ids), hostileText)
          // In a field that nobody reads, so that it can only come back by mistake.
          .map(([envelope, text]) => ({ ...(envelope as object), unread: `${planted}${text}` })),
      }),
    ),
  feed({ procedure, who, envelope }, world) {
    const [person, text] = [world.people[who], toJsonText(envelope)];
    const { path: name, kind, output } = procedure;
    const send = () => {
      if (kind === 'mutation') return sendLoosely(person, 'POST', `/api/trpc/${name}`, { body: text });
      return sendLoosely(
        person,
        'GET',
        `/api/trpc/${name}?input=${percentEncoded(text).slice(0, LONGEST_QUERY)}`,
      );
    };
    return world.judge('procedure', send, { output });
  },
});

/** Mostly somebody who may call it. */
function whoFor({ who }: ProcedureFacts): fc.Arbitrary<Call['who']> {
  const anyone = fc.constantFrom<Call['who']>('nobody', 'customer', 'stranger', 'owner');
  if (who === 'public') return anyone;
  return fc.oneof(
    { arbitrary: fc.constant<Call['who']>('owner'), weight: 5 },
    { arbitrary: anyone, weight: 2 },
  );
}
