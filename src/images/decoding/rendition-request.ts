/**
 * The parameters of an image request (docs/contract.md#showing-pictures). Every number is rounded to a step, so
 * that the number of different answers for one picture is bounded.
 */
import { PublicError } from '../../errors/errors.ts';

/** Steps of width and height in pixels: thumbnails, cards, phones and tablets at their pixel densities. */
export const SIDE_STEPS = [64, 128, 256, 384, 512, 768, 1024, 1280, 1600, 2048] as const;
/** Copies are never larger than this; only the stored picture itself may be. */
export const LARGEST_SIDE = 2048;
/** The longest side of any screen. A larger size is a mistake of the client and is rejected. */
export const MAX_ASKED_SIDE = 4096;
/** Steps of quality; what they mean for each encoder is in `render.ts`. */
export const QUALITY_STEPS = [40, 60, 80, 90] as const;
export type QualityStep = (typeof QUALITY_STEPS)[number];
export const DEFAULT_QUALITY = 80;
export const BEST_QUALITY = 90;
const MAX_ASKED_QUALITY = 100;

const FITS = ['cover', 'contain'] as const;
export type Fit = (typeof FITS)[number];
const FORMATS = ['auto', 'jpeg', 'webp', 'avif'] as const;
type AskedFormat = (typeof FORMATS)[number];

export interface RenditionRequest {
  /** One of the steps; null when the side was left open. */
  width: number | null;
  height: number | null;
  fit: Fit;
  format: AskedFormat;
  quality: QualityStep;
}

const NAMES = ['w', 'h', 'fit', 'format', 'q'] as const;
type Name = (typeof NAMES)[number];

const isOneOf = <T extends string>(allowed: readonly T[], value: string): value is T =>
  (allowed as readonly string[]).includes(value);

/**
 * The request in a query string. Sides are rounded up to the next step (or down to the largest), quality likewise.
 * Null for an empty request: the stored picture itself.
 * @throws PublicError INVALID_INPUT with a message for each parameter that is unknown, repeated or not valid.
 */
export function readRenditionRequest(query: URLSearchParams): RenditionRequest | null {
  if (query.size === 0) return null;
  const problems: Record<string, string[]> = Object.create(null);
  for (const name of new Set(query.keys())) {
    if (!isOneOf(NAMES, name))
      problems[/^\w{1,32}$/.test(name) ? name : '_'] = [`Unknown. Use ${NAMES.join(', ')}.`];
    else if (query.getAll(name).length > 1) problems[name] = ['Give it once.'];
  }
  const read = <T>(name: Name, parse: (text: string) => T | string[], absent: T): T => {
    const text = query.get(name);
    if (text === null || problems[name]) return absent;
    const value = parse(text);
    if (!Array.isArray(value)) return value;
    problems[name] = value;
    return absent;
  };
  const request: RenditionRequest = {
    width: read('w', parseSide, null),
    height: read('h', parseSide, null),
    fit: read('fit', (text) => (isOneOf(FITS, text) ? text : [`Use ${FITS.join(' or ')}.`]), 'cover'),
    format: read(
      'format',
      (text) => (isOneOf(FORMATS, text) ? text : [`Use one of ${FORMATS.join(', ')}.`]),
      'auto',
    ),
    quality: read('q', parseQuality, DEFAULT_QUALITY),
  };
  if (Object.keys(problems).length > 0) throw new PublicError('INVALID_INPUT', { fields: problems });
  return request;
}

const parseSide = (text: string) => nextStep(text, SIDE_STEPS, { max: MAX_ASKED_SIDE, last: LARGEST_SIDE });
const parseQuality = (text: string) =>
  nextStep(text, QUALITY_STEPS, { max: MAX_ASKED_QUALITY, last: BEST_QUALITY });

/**
 * The smallest step that is not below the number, or the last step. Plain digits only: parsers differ about other
 * spellings.
 */
function nextStep<Step extends number>(
  text: string,
  steps: readonly Step[],
  { max, last }: { max: number; last: Step },
): Step | string[] {
  const value = /^[1-9]\d{0,4}$/.test(text) ? Number(text) : max + 1;
  if (value <= max) return steps.find((step) => step >= value) ?? last;
  return [`Use a whole number from 1 to ${max}; it is rounded up to one of ${steps.join(', ')}.`];
}
