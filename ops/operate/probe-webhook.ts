import { isLoopbackHost } from '../../src/config/host-rules.ts';
import { probedAddress, probeReceiver } from '../../src/operations/webhook-probe.ts';
import { limitTime } from '../../src/time.ts';
import { DONE, NOT_DONE, NOT_UNDERSTOOD, type Screen } from './run-operation.ts';

/** Sends the receiver an unsigned callback and reads how it is rejected (docs/contract.md#callbacks). */
export const PROBE_HELP = `Usage: npm run ops -- probe-webhook URL [--timeout SECONDS]

Sends an unsigned callback to the receiver and says what the answer means. Right is a 401 of the application itself.
URL is the origin of the API host, such as https://api.example.com, which probes the path with and without a trailing
slash; or a whole address, which probes that one. Redirects are named and not followed. Exit code 0 only when it is right.
`;
const TIMEOUT_MS = 10_000;

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
    const { right, what, advice } = await probeReceiver(url, limit.signal);
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
  const path = probedAddress(url.origin);
  return { probed: [path, `${path}/`] };
}
