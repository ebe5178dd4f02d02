import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFile, readFile } from 'node:fs/promises';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { describe, expect, onTestFinished, test } from 'vitest';
import {
  addFault,
  changeSettings,
  clearFaults,
  finishPrediction,
  type LedgerEntry,
  ledgerOf,
  purchases,
  releaseHeld,
} from '../../../ops/simulator/control-client.ts';
import { openLedger } from '../../../ops/simulator/ledger.ts';
import { eventually } from '../../support/eventually.ts';
import {
  clientOf,
  openSimulator,
  startReceiver,
  TOKEN,
  temporaryFolder,
} from '../../support/worlds/simulator-harness.ts';

const MAIN = fileURLToPath(new URL('../../../ops/simulator/main.ts', import.meta.url));

interface Program {
  url: string;
  child: ChildProcess;
  output: string[];
  end(signal: NodeJS.Signals): Promise<{ code: number | null; signal: NodeJS.Signals | null }>;
}

async function runProgram(args: string[]): Promise<Program> {
  const child = spawn(process.execPath, [MAIN, ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { PATH: process.env.PATH, PROVIDER_API_TOKEN: TOKEN },
  });
  const exited = once(child, 'exit').then(([code, signal]) => ({ code, signal }));
  onTestFinished(() => void child.kill('SIGKILL'));
  const output: string[] = [];
  createInterface({ input: child.stdout }).on('line', (line) => output.push(line));
  const first = await eventually(() => output[0], { what: 'the line that says where it listens' });
  const end: Program['end'] = (signal) => {
    child.kill(signal);
    return exited;
  };
  return { url: JSON.parse(first).listening, child, output, end };
}

describe('the program', () => {
  test('prints one line, and ends cleanly on SIGTERM while a caller waits for an answer', async () => {
    const dataDir = await temporaryFolder();
    const program = await runProgram(['--port', '0', '--data', dataDir, '--speed', 'instant']);
    const client = clientOf(program.url);
    expect((await client.call('GET', '/v1/predictions')).status).toBe(200);
    const other = await fetch(`${program.url}/v1/predictions`, {
      headers: { authorization: 'Bearer other' },
    });
    expect(other.status).toBe(401);
    await addFault(program.url, { fault: 'timeout-before-acceptance' });
    const unanswered = client.create().catch((error) => error);
    const creates = async () => (await ledgerOf(program.url)).filter(({ kind }) => kind === 'create').length;
    await eventually(async () => (await creates()) === 1, { what: 'the POST to arrive' });
    expect(await program.end('SIGTERM')).toEqual({ code: 0, signal: null });
    expect(await unanswered).toBeInstanceOf(Error);
    expect(program.output).toHaveLength(1);
  });

  test.each([
    [['--help'], 0, 'never-finishes'],
    [['--data', '/tmp/x', '--speed', 'ludicrous'], 1, '--speed'],
    [['--port', '70000'], 1, '--port'],
    [[], 1, '--data'],
  ])('%j exits with %i and prints "%s"', async (args, code, words) => {
    const child = spawn(process.execPath, [MAIN, ...args]);
    let text = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (text += chunk));
    expect((await once(child, 'close'))[0]).toBe(code);
    expect(text).toContain(words);
  });

  test('keeps purchases, secret and running predictions across kill -9', async () => {
    const dataDir = await temporaryFolder();
    const args = ['--data', dataDir, '--speed', 'instant'];
    const receiver = await startReceiver();
    const before = await runProgram(args);
    const client = clientOf(before.url);
    await changeSettings(before.url, { pictures: 'plain', hold: true });
    const webhook = `${receiver.url}/hooks/attempt-a`;
    const held = (await client.create({ user_id: 'u1' }, { webhook, webhook_events_filter: ['completed'] }))
      .body;
    await addFault(before.url, { fault: 'failed', options: { error: 'E003' } });
    const failing = (await client.create({}, { webhook: `${receiver.url}/hooks/attempt-b` })).body;
    await addFault(before.url, { fault: 'timeout-after-acceptance' });
    const lost = client.create({}, { webhook: `${receiver.url}/hooks/attempt-c` }).catch(() => 'lost');
    const bought = async (url: string) => [...purchases(await ledgerOf(url)).keys()];
    await eventually(async () => (await bought(before.url)).length === 3, { what: 'three purchases' });
    const { key } = (await client.call('GET', '/v1/webhooks/default/secret')).body;
    expect(await before.end('SIGKILL')).toMatchObject({ signal: 'SIGKILL' });
    expect(await lost).toBe('lost');

    const after = await runProgram(args);
    const again = clientOf(after.url);
    expect(await bought(after.url)).toEqual(['attempt-a', 'attempt-b', 'attempt-c']);
    expect((await again.call('GET', '/v1/webhooks/default/secret')).body.key).toBe(key);
    expect(await again.get(held.id)).toMatchObject({ status: 'processing', created_at: held.created_at });
    expect(receiver.received).toEqual([]);
    await changeSettings(after.url, { pictures: 'plain' });
    await releaseHeld(after.url);
    const succeeded = await again.ended(held.id);
    expect(succeeded.output[0]).toContain(after.url);
    expect((await fetch(succeeded.output[0])).status).toBe(200);
    expect(await again.ended(failing.id)).toMatchObject({ status: 'failed', error: 'E003' });
    await eventually(
      () =>
        receiver.received.some(({ url, body }) => url === '/hooks/attempt-a' && body.status === 'succeeded'),
      {
        what: 'the callback',
      },
    );
    await after.end('SIGTERM');
  });
});

