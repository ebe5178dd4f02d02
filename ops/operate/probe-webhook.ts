import { randomUUID } from 'node:crypto';
import { Agent, request } from 'undici';
import { isLoopbackHost } from '../../src/config/host-rules.ts';
import { limitTime } from '../../src/time.ts';
import { DONE, NOT_DONE, NOT_UNDERSTOOD, type Screen } from './run-operation.ts';
import { type Reading, readAnswer, readFailure, type WebhookAnswer } from './webhook-answer.ts';

/** Sends the receiver an unsigned callback and reads how it is rejected (docs/contract.md#callbacks). */
export const PROBE_HELP = `Usage: npm run ops -- probe-webhook URL [--timeout SECONDS]

Sends an unsigned callback to the receiver and says what the answer means. Right is a 401 of the application itself.
URL is the origin of the API host, such as https://api.example.com, which probes the path with and without a trailing
slash; or a whole address, which probes that one. Redirects are named and not followed. Exit code 0 only when it is right.
`;
const TIMEOUT_MS = 10_000;
const MAX_BODY_BYTES = 64 * 1024;
const PATH = '/api/webhooks/provider/staging/';

export interface Probing {
  address: string;
  screen: Screen;
  signal: AbortSignal;
  timeoutMs?: number;
}

export async function probeWebhook({
  address,
  screen,
  signal,
  timeoutMs = TIMEOUT_MS,
}: Probing): Promise<number> {
  const urls = addressesOf(address);
  if ('problem' in urls) {
    screen.err(urls.problem);
    return NOT_UNDERSTOOD;
  }
  let allRight = true;
  for (const url of urls.probed) {
    const limit = limitTime(timeoutMs, signal);
    const { right, what, advice } = await probe(url, limit.signal);
    limit.release();
    screen.out(
      `${right ? 'right' : 'WRONG'}  ${url}\n       ${what}${advice === '' ? '' : `\n       ${advice}`}`,
    );
    allRight &&= right;
  }
  return allRight ? DONE : NOT_DONE;
}

function addressesOf(address: string): { probed: string[] } | { problem: string } {
  if (!URL.canParse(address)) return { problem: 'Give a whole address, such as https://api.example.com.' };
  const url = new URL(address);
  if (url.protocol !== 'https:' && !(url.protocol === 'http:' && isLoopbackHost(url.hostname)))
    return { problem: 'The receiver must be reached by https (http only on this machine).' };
  if (url.username !== '' || url.password !== '')
    return { problem: 'The provider has no user name and password: leave them out of the address.' };
  if (url.pathname !== '/') return { probed: [url.href] };
  const path = `${url.origin}${PATH}${randomUUID()}`;
  return { probed: [path, `${path}/`] };
}

async function probe(url: string, signal: AbortSignal): Promise<Reading> {
  // A separate connection for each probe, as the provider opens one.
  const agent = new Agent({ pipelining: 0 });
  try {
    const answer = await request(url, {
      method: 'POST',
      dispatcher: agent,
      signal,
      headers: { 'content-type': 'application/json', 'user-agent': 'proscenium-probe' },
      body: JSON.stringify({ id: 'probe', status: 'succeeded' }),
    });
    const header = (name: string) => [answer.headers[name]].flat()[0];
    const read: WebhookAnswer = {
      status: answer.statusCode,
      contentType: header('content-type'),
      location: header('location'),
      asksForLogin: header('www-authenticate') !== undefined,
      text: await beginningOf(answer.body),
    };
    return readAnswer(read, url);
  } catch (error) {
    return readFailure(signal.aborted ? signal.reason : error);
  } finally {
    await agent.destroy();
  }
}

async function beginningOf(body: AsyncIterable<Uint8Array>): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body) {
    chunks.push(chunk);
    size += chunk.byteLength;
    if (size > MAX_BODY_BYTES) break;
  }
  return Buffer.concat(chunks).toString('utf8');
}
