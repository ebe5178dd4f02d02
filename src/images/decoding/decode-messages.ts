/**
 * The messages between a role and its decoder processes, as plain data: classes cannot be sent. A public error of a
 * task arrives as the same error; anything else that it throws is a fault of ours.
 */
import { PublicError } from '../../errors/errors.ts';
import type { PublicErrorCode } from '../../errors/public-errors.ts';
import type { TaskName } from './decode-tasks.ts';
import { OutputRefused } from './output-refused.ts';

export interface DecodeRequest {
  task: TaskName;
  order: readonly unknown[];
  bytes: Uint8Array;
}

export type DecodeAnswer = {
  /** Resident memory of the process after the work, in bytes. */
  rss: number;
} & ({ kind: 'done'; result: unknown } | Thrown);

type Thrown =
  | { kind: 'refused'; code: PublicErrorCode; message: string; details?: Readonly<Record<string, unknown>> }
  | { kind: 'output-refused'; errorCode: OutputRefused['errorCode']; message: string }
  | { kind: 'out-of-memory'; message: string }
  | { kind: 'fault'; message: string; stack?: string };

/**
 * How the picture library, its codecs and the engine report that memory ran out. A codec that rejects a header by a
 * limit of its own had enough memory.
 */
export const OUT_OF_MEMORY =
  /^(?!.*(?:security limit|invalid image size)).*(?:out of memory|(?:memory|buffer) allocation|alloc\w* (?:failed|error)|failed to allocate|unable to (?:malloc|allocate)|bad_alloc)/is;

export function describeThrown(error: unknown): Thrown {
  const message = messages(error);
  if (OUT_OF_MEMORY.test(message)) return { kind: 'out-of-memory', message };
  if (error instanceof PublicError)
    return { kind: 'refused', code: error.code, message: error.message, details: error.details };
  if (error instanceof OutputRefused)
    return { kind: 'output-refused', errorCode: error.errorCode, message: error.message };
  return { kind: 'fault', message, stack: error instanceof Error ? error.stack : undefined };
}

/** The error that `describeThrown` described. */
export function asThrown(thrown: Exclude<Thrown, { kind: 'out-of-memory' }>): Error {
  if (thrown.kind === 'refused')
    return new PublicError(thrown.code, { message: thrown.message, details: thrown.details });
  if (thrown.kind === 'output-refused') return new OutputRefused(thrown.errorCode, thrown.message);
  return Object.assign(
    new Error(thrown.message),
    thrown.stack === undefined ? null : { stack: thrown.stack },
  );
}

function messages(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause === undefined ? error.message : `${error.message}: ${messages(error.cause)}`;
}
