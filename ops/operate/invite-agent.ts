import { parseArgs } from 'node:util';
import {
  createAgentInvitations,
  type EnteredInvitation,
  formatInvited,
  INVITE_AGENT,
} from '../../src/operations/agent-invitations.ts';
import { signedBy } from './arguments.ts';
import { DONE, NOT_DONE, NOT_UNDERSTOOD, type Running } from './run-operation.ts';

/** Invites an agent in the operator's name. */
export const INVITE_AGENT_HELP = `Usage: npm run ops -- invite-agent --email ADDRESS --office NAME --reason "…" [--language en|es] [--by NAME] [--dry-run]

${INVITE_AGENT.sentence}
Inviting the same address again extends the invitation and mails it again.

--office    the name of the office that the agent joins
--language  of the mail, when no account has the address: en (default) or es
`;

interface InviteOptions extends EnteredInvitation {
  by: string;
  reason: string;
  dryRun: boolean;
}

export function parseInvitation(args: readonly string[]): InviteOptions | { problems: string[] } | 'help' {
  try {
    const { values } = parseArgs({
      args: [...args],
      options: {
        email: { type: 'string', default: '' },
        office: { type: 'string', default: '' },
        language: { type: 'string', default: 'en' },
        reason: { type: 'string' },
        by: { type: 'string' },
        'dry-run': { type: 'boolean', default: false },
        help: { type: 'boolean', default: false },
      },
    });
    if (values.help) return 'help';
    const { email, office: officeName, language: locale } = values;
    const signed = signedBy(values);
    const problems = [
      ...(email === '' ? ['--email is needed'] : []),
      ...(officeName === '' ? ['--office is needed'] : []),
      ...('problems' in signed ? signed.problems : []),
    ];
    if (problems.length > 0 || 'problems' in signed) return { problems };
    return { email, officeName, locale, ...signed, dryRun: values['dry-run'] };
  } catch (error) {
    return { problems: [error instanceof Error ? error.message : String(error)] };
  }
}

export async function runInvitation({ parts, screen }: Running, options: InviteOptions): Promise<number> {
  const { by, reason, dryRun, ...entered } = options;
  const invitations = createAgentInvitations(parts);
  const problems = invitations.problemsOf(entered);
  for (const problem of problems) screen.err(problem);
  if (problems.length > 0) return NOT_UNDERSTOOD;
  screen.out(`Invites ${entered.email} to join ${entered.officeName} as an approved agent.`);
  if (dryRun) {
    screen.out('Nothing was done: this was a dry run.');
    return DONE;
  }
  const done = await invitations.invite(entered, { by, reason });
  if ('problems' in done) return NOT_UNDERSTOOD;
  screen.out(formatInvited(done));
  return done.outcome === 'invited' ? DONE : NOT_DONE;
}
