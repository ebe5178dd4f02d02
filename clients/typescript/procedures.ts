import type { inferRouterInputs, inferRouterOutputs } from '@trpc/server';
import superjson, { type SuperJSONResult } from 'superjson';
import type { AppRouter } from '../../src/api/routers/app.ts';
import { isTree, plainOutput, treeOf, unexpectedAnswer } from './answer.ts';
import type { Open } from './open-values.ts';
import { PROCEDURE_KINDS } from './procedure-kinds.ts';
import type { Call, CallOptions, Sender } from './sender.ts';
import type { TransportResponse } from './transport.ts';

/** What each procedure takes and answers with, as the router has it. */
export type Inputs = inferRouterInputs<AppRouter>;
export type Outputs = Open<inferRouterOutputs<AppRouter>>;

// biome-ignore lint/suspicious/noConfusingVoidType: tRPC gives procedures without input the input `void`.
type Argument<TInput> = [TInput] extends [void]
  ? [input?: undefined, options?: CallOptions]
  : undefined extends TInput
    ? [input?: TInput, options?: CallOptions]
    : [input: TInput, options?: CallOptions];

/** `client.users.getMe()`, `client.ai.rejectStagedVariant({ imageId })`, and so on for every procedure. */
export type Procedures = {
  readonly [R in keyof Inputs]: {
    readonly [P in keyof Inputs[R]]: (
      ...given: Argument<Inputs[R][P]>
    ) => Promise<R extends keyof Outputs ? (P extends keyof Outputs[R] ? Outputs[R][P] : never) : never>;
  };
};

type Kind = (typeof PROCEDURE_KINDS)[keyof typeof PROCEDURE_KINDS];

const PREFIX = '/api/trpc';

/** One HTTP request per procedure call, never a batch (docs/contract.md#calling). */
export function createProcedures(sender: Sender): Procedures {
  const routers: Record<string, Record<string, unknown>> = {};
  for (const [path, kind] of Object.entries(PROCEDURE_KINDS)) {
    const [router = '', name = ''] = path.split('.');
    routers[router] ??= {};
    routers[router][name] = async (input?: unknown, options?: CallOptions) =>
      procedureOutput(await sender.send(callOf(path, kind, input), options));
  }
  return routers as unknown as Procedures;
}

/** Longer addresses do not pass everywhere; the host takes 16 KiB, cookies and other headers included. */
const LONGEST_ADDRESS = 4_000;

/**
 * The request of a call: superjson's envelope in `?input=` of a GET, or as the body of a POST. A query whose address would
 * be long goes by POST too.
 */
export function callOf(path: string, kind: Kind, input: unknown): Call {
  const url = `${PREFIX}/${path}`;
  if (kind === 'query') {
    const query = input === undefined ? '' : `?input=${encodeURIComponent(envelope(input))}`;
    if (url.length + query.length <= LONGEST_ADDRESS) return { method: 'GET', path: url + query };
  }
  const body = new TextEncoder().encode(envelope(input));
  return { method: 'POST', path: url, contentType: 'application/json', body, isRepeatable: true };
}

/** `{json}`, with `meta` when there is something that JSON cannot hold. */
const envelope = (input: unknown): string => superjson.stringify(input);

/** The output of a procedure. @throws UnexpectedAnswerError */
function procedureOutput(response: TransportResponse): unknown {
  const data = treeOf(treeOf(plainOutput(response)).result).data;
  if (!isTree(data) || !('json' in data)) throw unexpectedAnswer(response);
  return superjson.deserialize(data as unknown as SuperJSONResult);
}
