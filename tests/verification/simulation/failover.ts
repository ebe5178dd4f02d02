import { DOWNLOAD_BACKOFF_MAX_MS, PREDICTION_FORGOTTEN_MS } from '../../../machines/limits.ts';
import type { PauseSwitchEvent } from '../../../machines/pause-switch.ts';
import { PAUSE_SWITCH_ID } from '../../../persistence/actors/rows/pause-switch-row.ts';
import {
  createStandbyConfirmation,
  durably,
  type StandbyConfirmation,
} from '../../../persistence/standbys/confirmation.ts';
import type { Random } from '../../support/random.ts';
import type { Coverage } from './coverage.ts';
import type { Faults } from './faults.ts';
import { createDatabaseServers, type Replacement } from './memory/database-servers.ts';
import { onceCommitted } from './memory/memory-store.ts';
import { isOnTrustedServer } from './memory/server-identity.ts';
import { type Commit, ORIGINAL, type Server } from './memory/session.ts';
import { HEARTBEAT_ID, type Tables } from './memory/tables.ts';
import type { Purchase } from './provider.ts';
import type { SimulatedProcess, Universe } from './universe.ts';

/**
 * A database with a standby: it is promoted when that hurts most, and the first server may come back on its own disk. What
 * must hold then: a claim is made on a trusted server only (I44), every purchase belongs to an attempt or is named (I41),
 * no job was bought more often than its attempts know (I2), and no answered decision is forgotten in silence (I43).
 */
export interface Failover {
  readonly durability: 'local' | 'standby';
  committed(commit: Commit): void;
  /** A create begins. */
  posted(): void;
  /** Null when nothing waits for a standby. */
  confirmation(process: SimulatedProcess): StandbyConfirmation | null;
  /** As `src/web/durable-answers.ts`: does the work, and answers it when it may. */
  decide(
    ports: { process: SimulatedProcess; confirmation: StandbyConfirmation | null },
    decision: Decision,
    work: () => Promise<boolean>,
  ): Promise<void>;
  /** Claims that no server knows any more, although no one waited for a standby. */
  readonly forgottenClaims: ReadonlySet<string>;
  /** Objects of rows that differ between two servers: what was made or deleted of them is unknown. */
  readonly doubtfulKeys: ReadonlySet<string>;
  /** The purchases were compared with the rows of this server, and the pause switch is open. */
  readonly isCompared: boolean;
  /** What is wrong with the rows now. `quiet`: nothing is under way. */
  breaches(given: { quiet: boolean }): string[];
}

/** A picture is withdrawn or rejected, or an original deleted, with its pictures. */
export type Decision =
  | { kind: 'WITHDRAW' | 'REJECT'; id: string; at: number }
  | { kind: 'DELETE'; id: string };

const MAX_PROMOTIONS = 2;
/** Before the claim has reached the standby, or perhaps after it. */
const AFTER_CLAIM_MS = [20, 1_500] as const;
const AFTER_POST_MS = 500;
const AFTER_FIRST_LOOK_MS = 1_500;
const BACK_AFTER_MS = [40_000, 360_000] as const;
const OUTAGE_MS = [500, 8_000] as const;
/** Same as in persistence/standbys/confirmation.ts. */
const CONFIRM_MS = 2_000;
const HEARD_MS = 30_000;

