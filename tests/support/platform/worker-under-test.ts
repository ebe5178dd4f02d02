import { configSecrets, loadConfigOrExit } from '../../../src/config/config.ts';
import { runRole } from '../../../src/role/process.ts';
import { startWorker } from '../../../src/worker/compose.ts';
import type { CheckpointName } from '../../../supervisors/ports.ts';
import { QUICK_FEED_TIMINGS, quickProfile } from '../feeds/quick-profiles.ts';

/**
 * The worker role as it is, with quicker loops, and able to die at a named point: TEST_KILL_AT=after-claim
 * kills it with SIGKILL the first time it comes there; TEST_STOP_AT stops it there with SIGSTOP instead, and
 * TEST_TERM_AT sends it SIGTERM there. With TEST_DESK_URL it asks the fault controller at every point whether
 * to go on, so that the test can kill it there (tests/verification/crash/fault-controller.ts).
 */
const killAt = process.env.TEST_KILL_AT as CheckpointName | undefined;
const stopAt = process.env.TEST_STOP_AT as CheckpointName | undefined;
const termAt = process.env.TEST_TERM_AT as CheckpointName | undefined;
/** Short, so that takeovers come soon; on a busy machine it may be lost, so other tests set a longer one. */
const leaseMs = Number(process.env.TEST_LEASE_MS ?? 2_000);
const faultControllerUrl = process.env.TEST_DESK_URL;
/** TEST_QUICK_FEEDS=true: feeds have small pages and are read again after a second. */
const areFeedsQuick = process.env.TEST_QUICK_FEEDS === 'true';
let stoppedOnce = false;
let askedOnce = false;

const config = loadConfigOrExit('worker');
await runRole({
  config,
  secrets: configSecrets(config),
  start: (context) =>
    startWorker(config, {
      ...context,
      overrides: {
        timings: {
          lease: { ttlMs: leaseMs, heartbeatMs: leaseMs / 4 },
          dispatchMs: 500,
          rescueMs: 200,
          searchSweepMs: 200,
          alertsMs: 500,
          pauseSwitchMs: 200,
          gaugesMs: 500,
          costsMs: 500,
          provenanceMs: 500,
          drainMs: 500,
          drainScheduleMs: 500,
          driftMs: 500,
          photoCheckMs: 100,
          serverSettleMs: 3_000,
          ...(areFeedsQuick ? QUICK_FEED_TIMINGS : {}),
        },
        ...(areFeedsQuick ? { feedProfileOf: quickProfile } : {}),
        async checkpoint(name, subject) {
          if (faultControllerUrl !== undefined)
            await askFaultController(faultControllerUrl, { point: name, subject });
          if (name === killAt) {
            process.kill(process.pid, 'SIGKILL');
            await new Promise(() => {});
          }
          if (name === stopAt && !stoppedOnce) {
            stoppedOnce = true;
            process.kill(process.pid, 'SIGSTOP');
          }
          if (name === termAt && !askedOnce) {
            askedOnce = true;
            process.kill(process.pid, 'SIGTERM');
          }
        },
      },
    }),
});

/**
 * Goes on when the fault controller says so or no longer answers; `block N` blocks the event loop for N ms.
 */
async function askFaultController(url: string, visit: { point: string; subject: string }): Promise<void> {
  const body = JSON.stringify({ pid: process.pid, ...visit });
  const order = await fetch(url, { method: 'POST', body }).then(
    (answer) => answer.text(),
    () => 'go',
  );
  const blockMs = /^block (\d+)$/.exec(order)?.[1];
  if (blockMs !== undefined) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, Number(blockMs));
}
