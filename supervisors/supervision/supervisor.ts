import { abortAfter } from '../concurrency/linked-abort.ts';
import type { Clock, Reporter, Timers } from '../ports.ts';
import type { Service } from './service.ts';

/**
 * Restarts what crashes. `one_for_one` restarts the child alone; `rest_for_one` also those started after it. A child
 * that crashes more often than its intensity takes this supervisor down: its other children are stopped, `done`
 * rejects, and the supervisor above decides, up to the process, which exits non-zero. A stop reaches all children at
 * once: first none of them begins anything new, then all share one deadline. Source:
 * ARCHITECTURE.md#delivery-and-supervision.
 */
export interface ChildSpec {
  name: string;
  /** A fresh service for each (re)start. */
  create(): Service;
}
export interface SupervisorSpec {
  name: string;
  strategy: 'one_for_one' | 'rest_for_one';
  /** More restarts than `restarts` within `withinMs` are too many. */
  intensity: { restarts: number; withinMs: number };
  children: ChildSpec[];
  clock: Clock;
  timers: Timers;
  reporter: Reporter;
}

/**
 * How long a restart waits for work that uses the crashed child. Shorter than the rest of a lease when its keeper
 * crashes, so that nothing acts under an expired lease.
 */
export const RESTART_GRACE_MS = 5_000;

export function createSupervisor(spec: SupervisorSpec): Service {
  const { clock, timers, reporter } = spec;
  const live = new Map<string, Service>();
  const restartsAt: number[] = [];
  let stopping = false;
  let stopped: Promise<void> | null = null;
  const { promise: ended, resolve: end, reject: crash } = Promise.withResolvers<void>();
  // The owner awaits `done`; this keeps an early crash from being an unhandled rejection.
  ended.catch(() => {});
  /** Restarts run one after another, so that two rest_for_one restarts never overlap. */
  let restarting: Promise<void> = Promise.resolve();

  const startChild = async (child: ChildSpec): Promise<void> => {
    const service = child.create();
    live.set(child.name, service);
    await service.start();
    service.done().catch((error) => {
      if (stopping || live.get(child.name) !== service) return;
      reporter.problem(`${spec.name}/${child.name} crashed`, error);
      restarting = restarting.then(() => restart(child, service)).catch(giveUp);
    });
  };
  const restart = async (child: ChildSpec, crashed: Service): Promise<void> => {
    // The restart of an earlier child may have replaced it already.
    if (stopping || live.get(child.name) !== crashed) return;
    const now = clock.now();
    restartsAt.push(now);
    const recent = restartsAt.filter((at) => at > now - spec.intensity.withinMs).length;
    if (recent > spec.intensity.restarts) throw new Error(`${child.name} crashed ${recent} times in a row`);
    const from = spec.children.indexOf(child);
    const affected = spec.strategy === 'one_for_one' ? [child] : spec.children.slice(from);
    await stopWithin(RESTART_GRACE_MS, affected);
    for (const one of affected) {
      if (stopping) return;
      await startChild(one);
    }
  };
  const stopWithin = async (graceMs: number, children: ChildSpec[]): Promise<void> => {
    const deadline = abortAfter(timers, graceMs);
    await stopAll(deadline.signal, children);
    deadline.release();
  };
  const stopClaiming = (children: ChildSpec[]): void => {
    for (const { name } of children) live.get(name)?.stopClaiming?.();
  };
  /** A child that fails to stop must not keep the others from stopping. */
  const stopAll = async (deadline: AbortSignal, children: ChildSpec[]): Promise<void> => {
    stopClaiming(children);
    const stopOne = async ({ name }: ChildSpec): Promise<void> => live.get(name)?.stop(deadline);
    const report =
      ({ name }: ChildSpec) =>
      (error: unknown) =>
        reporter.problem(`${spec.name}/${name} did not stop cleanly`, error);
    await Promise.all(children.map((child) => stopOne(child).catch(report(child))));
  };
  const giveUp = async (error: unknown): Promise<void> => {
    if (stopping) return;
    stopping = true;
    reporter.problem(`${spec.name} gives up`, error);
    await stopWithin(RESTART_GRACE_MS, spec.children);
    crash(error instanceof Error ? error : new Error(String(error)));
  };
  const halt = async (deadline: AbortSignal): Promise<void> => {
    stopping = true;
    await stopAll(deadline, spec.children);
    end();
  };

  return {
    name: spec.name,
    async start() {
      for (const child of spec.children) if (!stopping) await startChild(child);
    },
    done: () => ended,
    stopClaiming() {
      stopping = true;
      stopClaiming(spec.children);
    },
    stop(deadline) {
      stopped ??= halt(deadline);
      return stopped;
    },
  };
}
