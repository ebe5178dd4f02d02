/**
 * When a fault takes effect. `create` changes the answer to the POST (one per request). `accepted` is attached to
 * the prediction and acts while it runs, calls back or serves files (several may apply). `poll`, `cancel` and
 * `list` act on each such call. The `body-*` faults act where `options.on` says. An `output-*` fault of the file
 * itself lasts for `options.downloads` downloads; without it, for all.
 */
export type FaultPoint = 'create' | 'accepted' | 'poll' | 'cancel' | 'list';

interface FaultDescription {
  point: FaultPoint;
  meaning: string;
}

/** All faults of this provider (docs/invariants.md#faults). */
export const FAULTS = {
  'timeout-before-acceptance': {
    point: 'create',
    meaning: 'The POST is never answered and nothing is bought.',
  },
  'timeout-after-acceptance': {
    point: 'create',
    meaning: 'The prediction is bought and runs; the POST is never answered.',
  },
  'accept-then-reset': {
    point: 'create',
    meaning: 'Bought, then the socket is reset before the answer (options.partial: in the middle of it).',
  },
  'error-after-charging': {
    point: 'create',
    meaning: 'Bought, then answered options.status 500 (default), 502 or 504.',
  },
  'refuse-503': {
    point: 'create',
    meaning: 'Answered 503 without buying (options.retryAfter in seconds adds the header).',
  },
  'throttle-header': {
    point: 'create',
    meaning: 'Answered 429 with a Retry-After header of options.seconds (5).',
  },
  'throttle-body': {
    point: 'create',
    meaning: 'Answered 429 with retry_after in the JSON body (options.seconds, 5).',
  },
  'throttle-text': {
    point: 'create',
    meaning: 'Answered 429 with the wait only inside the detail text, "~5s" (options.seconds).',
  },
  unauthorized: {
    point: 'create',
    meaning: 'Answered 401 as for a wrong token (options.status 403 for forbidden).',
  },
  billing: { point: 'create', meaning: 'Answered 402, insufficient credit.' },
  'invalid-input': {
    point: 'create',
    meaning: 'Answered 422 with invalid_fields (options.status for 400, 404, 413).',
  },
  timing: {
    point: 'accepted',
    meaning: 'Not a fault: sets options.startMs and options.runMs for this prediction.',
  },
  'never-finishes': {
    point: 'accepted',
    meaning: 'Stays processing, past its deadline too, until it is canceled.',
  },
  'finishes-after-cancel': {
    point: 'accepted',
    meaning: 'Cancel is answered 200 and ignored; the prediction ends as it would have.',
  },
  aborted: { point: 'accepted', meaning: 'Ends aborted before it ran; no webhook unless options.webhook.' },
  'canceled-unasked': { point: 'accepted', meaning: 'Ends canceled without a cancel call.' },
  failed: {
    point: 'accepted',
    meaning: 'Ends failed with the text options.error (default: interrupted, code PA).',
  },
  'unknown-status': {
    point: 'accepted',
    meaning: 'Until it ends, GET and list say options.status ("queued"), which no document names.',
  },
  'webhook-duplicated': {
    point: 'accepted',
    meaning: 'The callback comes options.copies (2) times with one id (options.newId: fresh ids).',
  },
  'webhook-out-of-order': {
    point: 'accepted',
    meaning: 'After the final callback an older one arrives that still says processing.',
  },
  'webhook-before-answer': {
    point: 'accepted',
    meaning: 'The prediction ends and its callback is delivered before the POST is answered.',
  },
  'webhook-never': { point: 'accepted', meaning: 'No callback is sent.' },
  'webhook-forged': {
    point: 'accepted',
    meaning: 'The callback is signed with a foreign key (options.genuineToo: a true one follows).',
  },
  'webhook-replayed': {
    point: 'accepted',
    meaning: 'The callback carries a valid signature 301 s old (options.genuineToo: a true one first).',
  },
  'output-gone': {
    point: 'accepted',
    meaning: 'The file answers 404 (options.removed: output is null and data_removed true at once).',
  },
  'output-huge': {
    point: 'accepted',
    meaning: 'The file streams options.bytes (25 MiB) without a Content-Length.',
  },
  'output-wrong-type': {
    point: 'accepted',
    meaning: 'The file is in another format than asked (options.type "html": no picture at all).',
  },
  'output-wrong-aspect': { point: 'accepted', meaning: 'The picture is 1600x900 whatever ratio was asked.' },
  'output-truncated': {
    point: 'accepted',
    meaning: 'The file stops half way (options.reset: connection reset under a full Content-Length).',
  },
  'output-bomb': {
    point: 'accepted',
    meaning: 'A small file that decodes to hundreds of megapixels, in the format asked.',
  },
  'output-redirect': { point: 'accepted', meaning: 'The file answers 302 to another host (options.to).' },
  'output-slow-drip': {
    point: 'accepted',
    meaning: 'The file comes options.bytesPerTick (64) bytes every options.tickMs (1000).',
  },
  'output-data-uri': { point: 'accepted', meaning: 'The output is a data: URI instead of an address.' },
  'output-empty-array': { point: 'accepted', meaning: 'Succeeded with an empty output array.' },
  'output-string': { point: 'accepted', meaning: 'The output is one string instead of an array.' },
  'body-nul': {
    point: 'create',
    meaning: 'The answer carries NUL characters in its strings (options.raw: raw NUL bytes; options.on).',
  },
  'body-10mb': { point: 'create', meaning: 'The answer is valid JSON of 10 MiB (options.on).' },
  'body-not-json': {
    point: 'create',
    meaning: 'The answer is an HTML page under a success status (options.on).',
  },
  'poll-5xx': {
    point: 'poll',
    meaning: 'GET of the prediction answers options.status (502; 404 for a prediction that is not known).',
  },
  'list-5xx': { point: 'list', meaning: 'The list answers options.status (502).' },
  'list-truncated': { point: 'list', meaning: 'The answer of the list ends in its middle.' },
  'cancel-error': {
    point: 'cancel',
    meaning: 'Cancel answers options.status (500) and does nothing (options.applied: cancels all the same).',
  },
} as const satisfies Record<string, FaultDescription>;

