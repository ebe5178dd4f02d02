import { describe, expect, test } from 'vitest';
import { StaleActorError } from '../../persistence/actors/actor-store.ts';
import { deliverWithRetry } from '../../supervisors/activities/deliver-with-retry.ts';
import { eventually } from '../support/eventually.ts';
import { createManualTime } from '../support/manual-time.ts';
import { connectionLost } from '../support/worlds/faulty-store.ts';
import { createRecordingReporter } from '../support/worlds/recording-ports.ts';

const PATIENCE_MS = 10 * 60_000;
const withCode = (code: string) => Object.assign(new Error(`code ${code}`), { code });

/** Delivers an event whose delivery fails `times` with the error, and skips every wait. */
async function delivering(error: Error, times: number) {
  const time = createManualTime();
  let tries = 0;
  let ended: 'heard' | Error | null = null;
  deliverWithRetry({ clock: time, timers: time, reporter: createRecordingReporter() }, {}, async () => {
    tries += 1;
    if (tries <= times) throw error;
  }).then(
    () => {
      ended = 'heard';
    },
    (thrown) => {
      ended = thrown;
    },
  );
  const from = time.now();
  await eventually(
    () => {
      time.advanceToNextWake();
      return ended !== null;
    },
    { what: 'the end of the delivery', intervalMs: 0 },
  );
  return { ended, tries, lasted: time.now() - from };
}

describe('an event that only this process knows', () => {
  test.each([
    ['a lock time-out', withCode('55P03')],
    ['a deadlock', withCode('40P01')],
    ['a serialization failure', withCode('40001')],
    ['a version that has moved on', new StaleActorError('providerAttempt', 'an-id')],
    ['a lost connection', connectionLost()],
  ])('is delivered again after %s', async (_, error) => {
    expect(await delivering(error, 9)).toEqual({ ended: 'heard', tries: 10, lasted: 4_500 });
  });

  test('is given up when the time limit for conflicts or outages is over', async () => {
    const error = withCode('55P03');
    const { ended, lasted } = await delivering(error, Number.POSITIVE_INFINITY);
    expect([ended, lasted]).toEqual([error, PATIENCE_MS]);
  });

  test.each([
    ['a unique index that refuses', withCode('23505')],
    ['a mistake of ours', new TypeError('undefined is not a function')],
  ])('is not delivered again after %s', async (_, error) => {
    expect(await delivering(error, 1)).toEqual({ ended: error, tries: 1, lasted: 0 });
  });
});
