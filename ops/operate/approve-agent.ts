import { parseArgs } from 'node:util';
import {
  APPROVE_AGENT,
  createAgentApprovals,
  formatAgent,
  formatApproval,
} from '../../src/operations/agent-approval.ts';
import { signedBy } from './arguments.ts';
import { DONE, NOT_DONE, type Running } from './run-operation.ts';

/** Approvals of agents: the list of waiting ones, and an approval with its reason. */
export const APPROVE_AGENT_HELP = `Usage: npm run ops -- approve-agent --list
       npm run ops -- approve-agent --id ID [--id ID …] --reason "…" [--by NAME] [--dry-run]
       npm run ops -- approve-agent --id ID --license NUMBER --license-state STATE --reason "…" [--by NAME] [--dry-run]

${APPROVE_AGENT.sentence}

--list   shows the agents that are not approved, the longest waiting first
--id     approves this agent; who, when and why are kept, and the first approval stays
--license  also confirms this license number of the agent, which you have compared with the register of the state
         (--license-state, two letters). Listings of feeds that name it then lead to the agent. Agents write their
         number themselves: nothing is done when it is another one by now. Also for agents who are approved already
`;

export type ApprovalOptions =
  | { do: 'list' }
  | {
      do: 'approve';
      ids: readonly string[];
      by: string;
      reason: string;
      dryRun: boolean;
      license?: { number: string; state: string };
    };

export function parseApproval(args: readonly string[]): ApprovalOptions | { problems: string[] } | 'help' {
  try {
    const { values } = parseArgs({
      args: [...args],
      options: {
        list: { type: 'boolean', default: false },
        id: { type: 'string', multiple: true, default: [] },
        reason: { type: 'string' },
        license: { type: 'string' },
        'license-state': { type: 'string' },
        by: { type: 'string' },
        'dry-run': { type: 'boolean', default: false },
        help: { type: 'boolean', default: false },
      },
    });
    if (values.help) return 'help';
    const { list, id: ids } = values;
    if (list) return ids.length > 0 ? { problems: ['--list and --id exclude each other'] } : { do: 'list' };
    const { license: number, 'license-state': state } = values;
    const signed = signedBy(values);
    const problems = [
      ...(ids.length > 0 ? [] : ['--id is needed, or --list']),
      ...((number === undefined) === (state === undefined) ? [] : ['--license needs --license-state']),
      ...(state === undefined || /^[A-Z]{2}$/.test(state) ? [] : ['--license-state is two capital letters']),
      ...(number === undefined || ids.length === 1 ? [] : ['--license is of one --id']),
      ...('problems' in signed ? signed.problems : []),
    ];
    if (problems.length > 0 || 'problems' in signed) return { problems };
    return {
      do: 'approve',
      ids,
      ...signed,
      dryRun: values['dry-run'],
      ...(number !== undefined && state !== undefined && { license: { number, state } }),
    };
  } catch (error) {
    return { problems: [error instanceof Error ? error.message : String(error)] };
  }
}

export async function runApproval(
  { parts, screen, signal }: Running,
  options: ApprovalOptions,
): Promise<number> {
  const approvals = createAgentApprovals(parts);
  if (options.do === 'list') {
    const waiting = await approvals.waiting();
    if (waiting.length === 0) screen.out('No agent waits for approval.');
    for (const agent of waiting) screen.out(formatAgent(agent));
    return DONE;
  }
  let notDone = 0;
  for (const id of options.ids) {
    if (signal.aborted) return NOT_DONE;
    const agent = await approvals.look(id);
    if (agent === null) {
      screen.out(`missing: ${id}. There is no agent of that id.`);
      notDone += 1;
      continue;
    }
    screen.out(formatAgent(agent));
    screen.out(`  ${formatApproval(agent)}`);
    if (options.dryRun) {
      if (agent.approval !== null) notDone += 1;
      continue;
    }
    const done = await approvals.approve(id, options);
    const applied = done.outcome === 'applied';
    if (!applied) notDone += 1;
    screen.out(applied ? `applied: ${formatApproval(done.agent)}` : `${done.outcome}: nothing was changed.`);
  }
  if (options.dryRun) screen.out('Nothing was done: this was a dry run.');
  return notDone === 0 ? DONE : NOT_DONE;
}