export type FaultName = keyof typeof FAULTS;
export const FAULT_NAMES = Object.keys(FAULTS) as FaultName[];

/** Where a `body-*` fault can act. `webhook` damages the callback's body (signed as sent). */
export const BODY_FAULT_PLACES = ['create', 'poll', 'cancel', 'list', 'webhook'] as const;

type FaultOptions = Record<string, unknown>;

export interface AppliedFault {
  name: FaultName;
  options: FaultOptions;
}

/** The fault with that name among those attached to a prediction. */
export function findFault(faults: readonly AppliedFault[], name: FaultName): AppliedFault | undefined {
  return faults.find((fault) => fault.name === name);
}

export function numberOption(fault: AppliedFault, key: string, fallback: number): number {
  const value = fault.options[key];
  return typeof value === 'number' && Number.isFinite(value) ? value : fallback;
}

export function textOption(fault: AppliedFault, key: string, fallback: string): string {
  const value = fault.options[key];
  return typeof value === 'string' ? value : fallback;
}

export interface WireBody {
  bytes: Buffer;
  type: string;
}

const TEN_MIB = 10 * 1024 * 1024;
const HTML_PAGE =
  '<!doctype html><html><head><title>Error</title></head><body>Something went wrong</body></html>';

export function isBodyFault(fault: AppliedFault | undefined): fault is AppliedFault {
  return fault?.name.startsWith('body-') === true;
}

/** The bytes of an answer or callback, damaged by a `body-*` fault if there is one. */
export function wireBody(body: unknown, fault?: AppliedFault): WireBody {
  const json = (value: unknown) => ({ bytes: Buffer.from(JSON.stringify(value)), type: 'application/json' });
  if (!isBodyFault(fault)) return json(body);
  const fields = typeof body === 'object' && body !== null ? body : { value: body };
  if (fault.name === 'body-not-json') {
    return { bytes: Buffer.from(textOption(fault, 'text', HTML_PAGE)), type: 'text/html; charset=utf-8' };
  }
  if (fault.name === 'body-10mb') return json({ ...fields, logs: 'x'.repeat(TEN_MIB) });
  if (fault.options.raw === true) {
    const damaged = JSON.stringify({ ...fields, logs: 'nul:@@' }).replace('@@', '\u0000');
    return { bytes: Buffer.from(damaged), type: 'application/json' };
  }
  return json({ ...fields, logs: 'nul:\u0000', error: 'nul:\u0000', model: 'openai/\u0000' });
}
