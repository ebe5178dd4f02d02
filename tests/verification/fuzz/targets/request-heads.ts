import { expect } from 'vitest';
import type { Answer } from '../../../support/http/person.ts';
import { type Family, isParserPage } from '../answers.ts';
import { defineTarget } from '../target.ts';
import { type RawRequest, rawRequests } from '../values/request-heads.ts';
import type { HostWorld } from '../worlds/host-world.ts';
import { rawExchange } from '../worlds/raw-exchange.ts';

/** Request lines and headers, byte by byte over a socket. */
export const requestHeads = defineTarget<HostWorld, RawRequest>({
  name: 'request-heads',
  about: 'raw HTTP heads: request lines, header lines, framing, upgrades',
  runs: 220,
  mustSee: ['accepted', 'refused', 'closed'],
  input: () => rawRequests,
  feed(request, world) {
    const port = Number(new URL(world.host.url).port);
    const path = request.bytes.toString('latin1').split(' ')[1] ?? '';
    return world.judge(familyOf(path), async () => answerOf(await rawExchange(port, request)));
  },
});

function familyOf(path: string): Family {
  if (path.startsWith('/api/trpc/')) return 'procedure';
  return path.startsWith('/api/auth') ? 'sign-in' : 'route';
}

/**
 * The first answer of a transcript; null when there is nothing to check: no answer, no body, or the parser's
 * page.
 */
function answerOf(transcript: string): Answer | null {
  const headEnd = transcript.indexOf('\r\n\r\n');
  if (headEnd < 0) return null;
  const [start = '', ...lines] = transcript.slice(0, headEnd).split('\r\n');
  const status = Number(start.split(' ')[1]);
  const headers = new Headers(
    lines.map((line): [string, string] => [line.split(': ')[0] ?? '', line.split(': ')[1] ?? '']),
  );
  const text = transcript.slice(headEnd + 4);
  if (!headers.has('x-request-id')) {
    expect(isParserPage(text), text).toBe(true);
    return null;
  }
  if (text === '') {
    expect(status).toBeLessThan(500);
    return null;
  }
  return { status, text, headers, body: null, data: null, errorCode: undefined };
}
