import { createOperations, type Operations } from '../../../src/operations/catalogue.ts';
import type { Operation, OperationName, OperationPorts } from '../../../src/operations/operation.ts';
import { createScrubber } from '../../../src/telemetry/scrub.ts';
import type { StoreDatabase } from '../database/store-database.ts';
import { MANUAL_EPOCH } from '../manual-time.ts';
import { openTestRuntime, type TestRuntime } from './job-driver.ts';

/** The operations on a real store, with queues that remember and a clock that only the test moves. */
export interface OperationWorld {
  runtime: TestRuntime;
  ports: OperationPorts;
  operations: Operations;
  clock: { at: number };
  operation(name: OperationName): Operation;
}

export const SECRET = 'a-secret-of-the-installation';
export const ADA = { by: 'ada', reason: 'the customer called' };

export function openOperationWorld(database: StoreDatabase): OperationWorld {
  const runtime = openTestRuntime(database);
  const { pool } = database;
  const clock = { at: MANUAL_EPOCH + 60_000 };
  const ports: OperationPorts = {
    pool,
    actorSystem: runtime.actorSystem,
    scrub: createScrubber([SECRET]),
    clock: { now: () => clock.at },
    confirmation: null,
    outputHosts: ['replicate.delivery'],
  };
  const operations = createOperations(ports);
  return {
    runtime,
    ports,
    operations,
    clock,
    operation(name) {
      const found = operations.find(name);
      if (found === null) throw new Error(`no operation ${name}`);
      return found;
    },
  };
}
