/**
 * A fair queue between clients. Always true: at most `lanes` tasks run and at most `mostWaiting` wait. The next
 * task is of the client whose tasks have used the least time, and of its subject that has used the least. A flood
 * of one client therefore delays only that client. When the queue is full, the newest task of the client with the
 * most waiting tasks is rejected. A new or returning client starts level with the others: no client can save up
 * time, and new clients cannot starve an old one. A crash loses only the waiting tasks.
 */
import { BoundReached } from '../errors/errors.ts';
import { createShares, type Shares } from './shares.ts';

interface Turn {
  /** All clients that wait for this task: it runs when the turn of any of them comes. The list may change meanwhile. */
  readonly clients: readonly string[];
  /** The subject of the work. */
  readonly subject: string;
}

/** The queue is full, and this client has used its share. */
export class QueueFull extends BoundReached {}

export interface FairQueueOptions {
  lanes: number;
  /** Lanes that one client may hold. With fewer than all, other clients never wait for its running tasks. */
  lanesEach: number;
  mostWaiting: number;
  /** Milliseconds on a clock that never goes back. */
  monotonicMs?: () => number;
}

interface Waiter {
  readonly turn: Turn;
  /** The client that the task runs for. */
  admit(client: string): void;
  refuse(reason: unknown): void;
}

/** The assumed cost of a task until it is done, in ms. */
const EXPECTED_MS = 100;

export function createFairQueue(options: FairQueueOptions) {
  const { lanes, lanesEach, mostWaiting, monotonicMs = () => performance.now() } = options;
  const waiting = new Set<Waiter>();
  const clients = createShares(EXPECTED_MS);
  const subjectsOf = new Map<string, Shares>();
  /** The clients of the running tasks. */
  const busy: string[] = [];

  const admitNext = (): void => {
    while (busy.length < lanes) {
      const mayBegin = (client: string) => busy.filter((one) => one === client).length < lanesEach;
      const client = leastServed(waiting, clients, mayBegin);
      if (client === undefined) return;
      const own = [...waiting].filter(({ turn }) => turn.clients.includes(client));
      const used = ({ turn }: Waiter) => subjectsOf.get(client)?.used(turn.subject) ?? 0;
      busy.push(client);
      own.toSorted((one, other) => used(one) - used(other))[0]?.admit(client);
    }
  };

  /** Charges the turn to the client; call the result to end it. */
  const begin = (client: string, { subject }: Turn): (() => void) => {
    const startedAt = monotonicMs();
    const subjects = subjectsOf.get(client) ?? createShares(EXPECTED_MS);
    subjectsOf.set(client, subjects);
    const charges = [clients.charge(client), subjects.charge(subject)];
    return () => {
      for (const settle of charges) settle(monotonicMs() - startedAt);
      for (const one of subjectsOf.keys()) if (!clients.knows(one)) subjectsOf.delete(one);
      busy.splice(busy.indexOf(client), 1);
      admitNext();
    };
  };

  const enter = (turn: Turn, signal: AbortSignal): Promise<() => void> =>
    new Promise((resolve, reject) => {
      if (signal.aborted) return reject(signal.reason);
      if (waiting.size >= mostWaiting) {
        const dispensable = newestOfMost(waiting, turn);
        if (dispensable === undefined) return reject(new QueueFull());
        dispensable.refuse(new QueueFull());
      }
      const leaveLine = () => {
        waiting.delete(waiter);
        signal.removeEventListener('abort', abort);
      };
      const waiter: Waiter = {
        turn,
        admit(client) {
          leaveLine();
          resolve(begin(client, turn));
        },
        refuse(reason) {
          leaveLine();
          reject(reason);
        },
      };
      const abort = () => waiter.refuse(signal.reason);
      signal.addEventListener('abort', abort, { once: true });
      waiting.add(waiter);
      admitNext();
    });

  return {
    /**
     * Runs the task when its turn comes.
     * @throws QueueFull when too many tasks wait, the signal's reason if it aborts first, or the task's error.
     */
    async run<T>(turn: Turn, task: () => Promise<T>, signal: AbortSignal): Promise<T> {
      const end = await enter(turn, signal);
      try {
        return await task();
      } finally {
        end();
      }
    },
  };
}

export type FairQueue = ReturnType<typeof createFairQueue>;

/** The client whose work has used the least time; of equals, the one that has waited longest. */
function leastServed(
  waiting: Iterable<Waiter>,
  shares: Shares,
  mayBegin: (client: string) => boolean,
): string | undefined {
  const names = [...new Set([...waiting].flatMap(({ turn }) => turn.clients))].filter(mayBegin);
  return names.toSorted((one, other) => shares.used(one) - shares.used(other))[0];
}

/**
 * The newest task of the client with the most waiting tasks, if the new client would still have fewer with this
 * one.
 */
function newestOfMost(waiting: Iterable<Waiter>, newcomer: Turn): Waiter | undefined {
  const counts = new Map<string, number>();
  for (const { turn } of waiting)
    for (const client of new Set(turn.clients)) counts.set(client, (counts.get(client) ?? 0) + 1);
  const [[name, most] = ['', 0]] = [...counts].toSorted(([, one], [, other]) => other - one);
  const own = Math.min(...newcomer.clients.map((client) => counts.get(client) ?? 0));
  if (most <= own + 1) return undefined;
  // A task that other clients also wait for is not dropped.
  return [...waiting].findLast(({ turn }) => turn.clients.every((client) => client === name));
}
