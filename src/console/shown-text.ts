/**
 * Which parts of an actor's context and events a page may show: ids, codes, numbers, instants. Never a person's
 * texts or address, a prompt, a secret, or a URL: objects and predictions are shown by key and id.
 */
import { configSecrets, type WorkerConfig } from '../config/config.ts';
import { createScrubber } from '../telemetry/scrub.ts';
import { clockTime } from './time-texts.ts';

const EMAIL = /[^\s@<>"'(),;:]+@[^\s@<>"'(),;:]+\.[^\s@<>"'(),;:]+/g;
const URL_TEXT = /\b[a-z][a-z0-9+.-]*:\/\/[^\s"'<>]+/gi;
const DATA_URL = /\bdata:[^\s"'<>]+/gi;
/** Texts of people and providers, and tokens. Only their length is shown, so that an operator sees that they exist. */
const HIDDEN = new Set(['text', 'prompt', 'facts', 'token', 'reason', 'note', 'message', 'input']);
const LONGEST = 300;
/** Larger numbers are instants: 2001-09-09 in milliseconds. */
const FIRST_INSTANT = 1e12;

/** Removes from a text what no page shows. */
export type TextScreen = (text: string) => string;

export function createTextScreen(config: WorkerConfig): TextScreen {
  const scrub = createScrubber(configSecrets(config));
  return (text) => {
    const plain = scrub(text)
      .replace(DATA_URL, '[data]')
      .replace(URL_TEXT, '[address]')
      .replace(EMAIL, '[e-mail]');
    return plain.length > LONGEST ? `${plain.slice(0, LONGEST)} …` : plain;
  };
}

/** How a text is shown: screened, and with instants relative to `at`. */
export interface ShowOptions {
  screen: TextScreen;
  at: number;
}

/** The fields of an event or context, in order, without nulls. */
export function shownFields(fields: Readonly<Record<string, unknown>>, options: ShowOptions) {
  return Object.entries(fields)
    .filter(([, value]) => value !== null && value !== undefined)
    .map(([name, value]) => ({ name, value: shownValue(name, value, options) }));
}

export function shownValue(name: string, value: unknown, options: ShowOptions): string {
  if (value === null || value === undefined) return '–';
  if (HIDDEN.has(name)) return hiddenValue(value);
  if (typeof value === 'number' && value > FIRST_INSTANT) return clockTime(value, options.at);
  if (typeof value === 'object') {
    const parts = Object.entries(value).map(
      ([key, inner]) => `${Array.isArray(value) ? '' : `${key} `}${shownValue(key, inner, options)}`,
    );
    return parts.length === 0 ? 'none' : parts.join(', ');
  }
  return options.screen(String(value));
}

/** A field for a person's text may contain one of our codes instead; codes are all capitals and are shown. */
function hiddenValue(value: unknown): string {
  if (typeof value !== 'string') return '(not shown)';
  return /^[A-Z_]{1,40}$/.test(value) ? value : `(${value.length} characters, not shown)`;
}
