import { type AppliedFault, textOption } from './fault-catalogue.ts';

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

/** The bytes of an answer or callback, damaged when a `body-*` fault says so. */
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