describe('a restart', () => {
  test('continues with an undelivered callback, under the same id, and repeats no delivered one', async () => {
    const dataDir = await temporaryFolder();
    const receiver = await startReceiver((_attempt, res, req) => {
      res.writeHead(req.url === '/down' && receiver.received.length < 3 ? 503 : 200).end();
    });
    const first = await openSimulator({ dataDir });
    for (const name of ['up', 'down']) {
      const webhook = `${receiver.url}/${name}`;
      await first.ended((await first.create({}, { webhook, webhook_events_filter: ['completed'] })).body.id);
    }
    const tried = async () => (await ledgerOf(first.url)).filter((entry) => entry.kind === 'webhook').length;
    await eventually(async () => (await tried()) === 2, { what: 'both first tries in the ledger' });
    await first.close();
    const second = await openSimulator({ dataDir });
    await receiver.count(3);
    expect(receiver.received.map(({ url }) => url)).toEqual(['/up', '/down', '/down']);
    expect(receiver.received[2]!.headers['webhook-id']).toBe(receiver.received[1]!.headers['webhook-id']);
    const delivered = async () =>
      (await ledgerOf(second.url)).filter(
        (entry) => entry.kind === 'webhook' && entry.attempt === 2 && entry.final,
      );
    await eventually(async () => (await delivered()).length === 1, { what: 'the second try in the ledger' });
  });

  test('keeps released predictions, which continue at their time', async () => {
    let now = Date.now();
    const options = { dataDir: await temporaryFolder(), clock: { now: () => now } };
    const first = await openSimulator(options);
    await addFault(first.url, { fault: 'timing', times: 2, options: { runMs: 3_600_000 } });
    await changeSettings(first.url, { hold: true });
    const freed = (await first.create()).body.id;
    await releaseHeld(first.url);
    await changeSettings(first.url, { hold: true });
    const held = (await first.create()).body.id;
    await eventually(async () => (await first.get(held)).status === 'processing', { what: 'both to run' });
    await first.close();
    now += 3_600_000;
    const second = await openSimulator(options);
    expect((await second.ended(freed)).status).toBe('succeeded');
    expect((await second.get(held)).status).toBe('processing');
  });

  test('releases a prediction that is bought at the same moment', async () => {
    const simulator = await openSimulator();
    for (let round = 0; round < 30; round += 1) {
      await changeSettings(simulator.url, { hold: true });
      const [{ body }] = await Promise.all([simulator.create(), releaseHeld(simulator.url)]);
      expect((await simulator.ended(body.id)).status).toBe('succeeded');
    }
  });

  test('keeps the order of the list and the numbering', async () => {
    const dataDir = await temporaryFolder();
    const first = await openSimulator({ dataDir });
    const ids = [(await first.create()).body.id, (await first.create()).body.id];
    await first.close();
    const second = await openSimulator({ dataDir });
    ids.push((await second.create()).body.id);
    const { results } = (await second.call('GET', '/v1/predictions')).body;
    expect(results.map(({ id }: { id: string }) => id)).toEqual(ids.reverse());
  });
});

