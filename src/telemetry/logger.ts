/**
 * The process's log: JSON lines on stdout. Every line is protected twice: fields are blanked by name while it is
 * built, and the finished line is scrubbed of known secret values and of text that looks like a secret. A written
 * line is never rewritten; a line that a crash interrupts, or that cannot be written, is lost. Writing one never throws.
 */
import {
  type DestinationStream,
  type Logger,
  type LoggerOptions as PinoOptions,
  pino,
  stdTimeFunctions,
} from 'pino';
import { isOutage } from '../errors/outage.ts';
import { createLineWriter } from './line-writer.ts';
import { requestFields } from './request-scope.ts';
import { createScrubber, describeError, redact } from './scrub.ts';

export type { Logger } from 'pino';

export interface LoggerOptions {
  role: string;
  level: string;
  /** Secret values to remove from every line: `configSecrets(config)`. */
  secrets?: readonly string[];
  /** In production an error with a code is logged without its stack. */
  nodeEnv?: string | null;
  /** Where lines are written; the default is stdout. */
  destination?: DestinationStream;
  /** Milliseconds on a clock that never goes back. */
  monotonicMs?: () => number;
}

/** Least time between two lines about outages. Everything that uses a store fails with it, many times a second. */
const OUTAGE_QUIET_MS = 1_000;
const FATAL = pino.levels.values.fatal;

/** Leaves out lines about outages that come too fast; `leftOut` of the next one is their number. */
function quietOutages(monotonicMs: () => number): NonNullable<PinoOptions['hooks']>['logMethod'] {
  let quietUntil = Number.NEGATIVE_INFINITY;
  let leftOut = 0;
  return function write(args, method, level) {
    const [first] = args as unknown[];
    const fields = first instanceof Error ? { err: first } : (first as { err?: unknown } | null | undefined);
    if (level === FATAL || !isOutage(fields?.err)) return method.apply(this, args);
    if (monotonicMs() < quietUntil) {
      leftOut += 1;
      return;
    }
    quietUntil = monotonicMs() + OUTAGE_QUIET_MS;
    const [message, ...others] = args.slice(1);
    const shown = leftOut > 0 ? { ...fields, leftOut } : fields;
    method.apply(this, [shown, message, ...others] as typeof args);
    leftOut = 0;
  };
}

function errorSerializer(production: boolean) {
  return (error: unknown): unknown => {
    if (!(error instanceof Error)) return redact(error);
    // An error with a code is an expected one: the code, not the stack, says what to do.
    const foreseen = 'code' in error && error.code !== undefined;
    return describeError(error, { withStack: !production || !foreseen });
  };
}

/** A pino logger whose every line is redacted and scrubbed (docs/contract.md#secrets). */
export function createLogger(options: LoggerOptions): Logger {
  const target = options.destination ?? createLineWriter(1);
  const scrub = createScrubber(options.secrets ?? []);
  const serialize = errorSerializer(options.nodeEnv === 'production');
  return pino(
    {
      level: options.level,
      base: { role: options.role, pid: process.pid },
      timestamp: stdTimeFunctions.isoTime,
      mixin: requestFields,
      serializers: { err: (value) => value },
      hooks: { logMethod: quietOutages(options.monotonicMs ?? (() => performance.now())) },
      formatters: {
        level: (label) => ({ level: label }),
        log: (record) => {
          const { err, ...rest } = record as { err?: unknown };
          const redacted = redact(rest) as Record<string, unknown>;
          return err === undefined ? redacted : { ...redacted, err: serialize(err) };
        },
      },
    },
    { write: (line: string) => target.write(scrub(line)) },
  );
}
