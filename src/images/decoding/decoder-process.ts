/**
 * The program of a decoder: handles one picture at a time for the role that started it, and ends with that role. Its
 * memory is limited from outside, its environment has no secrets, and it uses neither network nor database.
 */
import { type DecodeAnswer, type DecodeRequest, describeThrown } from './decode-messages.ts';
import { DECODE_TASKS } from './decode-tasks.ts';

// A stop is sent to a whole group of processes; the role decides when its decoders are no longer needed.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => {});

// An ordinary exit would wait for the threads that decode.
process.on('disconnect', () => process.kill(process.pid, 'SIGKILL'));

process.on('message', async ({ task, order, bytes }: DecodeRequest) => {
  const work = DECODE_TASKS[task] as (bytes: Buffer, ...order: unknown[]) => Promise<unknown>;
  const picture = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const ending = await work(picture, ...order).then(
    (result) => ({ kind: 'done', result }) as const,
    (error: unknown) => describeThrown(error),
  );
  process.send?.({ ...ending, rss: process.memoryUsage.rss() } satisfies DecodeAnswer);
});

// The first message reports that it is ready for work.
process.send?.({ kind: 'ready' });