describe('the ledger', () => {
  test('holds every create, accepted or rejected, with attempt, user and reason', async () => {
    const simulator = await openSimulator();
    const webhook = 'https://example.com/api/webhooks/provider/staging/attempt-1/';
    await addFault(simulator.url, { fault: 'throttle-body' });
    await simulator.create({ user_id: 'u1' }, { webhook });
    await simulator.create({ user_id: 'u1', aspect_ratio: '4:3' }, { webhook });
    await simulator.call('POST', '/v1/models/openai/gpt-image-2/predictions', '{', {});
    await simulator.create({ user_id: 'u1' }, { webhook });
    const creates = (await ledgerOf(simulator.url)).filter((entry) => entry.kind === 'create');
    expect(creates).toMatchObject([
      { accepted: false, httpStatus: 429, reason: 'throttle-body', attemptId: 'attempt-1', userId: 'u1' },
      { accepted: false, httpStatus: 422, attemptId: 'attempt-1', webhook },
      { accepted: false, httpStatus: 400, attemptId: null },
      {
        accepted: true,
        httpStatus: 201,
        attemptId: 'attempt-1',
        userId: 'u1',
        predictionId: expect.any(String),
      },
    ]);
  });

  test('holds cancels and downloads', async () => {
    const simulator = await openSimulator();
    const { id } = (await simulator.create()).body;
    const { output } = await simulator.ended(id);
    const bytes = (await (await fetch(output[0])).arrayBuffer()).byteLength;
    await simulator.call('POST', `/v1/predictions/${id}/cancel`);
    await simulator.call('POST', '/v1/predictions/unknown/cancel');
    const seen = await ledgerOf(simulator.url);
    expect(seen.filter((entry) => entry.kind === 'download')).toMatchObject([
      { predictionId: id, path: 'out-0.webp', httpStatus: 200, bytes, complete: true, fault: null },
    ]);
    expect(seen.filter((entry) => entry.kind === 'cancel')).toMatchObject([
      { predictionId: id, statusBefore: 'succeeded', httpStatus: 200 },
      { predictionId: 'unknown', statusBefore: null, httpStatus: 404 },
    ]);
  });

  test('has an entry in the file when its POST is answered', async () => {
    const simulator = await openSimulator();
    const { id } = (await simulator.create()).body;
    expect(await readFile(path.join(simulator.dataDir, 'ledger.jsonl'), 'utf8')).toContain(id);
  });

  test('loses only an incomplete last line, and rejects other damage', async () => {
    const dataDir = await temporaryFolder();
    const entry: LedgerEntry = {
      kind: 'cancel',
      at: 1,
      predictionId: 'ü',
      attemptId: null,
      statusBefore: null,
      httpStatus: 404,
      fault: null,
    };
    const write = async () => {
      const ledger = await openLedger(dataDir);
      await Promise.all([ledger.append(entry), ledger.append({ ...entry, at: 2 })]);
      await ledger.close();
    };
    await write();
    await appendFile(path.join(dataDir, 'ledger.jsonl'), '{"kind":"rel');
    await write();
    const ledger = await openLedger(dataDir);
    expect(ledger.entries().map(({ at }) => at)).toEqual([1, 2, 1, 2]);
    await ledger.close();
    await appendFile(path.join(dataDir, 'ledger.jsonl'), 'damage\n');
    await expect(openLedger(dataDir)).rejects.toThrow();
  });

  test('groups the accepted creates by attempt in purchases', async () => {
    const simulator = await openSimulator();
    const buy = async (name: string) =>
      (await simulator.create({ user_id: name }, { webhook: `https://example.com/hooks/${name}` })).body.id;
    const first = await buy('a');
    await buy('b');
    const second = await buy('a');
    await simulator.create();
    const grouped = purchases(await ledgerOf(simulator.url));
    expect([...grouped.keys()]).toEqual(['a', 'b', '']);
    expect(grouped.get('a')!.map(({ predictionId }) => predictionId)).toEqual([first, second]);
    expect(grouped.get('a')![0]).toMatchObject({ userId: 'a', faults: [], at: expect.any(Number) });
  });
});

