import { currentServer, durably } from '../../persistence/standbys/confirmation.ts';
import type { OperationPorts } from './operation.ts';

/** Does the work, and says whether a standby has it if it must not be lost. */
export async function confirmed<T>(
  { pool, confirmation }: Pick<OperationPorts, 'pool' | 'confirmation'>,
  { lessens, work }: { lessens: boolean; work(): Promise<T> },
): Promise<{ result: T; isDurable: boolean }> {
  if (!lessens || confirmation === null) return { result: await work(), isDurable: true };
  const { result, isDurable } = await durably({ server: () => currentServer(pool), confirmation }, work);
  if (result.status === 'rejected') throw result.reason;
  return { result: result.value, isDurable };
}