export function createFailover(options: {
  server: Server;
  universe: Universe;
  random: Random;
  faults: Faults;
  coverage: Pick<Coverage, 'see'>;
  /** Attempts whose create was in flight when their process ended. */
  cutOff: Set<string>;
  ledger(): readonly Purchase[];
  note(line: string): void;
  breach(line: string): void;
  replaced(): void;
}): Failover {
  const { server, universe, random, faults, coverage, note } = options;
  const durability = random.pick(['local', 'standby'] as const);
  const forgottenClaims = new Set<string>();
  const doubtfulKeys = new Set<string>();
  /** Purchases that a comparison has named. */
  const named = new Set<string>();
  const answered: { decision: Decision; server: string; at: number }[] = [];
  /** Of each promoted server: the one that it was the standby of, and until when. */
  const parents = new Map<string, { server: string; until: number }>();
  let replacedAt = Number.NEGATIVE_INFINITY;
  let promotions = 0;

  const replaced = ({ how, from, to, forgotten }: Replacement) => {
    note(`${to.identity} ${how}: ${forgotten.length} transitions of ${from.identity} are forgotten`);
    replacedAt = universe.now();
    faults.loseDatabase(random.between(...OUTAGE_MS));
    if (how === 'promoted') parents.set(to.identity, { server: from.identity, until: replacedAt });
    coverage.see(how === 'promoted' ? 'standby promoted' : 'first server back on its own disk');
    if (to.database.tables.startGate.get(PAUSE_SWITCH_ID)?.context.server === null)
      coverage.see('standby promoted before it knew a trusted server');
    for (const { id, event } of forgotten) {
      if (event.type !== 'SEND_CLAIMED') continue;
      coverage.see('claim forgotten by a promoted server');
      // A confirmed claim is on the standby that is promoted.
      if (durability === 'local' || how === 'came back') forgottenClaims.add(id);
    }
    for (const key of differing(from.database.tables, to.database.tables)) doubtfulKeys.add(key);
    options.replaced();
  };
  // The migration has just been applied.
  server.database.tables.heartbeat.set(HEARTBEAT_ID, { at: universe.now() });
  const servers = createDatabaseServers({
    server,
    universe,
    random,
    isSlow: () => faults.inject('standby-lags'),
    replaced,
  });
  const promoteSoon = (withinMs: number) => {
    if (promotions === MAX_PROMOTIONS) return;
    promotions += 1;
    universe.at(universe.now() + random.between(0, withinMs), servers.promote);
    if (faults.inject('first-comes-back'))
      universe.at(universe.now() + random.between(...BACK_AFTER_MS), () => {
        // Operators repair only once.
        if (!faults.isOver) servers.comeBack();
      });
  };
  /** Whether this server is the one that answered then, or was its standby. */
  const mustKnow = (made: { server: string; at: number }): boolean => {
    let identity = server.identity;
    let until = Number.POSITIVE_INFINITY;
    while (identity !== made.server) {
      const parent = parents.get(identity);
      if (parent === undefined) return false;
      ({ server: identity, until } = parent);
    }
    return made.at <= until;
  };
  const pauseSwitch = () => server.database.tables.startGate.get(PAUSE_SWITCH_ID);
  const gate = () => pauseSwitch()?.context;
  const isCompared = () => pauseSwitch()?.state === 'OPEN' && (gate()?.trustedAt ?? 0) >= replacedAt;

  const checkClaim = (attemptId: string, begunAt: number) => {
    const beat = server.database.tables.heartbeat.get(HEARTBEAT_ID)?.at ?? 0;
    const trusted = gate()?.server ?? ORIGINAL;
    if (trusted !== server.identity)
      options.breach(`I44 attempt ${attemptId} was claimed on ${server.identity}, trusted is ${trusted}`);
    if (gate()?.server !== null && begunAt - beat > HEARD_MS)
      options.breach(
        `I44 attempt ${attemptId} was claimed on a server not heard of for ${begunAt - beat} ms`,
      );
  };
  const isForgotten = (decision: Decision): boolean => {
    const { tables, journal } = server.database;
    if (decision.kind === 'DELETE') return tables.original.has(decision.id);
    const { kind, id, at } = decision;
    return (
      tables.imageReview.get(id)?.state === 'APPROVED' &&
      !journal.some((row) => row.id === id && row.event.type === kind && row.event.at === at)
    );
  };

  const silentDecisions = (): string[] => {
    return answered.flatMap(({ decision: { kind, id }, ...made }, index) => {
      if (!isForgotten(answered[index]!.decision)) return [];
      if (durability === 'standby' && mustKnow(made))
        return [
          `I43 ${kind} of ${id} was answered on ${made.server} and ${server.identity} knows nothing of it`,
        ];
      if (!isCompared()) return [];
      if ((gate()?.gapFrom ?? null) === null)
        return [`I43 ${kind} of ${id} is forgotten, and no gap says so`];
      coverage.see('decision forgotten in a gap');
      return [];
    });
  };
  const unknownPurchases = (): string[] => {
    const { providerAttempt, stagingJob } = server.database.tables;
    const attempts = providerAttempt.inOrder();
    const known = new Set(
      attempts.flatMap(({ context }) => [context.providerPredictionId, context.strayPredictionId]),
    );
    const bought = Map.groupBy(options.ledger(), ({ jobId }) => jobId);
    return [...bought].flatMap(([jobId, purchases]) => {
      const own = attempts.filter((attempt) => attempt.jobId === jobId);
      const unknown = purchases.filter(
        ({ predictionId, attemptId, textJobId }) =>
          !known.has(predictionId) &&
          !named.has(predictionId) &&
          // A text calls no one back: when its job is over without it, no one can tell whose it is.
          textJobId === null &&
          !own.some(({ id }) => id === attemptId),
      );
      const strays = own.filter(({ context }) => context.strayPredictionId !== null).length;
      const wanted = purchases.filter(({ predictionId }) => !named.has(predictionId)).length;
      return [
        ...unknown.map(
          ({ predictionId }) => `I41 prediction ${predictionId} of job ${jobId} belongs to no attempt`,
        ),
        ...(stagingJob.has(jobId) && wanted > Math.max(1, own.length + strays)
          ? [`I2 job ${jobId} was bought ${wanted} times in ${own.length} attempts`]
          : []),
      ];
    });
  };

  /** A purchase is given up only once the provider will have deleted its output. */
  const givenUpEarly = (): string[] => {
    const made = new Map(options.ledger().map(({ predictionId, acceptedAt }) => [predictionId, acceptedAt]));
    return server.database.journal.flatMap(({ id, event, to }) => {
      if (event.type !== 'DOWNLOAD_FAILED' || to !== 'FAILED') return [];
      const known = server.database.tables.providerAttempt.get(id)?.context.providerPredictionId ?? '';
      const age = event.at - (made.get(known) ?? 0);
      return age < PREDICTION_FORGOTTEN_MS - 2 * DOWNLOAD_BACKOFF_MAX_MS
        ? [`I29 attempt ${id} was given up ${age} ms after its purchase, while its output was there`]
        : [];
    });
  };

  return {
    durability,
    forgottenClaims,
    doubtfulKeys,
    get isCompared() {
      return isCompared();
    },
    posted() {
      if (faults.inject('promoted-while-buying')) promoteSoon(AFTER_POST_MS);
    },
    committed(commit) {
      servers.committed(commit);
      for (const { id, event } of commit.entries) {
        if (event.type === 'SEND_CLAIMED') {
          checkClaim(id, commit.begunAt);
          if (faults.inject('promoted-while-buying')) promoteSoon(random.pick(AFTER_CLAIM_MS));
        }
        // Perhaps before the standby knows which server is trusted.
        if (event.type === 'SERVER_SEEN' && promotions === 0 && faults.inject('promoted-while-buying'))
          promoteSoon(AFTER_FIRST_LOOK_MS);
        if (event.type === 'CLAIM_DISPROVED') {
          coverage.see('claim that the list disproves');
          options.cutOff.delete(id);
        }
        if (event.type !== 'CHECK_PASSED') continue;
        const {
          adopted,
          forgotten,
          setAside = [],
        } = event as Extract<PauseSwitchEvent, { type: 'CHECK_PASSED' }>;
        coverage.see('purchase given to its job after a failover', adopted);
        coverage.see('purchase that no job wants after a failover', forgotten.length);
        // Operators know of them: one without a job, and one of a job that was quarantined before they release it.
        for (const predictionId of [...forgotten, ...setAside]) named.add(predictionId);
        if (replacedAt < 0) coverage.see('silent server compared');
      }
    },
    confirmation: (process) =>
      durability === 'local'
        ? null
        : createStandbyConfirmation({
            now: process.now,
            reportProblem: () => coverage.see('claim not confirmed by a standby'),
            async open() {
              await process.hop('db: connect for confirmations');
              return {
                end: async () => {},
                async confirm() {
                  await process.hop('db: confirm');
                  const { identity } = server;
                  const isTrusted = onceCommitted(server, process.name, isOnTrustedServer);
                  const arrival = servers.arrival() ?? Number.POSITIVE_INFINITY;
                  await process.sleep(Math.min(arrival - process.now(), CONFIRM_MS));
                  if (server.identity !== identity) throw new Error('Connection terminated unexpectedly');
                  const isThere = arrival <= process.now();
                  await process.hop('db: confirmed');
                  return isThere ? { server: identity, isTrusted } : null;
                },
              };
            },
          }),
    async decide({ process, confirmation }, decision, work) {
      const { identity } = server;
      const done = async () => {
        const isDone = await work();
        if (isDone && faults.inject('promoted-while-deciding')) promoteSoon(random.pick(AFTER_CLAIM_MS));
        return isDone;
      };
      if (confirmation === null) {
        if (await done()) answered.push({ decision, server: identity, at: process.now() });
        return;
      }
      const connected = async () => {
        await process.hop('db: which server');
        const { identity } = server;
        await process.hop('db: this server');
        return identity;
      };
      const { result, isDurable } = await durably({ server: connected, confirmation }, done);
      if (result.status === 'rejected') throw result.reason;
      if (!isDurable) return coverage.see('decision refused because no standby has it');
      if (result.value) answered.push({ decision, server: identity, at: process.now() });
    },
    breaches: ({ quiet }) => [...silentDecisions(), ...givenUpEarly(), ...(quiet ? unknownPurchases() : [])],
  };
}

/** The objects of rows that one of two servers has and the other has not, or has otherwise. */
function differing(from: Tables, to: Tables): string[] {
  const keysOf = (one: Tables, other: Tables) => [
    ...[...one.imageReview].flatMap(([id, row]) =>
      other.imageReview.get(id) === row ? [] : [row.objectKey],
    ),
    ...[...one.deletionItem].flatMap(([id, row]) =>
      other.deletionItem.get(id) === row ? [] : [row.objectKey],
    ),
    ...[...one.original].flatMap(([id, row]) =>
      other.original.get(id) === row ? [] : [row.objectKey, row.providerInputKey],
    ),
    ...[...one.providerAttempt].flatMap(([id, row]) =>
      other.providerAttempt.get(id) === row ? [] : [row.context.objectKey ?? ''],
    ),
  ];
  return [...keysOf(from, to), ...keysOf(to, from)];
}
