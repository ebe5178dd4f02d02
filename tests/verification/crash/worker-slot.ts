import { request } from 'undici';
import type { RoleVariables } from '../../../ops/dev/stack/role-environment.ts';
import type { RoleProcess } from '../../../ops/dev/stack/role-process.ts';
import { eventually } from '../../support/eventually.ts';
import { type HttpGate, openHttpGate, type Ruling } from '../../support/platform/gates.ts';
import type { TestPlatform } from '../../support/platform/platform.ts';
import type { FaultController, Leave } from './fault-controller.ts';
import type { PointName } from './named-points.ts';
import type { StorageFaults } from './outages/storage-faults.ts';

/**
 * A slot for one worker: whenever its process ends, the next one is started, as a hosting platform does. Its
 * requests to the provider and the store pass through gates of this slot.
 */
export interface WorkerSlot {
  /** Starts the first process and waits until it works. */
  open(): Promise<void>;
  process(): RoleProcess;
  /** How many processes have been started here. */
  starts(): number;
  /** Resolves when `beforeProvider` was called for every call that a process here had sent before. */
  callsHeard(): Promise<void>;
  /** Stops the last process and starts no other. */
  close(): Promise<void>;
}

export interface SlotOptions {
  faultController: FaultController;
  storageFaults?: Pick<StorageFaults, 'before'>;
  /** Called for each call to the provider, which goes on when this has resolved. */
  beforeProvider?(method: string, path: string): void | Promise<void>;
  variables?: RoleVariables;
}

/** The path of a create. */
export const CREATE = /^\/v1\/.*predictions$/;
const HEARD = '/heard';
const isStaged = (path: string) => path.includes('/staged/');

export async function openWorkerSlot(
  platform: TestPlatform,
  { faultController, storageFaults, beforeProvider, variables = {} }: SlotOptions,
): Promise<WorkerSlot> {
  let current: RoleProcess | undefined;
  let started = 0;
  let closing = false;
  let isOver = true;
  const at = async (point: PointName, path: string): Promise<Ruling> =>
    rulingOf(await faultController.arrive({ pid: current?.pid ?? 0, point, subject: path }));
  const provider = await openHttpGate(platform.provider.baseUrl, {
    async before(method, path) {
      if (path === HEARD) return { status: 204 };
      await beforeProvider?.(method, path);
      return 'pass' as const;
    },
    after: (method, path) => (method === 'POST' && CREATE.test(path) ? at('before-answer', path) : 'pass'),
  });
  const storage = await openHttpGate(platform.bucket.endpoint, {
    before: async (method, path) => {
      const ruling = await atStore(method, path, at, ['before-put', 'before-delete']);
      return ruling === 'pass' ? ((await storageFaults?.before(method, path)) ?? 'pass') : ruling;
    },
    after: (method, path) => atStore(method, path, at, ['before-put-answer', 'before-delete-answer']),
  });
  const gates: HttpGate[] = [provider, storage];
  const start = async () => {
    current = await platform.startWorker({
      PROVIDER_BASE_URL: provider.url,
      S3_ENDPOINT: storage.url,
      TEST_DESK_URL: faultController.url,
      ...variables,
    });
    started += 1;
    return current;
  };
  const liveOn = async (first: RoleProcess) => {
    for (let process = first; ; process = await start()) {
      await process.exited;
      isOver = closing;
      if (closing) return;
    }
  };
  return {
    async open() {
      const first = await start();
      isOver = false;
      void liveOn(first);
      await first.ready;
    },
    process() {
      if (current === undefined) throw new Error('the slot is not open');
      return current;
    },
    starts: () => started,
    async callsHeard() {
      // Connections are read in the order in which they were made, so this one is new.
      await request(new URL(HEARD, provider.url), { reset: true });
    },
    async close() {
      closing = true;
      await eventually(
        async () => {
          // The next process may be starting.
          if (current?.isRunning()) await current.stop();
          return isOver;
        },
        { what: 'the slot to be empty' },
      );
      for (const gate of gates) await gate.close();
    },
  };
}

/** Puts of results and deletions are named points; other requests pass. */
function atStore(
  method: string,
  path: string,
  at: (point: PointName, path: string) => Promise<Ruling>,
  [put, remove]: [PointName, PointName],
): Ruling | Promise<Ruling> {
  if (method === 'PUT' && isStaged(path)) return at(put, path);
  return method === 'DELETE' ? at(remove, path) : 'pass';
}

/** A gate ignores a block of the event loop: only the worker's own points apply it. */
const rulingOf = (leave: Leave): Ruling => (leave === 'dead' ? 'cut' : 'pass');
