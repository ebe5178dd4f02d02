import { randomUUID } from 'node:crypto';
import type { RoleVariables } from '../../../ops/dev/stack/role-environment.ts';
import type { RoleProcess } from '../../../ops/dev/stack/role-process.ts';
import { createPostgresActorStore } from '../../../persistence/actors/postgres-actor-store.ts';
import { createActorSystem } from '../../../supervisors/actors/deliver.ts';
import { CREDENTIALS } from '../../support/http/console-host.ts';
import { noWaiting } from '../../support/manual-time.ts';
import { opsUrlOf } from '../../support/platform/outcomes.ts';
import { openStagingWorld, STEADY, type StagingWorld } from '../../support/platform/staging-world.ts';
import { bothQueues } from '../../support/worlds/recording-ports.ts';

/** A whole platform whose worker has a console. */
export interface ConsoleWorld {
  readonly world: StagingWorld;
  readonly worker: RoleProcess;
  /** Of the worker's ops server. */
  readonly url: string;
  /** The id of a deletion that the object store rejected permanently. */
  failDeletion(): Promise<string>;
  close(): Promise<void>;
}

export async function openConsoleWorld(variables: RoleVariables = {}): Promise<ConsoleWorld> {
  const world = await openStagingWorld({ webs: 1, workers: 0 });
  try {
    const worker = await world.platform.startWorker({ ...STEADY, ...CREDENTIALS, ...variables });
    const url = await opsUrlOf(world.platform, worker);
    return { world, worker, url, failDeletion: () => failDeletion(world), close: () => world.close() };
  } catch (error) {
    await world.close();
    throw error;
  }
}

/** In one transaction, so that the worker's drain cannot run in between. */
async function failDeletion({ platform }: StagingWorld): Promise<string> {
  const nothing = async () => {};
  const actorSystem = createActorSystem({
    store: createPostgresActorStore(platform.pool),
    queues: bothQueues({ enqueue: nothing, remove: nothing, missing: async () => [], pauseStarts: nothing }),
    nudges: { publish() {} },
    reporter: { report() {}, alert() {}, transition() {}, count() {}, problem() {} },
    timers: noWaiting,
    chance: { id: randomUUID, jitter: () => 0 },
  });
  const at = Date.now();
  const by = { by: 'worker:browser-test' };
  return actorSystem.transaction(async ({ deliver }) => {
    const id = randomUUID();
    const details = { objectKey: `staged/refused-${at}.jpg`, reason: 'STAGED_IMAGE_DELETED' } as const;
    const born = { type: 'CREATED', at, nextAttemptAt: at } as const;
    await deliver({ to: 'newDeletion', id, details, event: born }, by);
    await deliver({ to: 'deletionItem', id, event: { type: 'CLAIMED', at, by: 'browser-test' } }, by);
    const event = {
      type: 'DELETE_FAILED',
      at: at + 40,
      errorClass: 'needs-person',
      jitter: 0,
      error: 'AccessDenied: the key may not delete objects',
    } as const;
    await deliver({ to: 'deletionItem', id, event }, by);
    return id;
  });
}