describe('control', () => {
  test('hold keeps predictions processing until finish or release', async () => {
    const simulator = await openSimulator();
    await changeSettings(simulator.url, { hold: true });
    const create = async () => (await simulator.create()).body.id as string;
    const [failed, given, made, freed] = [await create(), await create(), await create(), await create()];
    await finishPrediction(simulator.url, failed, { status: 'failed', error: 'because' });
    expect(await simulator.get(failed)).toMatchObject({ status: 'failed', error: 'because', output: null });
    await finishPrediction(simulator.url, given, {
      status: 'succeeded',
      output: ['https://example.com/x.webp'],
    });
    expect(await simulator.get(given)).toMatchObject({
      status: 'succeeded',
      output: ['https://example.com/x.webp'],
    });
    await finishPrediction(simulator.url, made, { status: 'succeeded' });
    expect((await simulator.get(made)).output[0]).toContain('/files/');
    await expect(finishPrediction(simulator.url, made, { status: 'failed' })).rejects.toThrow('409');
    expect((await simulator.get(freed)).status).toBe('processing');
    await releaseHeld(simulator.url);
    expect((await simulator.ended(freed)).status).toBe('succeeded');
    expect((await simulator.ended(await create())).status).toBe('succeeded');
  });

  test('rules match by attempt, prompt, number and share, count their uses, and can be cleared', async () => {
    const simulator = await openSimulator();
    const status = async (prompt: string, attempt = 'a') =>
      (await simulator.create({ prompt }, { webhook: `https://example.com/${attempt}` })).status;
    await addFault(simulator.url, { match: { attemptId: 'x' }, fault: 'billing', times: 'always' });
    await addFault(simulator.url, { match: { promptIncludes: 'bath' }, fault: 'refuse-503', times: 2 });
    await addFault(simulator.url, { match: { nth: 3 }, fault: 'unauthorized' });
    expect([await status('bathroom'), await status('a bath'), await status('bathroom')]).toEqual([
      503, 503, 401,
    ]);
    expect([await status('office', 'x'), await status('office', 'x')]).toEqual([402, 402]);
    const { rules } = (await simulator.call('GET', '/__control/faults')).body;
    expect(rules.map(({ used }: { used: number }) => used)).toEqual([2, 2, 1]);
    await clearFaults(simulator.url);
    expect(await status('office', 'x')).toBe(201);
    await addFault(simulator.url, { match: { nth: 2 }, fault: 'unauthorized' });
    expect([await status('a'), await status('b'), await status('c')]).toEqual([201, 401, 201]);
    await addFault(simulator.url, { match: { share: 0.4 }, fault: 'billing', times: 'always' });
    const shared = [];
    for (const prompt of 'abcdefghij') shared.push(await status(prompt));
    expect(shared).toEqual([201, 201, 402, 201, 402, 201, 201, 402, 201, 402]);
  });
});
