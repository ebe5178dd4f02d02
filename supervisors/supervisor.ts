import type { Clock, Reporter } from './ports.ts';
import type { Service } from './service.ts';

/**
 * Restarts what crashes. `one_for_one` restarts the child alone; `rest_for_one` also those started after it.
 * A child that crashes more often than its intensity takes this supervisor down: its other children are
 * stopped, `done` rejects, and whoever supervises it decides, up to the process, which exits non-zero.
 * Source: architecture.md section 5.
 */
export interface ChildSpec {
  name: string;
  /** A fresh service for each (re)start. */
  create(): Service;
  shutdownMs: number;
}
export interface SupervisorSpec {
  name: string;
  strategy: 'one_for_one' | 'rest_for_one';
  /** More restarts than `restarts` within `withinMs` are too many. */
  intensity: { restarts: number; withinMs: number };
  children: ChildSpec[];
  clock: Clock;
  reporter: Reporter;
}

export function createSupervisor(spec: SupervisorSpec): Service {
  const { clock, reporter } = spec;
  const live = new Map<string, Service>();
  const restartsAt: number[] = [];
  let stopping = false;
  let stopped: Promise<void> | null = null;
  const { promise: ended, resolve: end, reject: crash } = Promise.withResolvers<void>();
  ended.catch(() => {});
  /** Restarts run one after another, so that rest_for_one never meets itself. */
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
    // The restart of a child above it may have replaced it already.
    if (stopping || live.get(child.name) !== crashed) return;
    const now = clock.now();
    restartsAt.push(now);
    const recent = restartsAt.filter((at) => at > now - spec.intensity.withinMs).length;
    if (recent > spec.intensity.restarts) throw new Error(`${child.name} crashed ${recent} times in a row`);
    const from = spec.children.indexOf(child);
    const affected = spec.strategy === 'one_for_one' ? [child] : spec.children.slice(from);
    for (const one of affected.toReversed()) await stopChild(one, one.shutdownMs);
    for (const one of affected) {
      if (stopping) return;
      await startChild(one);
    }
  };
  /** A child that cannot even stop must not keep the others from it. */
  const stopChild = async (child: ChildSpec, graceMs: number): Promise<void> => {
    await live
      .get(child.name)
      ?.stop(graceMs)
      .catch((error) => reporter.problem(`${spec.name}/${child.name} did not stop cleanly`, error));
  };
  const giveUp = async (error: unknown): Promise<void> => {
    if (stopping) return;
    reporter.problem(`${spec.name} gives up`, error);
    await stopAll(null);
    crash(error instanceof Error ? error : new Error(String(error)));
  };
  const stopAll = async (graceMs: number | null): Promise<void> => {
    stopping = true;
    for (const child of spec.children.toReversed())
      await stopChild(child, Math.min(graceMs ?? child.shutdownMs, child.shutdownMs));
  };
  const halt = async (graceMs: number): Promise<void> => {
    stopping = true;
    // What a restart under way has started must be there to be stopped.
    await restarting;
    await stopAll(graceMs);
    end();
  };

  return {
    name: spec.name,
    async start() {
      for (const child of spec.children) await startChild(child);
    },
    done: () => ended,
    stop(graceMs) {
      stopped ??= halt(graceMs);
      return stopped;
    },
  };
}
