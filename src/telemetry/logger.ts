/**
 * The process's log: JSON lines on stdout. Every line is protected twice: fields are blanked by name while it is
 * built, and the finished line is scrubbed of known secret values and of text that looks like a secret. A written
 * line is never rewritten; a line that a crash interrupts is lost.
 */
import { type DestinationStream, destination, type Logger, pino, stdTimeFunctions } from 'pino';
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
  const target = options.destination ?? destination({ fd: 1, sync: true });
  const scrub = createScrubber(options.secrets ?? []);
  const serialize = errorSerializer(options.nodeEnv === 'production');
  return pino(
    {
      level: options.level,
      base: { role: options.role, pid: process.pid },
      timestamp: stdTimeFunctions.isoTime,
      mixin: requestFields,
      serializers: { err: (value) => value },
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
