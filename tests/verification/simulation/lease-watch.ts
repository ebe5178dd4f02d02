import type { LeaseKeeper } from '../../../supervisors/runner/lease-keeper.ts';
import type { SimulatedProcess } from './universe.ts';

/** A lease as its holder knows it. */
interface Hold {
  readonly jobId: string;
  readonly epoch: number;
  readonly process: SimulatedProcess;
  readonly lost: AbortSignal;
}

/**
 * Checks that the lease of a holder is aborted before another process takes it over (I31). A dead process
 * cannot act; a frozen one (SIGSTOP) must abort it before any other action.
 */
export function watchLeases(told: { breach(line: string): void; takenFromTheLiving(): void }) {
  const holds = new Map<string, Hold>();
  /** Leases of frozen processes that another process holds now. */
  const unaware = new Set<Hold>();
  const taken = new Set<string>();
  const getsAlerts = ({ lost, process }: Hold) => lost.aborted || !process.alive;
  const breachOf = ({ process, jobId, epoch }: Hold) =>
    told.breach(`I31 ${process.name} was not told that it has lost job ${jobId}, lease ${epoch}`);

  return {
    /** The keeper of a process, with a record of what it holds. */
    watched(process: SimulatedProcess, keeper: LeaseKeeper): LeaseKeeper {
      const take = keeper.take.bind(keeper);
      const giveBack = keeper.giveBack.bind(keeper);
      return Object.assign(keeper, {
        async take(jobId: string) {
          const lease = await take(jobId);
          if (lease === null) return null;
          const { epoch } = lease.lease;
          const hold = { jobId, epoch, process, lost: lease.lost };
          holds.set(`${jobId} ${epoch}`, hold);
          // Its answer took longer than the lease.
          if (taken.has(`${jobId} ${epoch}`)) unaware.add(hold);
          return lease;
        },
        async giveBack(jobId: string, given: { epoch: number; isOver: boolean }) {
          const hold = holds.get(`${jobId} ${given.epoch}`);
          if (hold !== undefined) unaware.delete(hold);
          holds.delete(`${jobId} ${given.epoch}`);
          await giveBack(jobId, given);
        },
      });
    },
    /** Another database server may know older leases; their holders are kept from writing by their epochs. */
    forget(): void {
      holds.clear();
      unaware.clear();
      taken.clear();
    },
    /** Called when another process takes the job after the lease of that epoch has expired. */
    takenOver({ jobId, epoch }: { jobId: string; epoch: number }): void {
      taken.add(`${jobId} ${epoch}`);
      const hold = holds.get(`${jobId} ${epoch}`);
      if (!hold?.process.alive) return;
      told.takenFromTheLiving();
      if (getsAlerts(hold)) return;
      if (hold.process.frozen) unaware.add(hold);
      else breachOf(hold);
    },
    /** Called before any external action of a process gets its result. */
    beforeHop(process: SimulatedProcess): void {
      for (const hold of unaware) {
        if (hold.process !== process) continue;
        unaware.delete(hold);
        if (!getsAlerts(hold)) breachOf(hold);
      }
    },
  };
}
