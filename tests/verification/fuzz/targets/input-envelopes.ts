import fc from 'fast-check';
import { type ProcedureInfo, readProcedures } from '../../../../ops/codegen/api/procedures.ts';
import { noInput } from '../../../../src/wire/text.ts';
import { defineTarget } from '../target.ts';
import { hostileValue } from '../values/hostile-values.ts';
import { notedEnvelopes } from '../values/noted-inputs.ts';
import { valuesOf } from '../values/of-schema.ts';
import { toJsonText } from '../values/raw-json.ts';
import { type HostWorld, judgeCall } from '../worlds/host-world.ts';
import { whoFor } from './procedure-inputs.ts';

const PROCEDURES: ReadonlyMap<string, ProcedureInfo> = new Map(
  readProcedures().map((procedure) => [procedure.path, procedure]),
);

interface Call {
  /** By name: a failure prints it. */
  readonly procedure: string;
  readonly who: keyof HostWorld['people'];
  readonly envelope: unknown;
}

/** The envelope around the input, which is read before any schema. */
export const inputEnvelopes = defineTarget<HostWorld, Call>({
  name: 'input-envelopes',
  about:
    "superjson's meta of every type, array-likes of any length, equalities, and inputs that are deep or wide",
  runs: 300,
  mustSee: ['accepted', 'refused'],
  input: ({ ids }) =>
    fc.constantFrom(...PROCEDURES.values()).chain((procedure) => {
      const valid = procedure.input === noInput ? hostileValue : valuesOf(procedure.input, { ids });
      return fc.record({
        procedure: fc.constant(procedure.path),
        who: whoFor(procedure),
        envelope: notedEnvelopes(valid),
      });
    }),
  feed: ({ procedure, who, envelope }, world) =>
    judgeCall(world, who, PROCEDURES.get(procedure)!, toJsonText(envelope)),
});
