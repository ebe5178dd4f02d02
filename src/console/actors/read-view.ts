import { isFinalState } from '../../../machines/step.ts';
import { ACTOR_KINDS, type ActorKind } from '../../../persistence/actors/actor-kinds.ts';
import { jobOf, readActor, type SeenActor } from '../../../persistence/console/actors.ts';
import { createOperations, type Operations } from '../../operations/catalogue.ts';
import type { OperationPorts } from '../../operations/operation.ts';
import type { Drawing } from '../chart/drawing.ts';
import type { ConsoleContext } from '../context.ts';
import { readPauseSwitch } from '../pause-switch.ts';
import { lookAtQueue } from '../queue-look.ts';
import { createTextScreen } from '../shown-text.ts';
import type { ActorView, AttemptPart } from './actor-page.ts';
import { explainWait } from './explain-actor.ts';
import { factsOf } from './facts.ts';
import { readHistory, stepOf } from './history.ts';
import type { QueueLook, WaitContext } from './wait-context.ts';

export interface ViewReader {
  /** Null when neither a row nor a journal exists for the actor. */
  read(kind: ActorKind, id: string, step: string | undefined): Promise<ActorView | null>;
}

/**
 * Reads the data of an actor's page: the row, the journal, the queue, the pause switch, and the possible
 * operations.
 */
export function createViewReader(
  context: ConsoleContext,
  drawings: ReadonlyMap<string, Drawing>,
): ViewReader {
  const { pool } = context.database;
  const screen = createTextScreen(context.config);
  const { outputHosts } = context.config.provider;
  const ports: OperationPorts = { ...context, pool, outputHosts, scrub: screen };
  const operations = createOperations(ports);
  const { publicBaseUrl } = context.config;
  const hasPrices = Object.keys(context.config.costMicrousd).length > 0;
  return {
    async read(kind, id, stepText) {
      const drawing = drawings.get(kind);
      if (drawing === undefined) return null;
      const seen = await readActor(pool, kind, id);
      const history = await readHistory(pool, { kind, id, actor: seen?.actor ?? null });
      if (seen === null && history.entries.length === 0) return null;
      const at = context.clock.now();
      const queue = seen === null ? null : await queueOf(context, seen);
      const state = seen?.actor.state ?? history.states.at(-1) ?? '';
      return {
        kind,
        id,
        seen,
        history,
        drawing,
        at,
        screen,
        final: isFinalState(ACTOR_KINDS[kind].machine, state),
        wait: seen === null ? null : explainWait(seen, await waitContextOf(context, { at, queue }), screen),
        facts: seen === null ? [] : factsOf(seen, { at, queue, screen, hasPrices, publicBaseUrl }),
        actions: seen === null ? [] : await actionsFor(operations, kind, id),
        step: stepOf(history, stepText),
        attempts: await attemptParts(context, drawings, seen?.attempts ?? []),
      };
    },
  };
}

async function waitContextOf(
  context: ConsoleContext,
  { at, queue }: { at: number; queue: QueueLook | null },
): Promise<WaitContext> {
  const { config, timings } = context;
  return {
    at,
    queue,
    enabled: config.stagingEnabled,
    pauseSwitch: await readPauseSwitch(context),
    startsPerMinute: config.rateLimitPerMinute,
    slotsPerWorker: config.stagingConcurrency,
    pollIntervalMs: config.provider.pollIntervalMs,
    dispatchMs: timings.dispatchMs,
  };
}

/** The queue of the job; for an attempt, the queue of its job. */
async function queueOf(context: ConsoleContext, seen: SeenActor): Promise<QueueLook | null> {
  const job = jobOf(seen);
  if (job === null) return null;
  const { observedQueues, config } = context;
  return lookAtQueue(observedQueues, job.kind, {
    jobId: job.actor.id,
    startsPerMinute: config.rateLimitPerMinute,
  });
}

/** Only operations that would have an effect now. The page of each shows the effect and has the form for the reason. */
async function actionsFor(operations: Operations, kind: string, id: string): Promise<ActorView['actions']> {
  const offered = [];
  for (const operation of operations.operationsFor(kind)) {
    const { outcome } = await operation.preview(id, { force: operation.forceMeans !== null });
    if (outcome === 'applies')
      offered.push({ href: `/console/actions/${operation.name}?id=${id}`, title: operation.title });
  }
  return offered;
}

async function attemptParts(
  { database }: ConsoleContext,
  drawings: ReadonlyMap<string, Drawing>,
  attempts: SeenActor['attempts'],
): Promise<AttemptPart[]> {
  const drawing = drawings.get('providerAttempt');
  if (drawing === undefined) return [];
  return Promise.all(
    attempts.map(async (actor): Promise<AttemptPart> => {
      const { id, state, context } = actor;
      const history = await readHistory(database.pool, { kind: 'providerAttempt', id, actor });
      const final = isFinalState(ACTOR_KINDS.providerAttempt.machine, state);
      return { id, state, final, history, drawing, attemptNumber: context.attemptNumber };
    }),
  );
}
