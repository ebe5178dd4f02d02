/** What a crash report may say. The roles and the site use the same filter (docs/contract.md#crash-reports). */

const REDACTED_HEADERS = ['cookie', 'set-cookie', 'authorization'];

/** The parts of an event that are sent; the SDK adds others, such as the address of a page or a person's network. */
const SENT_PARTS = new Set([
  'contexts',
  'environment',
  'event_id',
  'exception',
  'fingerprint',
  'level',
  'message',
  'platform',
  'release',
  'request',
  'sdk',
  'server_name',
  'tags',
  'timestamp',
  'transaction',
  'type',
]);

/** Of a request: no body, no query, no cookies, and of the headers only the three that are blanked. */
interface ReportedRequest {
  readonly method?: string;
  readonly headers?: Record<string, string>;
}

// Lengths are bounded, or a long text that a client has sent would take quadratic time.
const EMAIL = /[^\s"'\\@/<>()=:,;]{1,64}@(?:[\w-]{1,63}\.){1,8}[a-z]{2,63}/gi;
const QUERY = /(\bhttps?:\/\/[^\s"\\?#]{0,2000})[?#][^\s"\\)]*/gi;

/** Blanks a person's mail address and the query of an address wherever a text quotes one. Works on JSON too. */
const withoutPeople = (text: string): string =>
  text.replace(EMAIL, '[redacted]').replace(QUERY, '$1?[redacted]');

/** The value with every text in it scrubbed; it is sent as JSON, so no text can be missed. */
export function scrubbed<T>(value: T, scrub: (text: string) => string): T {
  return JSON.parse(withoutPeople(scrub(JSON.stringify(value)))) as T;
}

function requestOf({ method, headers = {} }: ReportedRequest): ReportedRequest {
  const names = Object.keys(headers).filter((name) => REDACTED_HEADERS.includes(name.toLowerCase()));
  return {
    ...(method === undefined ? {} : { method }),
    headers: Object.fromEntries(names.map((name) => [name, '[redacted]'])),
  };
}

/**
 * The event with nothing of a person in it: only the parts above, the credential headers blanked, and secrets, mail
 * addresses and queries scrubbed from every text.
 * @param scrub removes secrets from a text (`createScrubber`)
 */
export function filterEvent<Event extends { request?: ReportedRequest; sdkProcessingMetadata?: unknown }>(
  event: Event,
  scrub: (text: string) => string,
): Event {
  const sent = Object.fromEntries(Object.entries(event).filter(([part]) => SENT_PARTS.has(part)));
  if (event.request) sent.request = requestOf(event.request);
  // The SDK's own metadata is cyclic and never sent.
  return { ...scrubbed(sent, scrub), sdkProcessingMetadata: event.sdkProcessingMetadata } as Event;
}
