import type { Pool } from 'pg';
import { purchaseKindOf } from '../../machines/purchase-kinds.ts';
import { suspendedAccounts, toursToEnd, unboughtJobs } from '../../persistence/accounts/suspensions.ts';
import { openToursOfListing, takenDownWithTours } from '../../persistence/listings/take-downs.ts';
import type { ActorSystem } from '../actors/deliver.ts';
import type { Origin } from '../actors/messages.ts';
import { type Clock, type InTurn, type Reporter, type Timers, turnEvery } from '../ports.ts';
import { createSweeper, eachRow, type Sweeper } from './sweeper.ts';

/**
 * What follows from a suspension or a take-down through the machines of tours and jobs. The operator's act is committed
 * first; this may be repeated at any time, and the sweep repeats it after a crash, and for calls that committed later.
 */
export interface SuspensionPorts {
  pool: Pool;
  actorSystem: Pick<ActorSystem, 'deliver'>;
  clock: Clock;
}

const PAGE = 200;

/** Cancels the open tours of a suspended person and of their listings, and their jobs for which nothing was bought. */
export async function finishSuspension(
  ports: SuspensionPorts,
  personId: string,
  origin: Origin,
): Promise<void> {
  const { pool, actorSystem, clock } = ports;
  await eachPage(
    (afterId) => toursToEnd(pool, personId, { afterId, limit: PAGE }),
    (id) => {
      const event = { type: 'PARTY_SUSPENDED', at: clock.now(), actor: 'system' } as const;
      return actorSystem.deliver({ to: 'tour', id, event }, origin);
    },
  );
  await eachPage(
    (afterId) => unboughtJobs(pool, personId, { afterId, limit: PAGE }),
    (id, { type }) => {
      const event = { type: 'CANCEL_ASKED', at: clock.now() } as const;
      return actorSystem.deliver({ to: purchaseKindOf(type), id, event }, origin);
    },
  );
}

/** Cancels the open tours of a listing that is taken down. */
export async function endToursOfListing(
  { pool, actorSystem, clock }: SuspensionPorts,
  propertyId: string,
  origin: Origin,
): Promise<void> {
  await eachPage(
    (afterId) => openToursOfListing(pool, propertyId, { afterId, limit: PAGE }),
    (id) => {
      const event = { type: 'LISTING_LEFT_MARKET', at: clock.now(), actor: 'system' } as const;
      return actorSystem.deliver({ to: 'tour', id, event }, origin);
    },
  );
}

async function eachPage<R extends { id: string }>(
  page: (afterId: string | null) => Promise<R[]>,
  work: (id: string, row: R) => Promise<unknown>,
): Promise<void> {
  for (let afterId: string | null = null; ; ) {
    const rows: R[] = await page(afterId);
    for (const row of rows) await work(row.id, row);
    if (rows.length < PAGE) return;
    afterId = rows.at(-1)?.id ?? null;
  }
}

interface SweeperPorts extends SuspensionPorts {
  inTurn: InTurn;
  timers: Timers;
  reporter: Reporter;
  /** Milliseconds. */
  intervalMs: number;
  node: string;
}

export function createSuspensionSweeper(ports: SweeperPorts): Sweeper {
  const { pool, reporter, node } = ports;
  const origin = { by: `worker:${node}` };
  const sweep = async (signal: AbortSignal) => {
    const walk = { reporter, signal, what: 'suspension sweeper' };
    await eachRow(
      walk,
      (afterId) => suspendedAccounts(pool, { afterId, limit: PAGE }),
      async (personId) => {
        await finishSuspension(ports, personId, origin);
        return true;
      },
    );
    await eachRow(
      walk,
      (afterId) => takenDownWithTours(pool, { afterId, limit: PAGE }),
      async (propertyId) => {
        await endToursOfListing(ports, propertyId, origin);
        return true;
      },
    );
  };
  const turn = { name: 'suspensions', everyMs: turnEvery(ports.intervalMs) };
  return createSweeper({
    ...ports,
    name: 'suspension-sweeper',
    sweep: async (signal) => void (await ports.inTurn(turn, () => sweep(signal))),
  });
}
