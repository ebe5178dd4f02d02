import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { isPoint, type PointName } from './named-points.ts';

/**
 * Workers under test report here at named points and wait for permission to go on, so that an action happens
 * exactly there and no test sleeps. The actions are real: signals to the process, or other steps of the test.
 */
export interface Visit {
  readonly pid: number;
  readonly point: PointName;
  /** The id of the job, attempt, deletion or listing in work; at the gates, the request's path. */
  readonly subject: string;
}
/** The answer to the worker: go on, or block the event loop first; no answer to a dead worker. */
export type Leave = 'go' | 'dead' | `block ${number}`;
export type Deed = (visit: Visit) => Leave | Promise<Leave>;

export interface FaultController {
  readonly url: string;
  /** How often each point was passed. */
  readonly visits: ReadonlyMap<PointName, number>;
  /** Decides about every visit without a pending strike. */
  otherwise: Deed;
  /** Runs the action for the first process that reaches the point; resolves when it is done. */
  interrupt(point: PointName, deed: Deed, fits?: (visit: Visit) => boolean): Promise<Visit>;
  /** Removes strikes that have not happened. */
  clear(): void;
  arrive(visit: Visit): Promise<Leave>;
  close(): Promise<void>;
}

interface ProcessFault {
  point: PointName;
  deed: Deed;
  fits(visit: Visit): boolean;
  done(visit: Visit): void;
  failed(error: unknown): void;
}

export async function openFaultController(): Promise<FaultController> {
  const visits = new Map<PointName, number>();
  let processFaults: ProcessFault[] = [];
  const server = createServer(async (request, answer) => {
    let text = '';
    for await (const chunk of request) text += chunk;
    const { pid, point, subject } = JSON.parse(text) as { pid: number; point: string; subject: string };
    const leave = isPoint(point) ? await faultController.arrive({ pid, point, subject }) : 'go';
    if (leave === 'dead') answer.destroy();
    else answer.end(leave);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const faultController: FaultController = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    visits,
    otherwise: () => 'go',
    interrupt: (point, deed, fits = () => true) =>
      new Promise((done, failed) => processFaults.push({ point, deed, fits, done, failed })),
    clear() {
      processFaults = [];
    },
    async arrive(visit) {
      visits.set(visit.point, (visits.get(visit.point) ?? 0) + 1);
      const found = processFaults.findIndex((one) => one.point === visit.point && one.fits(visit));
      const [waiting] = found < 0 ? [] : processFaults.splice(found, 1);
      if (waiting === undefined) return await faultController.otherwise(visit);
      try {
        const leave = await waiting.deed(visit);
        waiting.done(visit);
        return leave;
      } catch (error) {
        waiting.failed(error);
        return 'go';
      }
    },
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return faultController;
}

/** SIGKILL at the point. */
export const kill: Deed = ({ pid }) => {
  signaled(pid, 'SIGKILL');
  return 'dead';
};

/** The process is stopped until SIGCONT. */
export const stop: Deed = ({ pid }) => (signaled(pid, 'SIGSTOP') ? 'go' : 'dead');

/** SIGTERM at the point. */
export const terminate: Deed = ({ pid }) => (signaled(pid, 'SIGTERM') ? 'go' : 'dead');

/** False for a process that another fault has ended meanwhile. */
export function signaled(pid: number, name: NodeJS.Signals): boolean {
  try {
    return process.kill(pid, name);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ESRCH') return false;
    throw error;
  }
}

/** Blocks the event loop, heartbeats included. */
export const block =
  (ms: number): Deed =>
  () =>
    `block ${ms}`;
