import fc from 'fast-check';
import { type ProcedureInfo, readProcedures } from '../../../../ops/codegen/api/procedures.ts';
import { noInput } from '../../../../src/wire/text.ts';
import { defineTarget } from '../target.ts';
import { hostileText, hostileValue } from '../values/hostile-values.ts';
import { mutated, retexted } from '../values/mutated.ts';
import { valuesOf } from '../values/of-schema.ts';
import { toJsonText } from '../values/raw-json.ts';
import { type HostWorld, judgeCall } from '../worlds/host-world.ts';

const PROCEDURES = readProcedures();
interface Call {
  readonly procedure: ProcedureInfo;
  readonly who: keyof HostWorld['people'];
  readonly envelope: unknown;
}

function envelopeOf({ input }: ProcedureInfo, ids: readonly string[]): fc.Arbitrary<unknown> {
  const valid = input === noInput ? hostileValue : valuesOf(input, { ids });
  const json = (value: fc.Arbitrary<unknown>) => value.map((one) => ({ json: one }));
  return fc.oneof(
    { arbitrary: json(valid), weight: 4 },
    { arbitrary: json(retexted(valid)), weight: 5 },
    { arbitrary: json(mutated(valid)), weight: 5 },
    { arbitrary: json(hostileValue), weight: 1 },
    { arbitrary: hostileValue, weight: 1 },
  );
}

/** Every procedure, with inputs that its schema accepts, almost accepts, and never expects. */
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
          // In an unused field, so that only a mistake can return it.
          .map(([envelope, text]) => ({ ...(envelope as object), unread: `${planted}${text}` })),
      }),
    ),
  feed: ({ procedure, who, envelope }, world) => judgeCall(world, who, procedure, toJsonText(envelope)),
});

/** Mostly an authorized caller. */
export function whoFor({ who }: ProcedureInfo): fc.Arbitrary<Call['who']> {
  const anyone = fc.constantFrom<Call['who']>('nobody', 'customer', 'otherAgent', 'owner');
  if (who === 'public') return anyone;
  return fc.oneof(
    { arbitrary: fc.constant<Call['who']>('owner'), weight: 5 },
    { arbitrary: anyone, weight: 2 },
  );
}
