import { randomBytes, randomUUID } from 'node:crypto';
import { Agent, request } from 'undici';

/**
 * A process that posts forged callbacks. Arguments: the origin, and how many a second. It starts at the input
 * line `on`, stops at `off`, and at the end of the input prints its counts of answers as JSON.
 */
const [origin = '', perSecond = '0'] = process.argv.slice(2);
const TICK_MS = 10;
const BODY_BYTES = 2_048;
/** The maximum of open requests: an attacker has a limited number of sockets, too. */
const MOST_UNDER_WAY = 256;

const dispatcher = new Agent({ connections: MOST_UNDER_WAY });
const answers: Record<string, number> = {};
let isOn = false;
let owed = 0;
let underWay = 0;

const timer = setInterval(() => {
  if (!isOn) return;
  owed += (Number(perSecond) * TICK_MS) / 1_000;
  for (; owed >= 1 && underWay < MOST_UNDER_WAY; owed -= 1) void forge();
  owed = Math.min(owed, MOST_UNDER_WAY);
}, TICK_MS);

async function forge(): Promise<void> {
  underWay += 1;
  const body = JSON.stringify({ id: randomUUID(), status: 'succeeded', output: 'x'.repeat(BODY_BYTES) });
  const answer = await request(`${origin}/api/webhooks/provider/staging/${randomUUID()}`, {
    dispatcher,
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'webhook-id': randomUUID(),
      'webhook-timestamp': String(Math.floor(Date.now() / 1_000)),
      'webhook-signature': `v1,${randomBytes(32).toString('base64')}`,
    },
    body,
  }).then(
    async ({ statusCode, body: words }) => {
      await words.dump();
      return String(statusCode);
    },
    (error: Error & { code?: string }) => error.code ?? error.name,
  );
  answers[answer] = (answers[answer] ?? 0) + 1;
  underWay -= 1;
}

process.stdin.setEncoding('utf8').on('data', (text: string) => {
  const last = text.trim().split('\n').at(-1);
  isOn = last === 'on';
});
process.stdin.on('end', () => {
  clearInterval(timer);
  process.stdout.write(`${JSON.stringify(answers)}\n`);
  void dispatcher.destroy();
});
