import { START_GATE_ID } from '../../persistence/actors/start-gate-row.ts';
import { readSingle } from '../../persistence/console/actors.ts';
import type { StartGate } from './actors/situation.ts';
import type { ConsoleContext } from './context.ts';

/** Whether purchases may begin as far as operators decide it, and who decided; a gate without its row counts as closed. */
export async function readStartGate({ database }: Pick<ConsoleContext, 'database'>): Promise<StartGate> {
  const seen = await readSingle(database.pool, 'startGate', START_GATE_ID);
  if (seen === null) return { open: false, by: null, reason: null };
  const { actor, beside } = seen;
  const lastChange: { by: string; note: string | null } | null = beside.lastChange;
  return { open: actor.state === 'OPEN', by: lastChange?.by ?? null, reason: lastChange?.note ?? null };
}
