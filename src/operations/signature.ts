import type { Origin } from '../../supervisors/actors/messages.ts';
import type { Asking } from './operation.ts';

/**
 * The operator and the reason as the journal stores them: short, one line, and without text that a page must not
 * show.
 */
export const REASON_LENGTH = { min: 3, max: 500 } as const;
const NAME = /^[\w.-]{1,64}$/;
const MAIL_ADDRESS = /[^\s@<>()]+@[^\s@<>()]+/g;

/** The name or the reason is not valid; the message says why. */
export class UnsignedError extends Error {
  override readonly name = 'UnsignedError';
  readonly field: 'by' | 'reason';
  constructor(field: UnsignedError['field'], message: string) {
    super(message);
    this.field = field;
  }
}

/** Throws `UnsignedError`. */
export function originOf({ by, reason, seenVersion }: Asking, scrub: (text: string) => string): Origin {
  return {
    by: `operator:${operatorName(by)}`,
    note: keptReason(reason, scrub),
    ...(seenVersion === undefined ? {} : { seenVersion }),
  };
}

/** A sign-in name may be a mail address, which the journal must not contain: only the part before the @ is stored. */
export function operatorName(by: string): string {
  const name = by.trim().split('@')[0] ?? '';
  if (!NAME.test(name))
    throw new UnsignedError('by', 'the name must be 1 to 64 letters, digits, dots, dashes or underscores');
  return name;
}

/** One line, without control characters, secrets and mail addresses. */
export function keptReason(reason: string, scrub: (text: string) => string): string {
  const line = reason
    .toWellFormed()
    .replaceAll(/[\p{Cc}\s]+/gu, ' ')
    .trim();
  const { min, max } = REASON_LENGTH;
  if (line.length < min || line.length > max)
    throw new UnsignedError('reason', `the reason must have ${min} to ${max} characters`);
  return scrub(line).replaceAll(MAIL_ADDRESS, '[mail address]');
}
