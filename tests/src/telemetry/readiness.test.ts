import { expect, test } from 'vitest';
import { createReadiness } from '../../../src/telemetry/readiness.ts';

test('every check is reported, with its code and without its message', async () => {
  const failures: string[] = [];
  const readiness = createReadiness(
    {
      database: async () => undefined,
      migrations: async () => ({ pending: 0 }),
      storage: async () => {
        throw Object.assign(new Error('secret host refused'), { code: 'ECONNREFUSED' });
      },
      queue: () => {
        throw new Error('thrown at once');
      },
    },
    { onFailure: (name) => void failures.push(name) },
  );
  expect(await readiness()).toEqual({
    ready: false,
    checks: {
      database: { ok: true },
      migrations: { ok: true, detail: { pending: 0 } },
      storage: { ok: false, code: 'ECONNREFUSED' },
      queue: { ok: false, code: 'FAILED' },
    },
  });
  expect(failures.toSorted()).toEqual(['queue', 'storage']);
});

test('a check that hangs is given up and aborted', async () => {
  let aborted = false;
  const readiness = createReadiness(
    {
      stuck: (signal) =>
        new Promise(() => {
          signal.addEventListener('abort', () => {
            aborted = true;
          });
        }),
    },
    { timeoutMs: 5 },
  );
  expect(await readiness()).toEqual({ ready: false, checks: { stuck: { ok: false, code: 'TIMEOUT' } } });
  expect(aborted).toBe(true);
});

test('calls during a run share its result, a later call runs again', async () => {
  let runs = 0;
  const gate = Promise.withResolvers<undefined>();
  const readiness = createReadiness({
    slow: () => {
      runs += 1;
      return gate.promise;
    },
  });
  const together = [readiness(), readiness(), readiness()];
  gate.resolve(undefined);
  await Promise.all(together);
  expect(runs).toBe(1);
  await readiness();
  expect(runs).toBe(2);
});
