import type { Pool } from 'pg';
import {
  type AgentForApproval,
  agentForApproval,
  agentsWaiting,
  approveAgent,
  type ComparedLicense,
  confirmLicense,
} from '../../persistence/accounts/agent-approvals.ts';
import type { Clock } from '../../supervisors/ports.ts';
import { uuid } from '../wire/text.ts';
import type { Asking } from './operation.ts';
import { originOf } from './signature.ts';

/**
 * An operator's approval of an agent. An agent is not an actor, so the approval is not an operation of a machine:
 * the agent's row stores who approved, when and why. It cannot be revoked.
 */
export const APPROVE_AGENT = {
  name: 'approve-agent',
  title: 'Approve an agent',
  sentence:
    'Publishes the listings of an agent and lets the agent stage where AGENT_APPROVAL is manual, and lets them use the half of the platform’s day that is kept for approved agents.',
} as const;
const MOST_WAITING = 100;

export interface ApprovalPorts {
  pool: Pool;
  clock: Clock;
  scrub(text: string): string;
}
type ApprovalOutcome = { outcome: 'applied' | 'ignored'; agent: AgentForApproval } | { outcome: 'missing' };

export function createAgentApprovals({ pool, clock, scrub }: ApprovalPorts) {
  /** Null when the id is not an agent's. */
  const look = async (id: string): Promise<AgentForApproval | null> => {
    const parsed = uuid.safeParse(id);
    return parsed.success ? agentForApproval(pool, parsed.data) : null;
  };
  return {
    look,
    /** The longest waiting first, at most 100. */
    waiting: () => agentsWaiting(pool, MOST_WAITING),
    /**
     * With a license, that is confirmed as well, also of an agent who was approved before; nothing is done when the
     * agent's license is another one. Throws `UnsignedError` without a valid name and reason.
     */
    async approve(
      id: string,
      asking: Pick<Asking, 'by' | 'reason'> & { license?: ComparedLicense },
    ): Promise<ApprovalOutcome> {
      const { by, note: reason = '' } = originOf(asking, scrub);
      const found = await look(id);
      if (found === null) return { outcome: 'missing' };
      const { agentId } = found;
      const { license } = asking;
      if (license !== undefined && license.number !== found.licenseNumber)
        return { outcome: 'ignored', agent: found };
      const isConfirmed = license !== undefined && (await confirmLicense(pool, { agentId, license, by }));
      const isApproved = await approveAgent(pool, { agentId, by, reason, at: clock.now() });
      const agent = await look(agentId);
      return agent === null
        ? { outcome: 'missing' }
        : { outcome: isApproved || isConfirmed ? 'applied' : 'ignored', agent };
    },
  };
}

/** A line for operators. The license and the office are public on an agent's card. */
export function formatAgent(agent: AgentForApproval): string {
  const { agentId, agentSince, officeName } = agent;
  const since = new Date(agentSince).toISOString().slice(0, 16).replace('T', ' ');
  return `${agentId}  agent since ${since} UTC, license ${formatLicense(agent)}, ${officeName ?? 'no office'}`;
}

/** The number, and whether an operator has confirmed it. */
export function formatLicense({ licenseNumber, confirmedState }: AgentForApproval): string {
  if (licenseNumber === null) return 'not given';
  return confirmedState === null ? licenseNumber : `${licenseNumber} (${confirmedState}, confirmed)`;
}

export function formatApproval({ approval }: AgentForApproval): string {
  if (approval === null) return 'They are not approved.';
  return `Approved on ${new Date(approval.at).toISOString().slice(0, 10)} by ${approval.by}: ${approval.reason}`;
}
