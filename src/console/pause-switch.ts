import type { PauseSwitchContext } from '../../machines/pause-switch.ts';
import { PAUSE_SWITCH_ID } from '../../persistence/actors/rows/pause-switch-row.ts';
import { readActor } from '../../persistence/console/actors.ts';
import type { PauseSwitch } from './actors/wait-context.ts';
import type { ConsoleContext } from './context.ts';

/** The state of the operators' pause switch and who set it; a switch without its row counts as paused. */
export async function readPauseSwitch({ database }: Pick<ConsoleContext, 'database'>): Promise<PauseSwitch> {
  const seen = await readActor(database.pool, 'startGate', PAUSE_SWITCH_ID);
  if (seen === null) return { open: false, by: null, reason: null, gap: null };
  const { actor, beside } = seen;
  const lastChange: { by: string; note: string | null } | null = beside.lastChange;
  const { gapFrom, gapUntil } = actor.context as PauseSwitchContext;
  return {
    open: actor.state === 'OPEN',
    by: lastChange?.by ?? null,
    reason: lastChange?.note ?? null,
    gap: gapFrom === null || gapUntil === null ? null : { from: gapFrom, until: gapUntil },
  };
}
