import type { AliasUse } from '../../persistence/jobs/legacy-messages.ts';

/** The findings of `legacy:status` and their evaluation; no code here reads a database or queue. */
export interface QueueCounts {
  waiting: number;
  active: number;
  delayed: number;
  failed: number;
}
export interface LegacyFindings {
  aliases: AliasUse;
  aliasDays: number;
  queueName: string;
  queue: QueueCounts;
  clientsCanonical: boolean;
  clientFloorReached: boolean;
}

/** `not confirmed`: only an operator can confirm it, and none has. */
type ConditionState = 'holds' | 'does not hold' | 'not confirmed';
export interface Condition {
  name: 'noAliases' | 'clientsCanonical' | 'queueEmpty' | 'clientFloorReached';
  says: string;
  state: ConditionState;
  detail: string;
  numbers?: Record<string, number | string | null>;
}

/** The four end conditions in the order of docs/contract.md#old-stage-room-messages. */
export function judge(findings: LegacyFindings): Condition[] {
  const { aliases, aliasDays, queue, queueName } = findings;
  const entries = Object.values(queue).reduce((sum, count) => sum + count, 0);
  const latestAt = aliases.latestAt === null ? null : new Date(aliases.latestAt).toISOString();
  return [
    {
      name: 'noAliases',
      says: `no submission under an old style name in ${aliasDays} days`,
      state: aliases.jobs === 0 ? 'holds' : 'does not hold',
      detail: aliases.jobs === 0 ? 'none in the database' : `${aliases.jobs}, the latest at ${latestAt}`,
      numbers: { jobs: aliases.jobs, latestAt },
    },
    {
      name: 'clientsCanonical',
      says: 'all supported clients send only canonical styles',
      ...said(findings.clientsCanonical, '--clients-canonical'),
    },
    {
      name: 'queueEmpty',
      says: `no stage-room entry in the queue ${queueName}`,
      state: entries === 0 ? 'holds' : 'does not hold',
      detail: Object.entries(queue)
        .map(([state, count]) => `${count} ${state}`)
        .join(', '),
      numbers: { ...queue },
    },
    {
      name: 'clientFloorReached',
      says: 'the supported client floor is above the release with canonical styles',
      ...said(findings.clientFloorReached, '--client-floor-reached'),
    },
  ];
}

function said(confirmed: boolean, flag: string): Pick<Condition, 'state' | 'detail'> {
  return confirmed
    ? { state: 'holds', detail: `confirmed by ${flag}` }
    : { state: 'not confirmed', detail: `pass ${flag} when you have made sure` };
}

export function render(conditions: readonly Condition[], mayEnd: boolean): string {
  const width = Math.max(...conditions.map(({ state }) => state.length));
  const lines = conditions.map(
    ({ state, says, detail }, index) => `${index + 1}. ${state.padEnd(width)}  ${says}: ${detail}`,
  );
  return `${lines.join('\n')}\n\nThe legacy bridge ${mayEnd ? 'may end.' : 'must stay.'}\n`;
}
