import { randomUUID } from 'node:crypto';
import type { Pool } from 'pg';
import { addSamplePerson } from '../../persistence/sample/sample-town.ts';
import { DAY, type Town } from './loading.ts';
import { AGENTS, CUSTOMERS } from './town.ts';

export async function addPeople(
  pool: Pool,
  startedAt: number,
): Promise<Pick<Town, 'agentIds' | 'customerIds'>> {
  const at = startedAt - 400 * DAY;
  const agentIds: string[] = [];
  for (const { name, mailbox, phone, licenseNumber, officeName } of AGENTS) {
    const id = randomUUID();
    await addSamplePerson(pool, { id, name, mailbox, phone, agent: { licenseNumber, officeName }, at });
    agentIds.push(id);
  }
  const customerIds: string[] = [];
  for (const { name, mailbox } of CUSTOMERS) {
    const id = randomUUID();
    await addSamplePerson(pool, { id, name, mailbox, phone: null, agent: null, at });
    customerIds.push(id);
  }
  return { agentIds, customerIds };
}
