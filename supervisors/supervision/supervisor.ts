import { abortAfter } from '../concurrency/linked-abort.ts';
import type { Clock, Reporter, Timers } from '../ports.ts';
import type { Service } from './service.ts';

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

/**
 * Restarts what crashes. `one_for_one` restarts the child alone; `rest_for_one` also those started after it. A child
 * that crashes more often than its intensity takes this supervisor down: its other children are stopped, `done`
 * rejects, and the supervisor above decides, up to the process, which exits non-zero. A stop reaches all children at
 * once: first none of them begins anything new, then all share one deadline. Source:
 * ARCHITECTURE.md#delivery-and-supervision.
 */
export class Supervisor implements Service {
  readonly name: string;
  readonly #spec: SupervisorSpec;
  readonly #live = new Map<string, Service>();
  readonly #restartsAt: number[] = [];
  readonly #ended = Promise.withResolvers<void>();
  #stopping = false;
  #stopped: Promise<void> | null = null;
  /** Restarts run one after another, so that two rest_for_one restarts never overlap. */
  #restarting: Promise<void> = Promise.resolve();

  constructor(spec: SupervisorSpec) {
    this.name = spec.name;
    this.#spec = spec;
    // The owner awaits `done`; this keeps an early crash from being an unhandled rejection.
    this.#ended.promise.catch(() => {});
  }

  async start(): Promise<void> {
    for (const child of this.#spec.children) if (!this.#stopping) await this.#startChild(child);
  }

  done(): Promise<void> {
    return this.#ended.promise;
  }

  stopClaiming(): void {
    this.#stopping = true;
    this.#stopClaimingOf(this.#spec.children);
  }

  stop(deadline: AbortSignal): Promise<void> {
    this.#stopped ??= this.#halt(deadline);
    return this.#stopped;
  }

  async #startChild(child: ChildSpec): Promise<void> {
    const service = child.create();
    this.#live.set(child.name, service);
    await service.start();
    service.done().catch((error) => {
      if (this.#stopping || this.#live.get(child.name) !== service) return;
      this.#spec.reporter.problem(`${this.name}/${child.name} crashed`, error);
      this.#restarting = this.#restarting
        .then(() => this.#restart(child, service))
        .catch((failure) => this.#giveUp(failure));
    });
  }

  async #restart(child: ChildSpec, crashed: Service): Promise<void> {
    const { clock, intensity, children, strategy } = this.#spec;
    // The restart of an earlier child may have replaced it already.
    if (this.#stopping || this.#live.get(child.name) !== crashed) return;
    const now = clock.now();
    this.#restartsAt.push(now);
    const recent = this.#restartsAt.filter((at) => at > now - intensity.withinMs).length;
    if (recent > intensity.restarts) throw new Error(`${child.name} crashed ${recent} times in a row`);
    const affected = strategy === 'one_for_one' ? [child] : children.slice(children.indexOf(child));
    await this.#stopInGrace(affected);
    for (const one of affected) {
      if (this.#stopping) return;
      await this.#startChild(one);
    }
  }

  async #giveUp(error: unknown): Promise<void> {
    if (this.#stopping) return;
    this.#stopping = true;
    this.#spec.reporter.problem(`${this.name} gives up`, error);
    await this.#stopInGrace(this.#spec.children);
    this.#ended.reject(error instanceof Error ? error : new Error(String(error)));
  }

  async #halt(deadline: AbortSignal): Promise<void> {
    this.#stopping = true;
    await this.#stopAll(deadline, this.#spec.children);
    this.#ended.resolve();
  }

  async #stopInGrace(children: ChildSpec[]): Promise<void> {
    const deadline = abortAfter(this.#spec.timers, RESTART_GRACE_MS);
    await this.#stopAll(deadline.signal, children);
    deadline.release();
  }

  /** A child that fails to stop must not keep the others from stopping. */
  async #stopAll(deadline: AbortSignal, children: ChildSpec[]): Promise<void> {
    this.#stopClaimingOf(children);
    const stopOne = async ({ name }: ChildSpec): Promise<void> => this.#live.get(name)?.stop(deadline);
    const report =
      ({ name }: ChildSpec) =>
      (error: unknown) =>
        this.#spec.reporter.problem(`${this.name}/${name} did not stop cleanly`, error);
    await Promise.all(children.map((child) => stopOne(child).catch(report(child))));
  }

  #stopClaimingOf(children: ChildSpec[]): void {
    for (const { name } of children) this.#live.get(name)?.stopClaiming?.();
  }
}
