/**
 * The process's log: JSON lines on stdout. Two nets lie under every line: fields are blanked by name while it is
 * built, and the finished line is scrubbed of known secret values and of everything that looks like one. A line
 * that was written is never rewritten; what a crash cuts off is lost.
 */
import { type DestinationStream, destination, type Logger, pino, stdTimeFunctions } from 'pino';
import { requestFields } from './request-scope.ts';
import { createScrubber, describeError, redact } from './scrub.ts';

export type { Logger } from 'pino';

export interface LoggerOptions {
  role: string;
  level: string;
  /** Secret values to take out of every line: `configSecrets(config)`. */
  secrets?: readonly string[];
  /** In production an error that carries a code is shown without its stack. */
  nodeEnv?: string | null;
  /** Where lines go; stdout without it. */
  destination?: DestinationStream;
}

function errorSerializer(production: boolean) {
  return (error: unknown): unknown => {
    if (!(error instanceof Error)) return redact(error);
    // A code means the error was foreseen: what to do about it follows from the code, not from the stack.
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
