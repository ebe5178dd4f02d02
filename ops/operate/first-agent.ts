import { parseArgs } from 'node:util';
import { z } from 'zod';
import { LOCALES } from '../../i18n/translator.ts';
import { makeFirstAgent } from '../../persistence/accounts/agent-invitations.ts';
import { spelledAddress } from '../../src/wire/mail-address.ts';
import { plainLine } from '../../src/wire/text.ts';
import { signedBy } from './arguments.ts';
import { DONE, NOT_DONE, type Running } from './run-operation.ts';

/** Makes the first agent of a new installation. Later ones are invited, or register themselves. */
export const FIRST_AGENT = {
  name: 'first-agent',
  sentence: 'Makes the first agent of a new installation, approved, and says how to sign in.',
} as const;

export const FIRST_AGENT_HELP = `Usage: npm run ops -- first-agent --email ADDRESS --name NAME --license NUMBER --office NAME [--language en|es] [--by NAME]

${FIRST_AGENT.sentence}
It does nothing where there is an agent already.

--email     the agent signs in with a code that is mailed to this address
--name      as customers read it
--license   the license number
--office    the name of the office
--language  of the agent's mails: en (default) or es
`;

const agent = z.strictObject({
  email: z.string().trim().max(254).transform(spelledAddress).pipe(z.email('is not a mail address')),
  name: plainLine(100),
  license: plainLine(64),
  office: plainLine(120),
  language: z.enum(LOCALES),
});
type FirstAgent = z.output<typeof agent> & { by: string };

export function parseFirstAgent(args: readonly string[]): FirstAgent | { problems: string[] } | 'help' {
  try {
    const { values } = parseArgs({
      args: [...args],
      options: {
        email: { type: 'string', default: '' },
        name: { type: 'string', default: '' },
        license: { type: 'string', default: '' },
        office: { type: 'string', default: '' },
        language: { type: 'string', default: 'en' },
        by: { type: 'string' },
        help: { type: 'boolean', default: false },
      },
    });
    const { help, by, ...entered } = values;
    if (help) return 'help';
    // The row says why by itself.
    const signed = signedBy({ by, 'dry-run': true });
    const parsed = agent.safeParse(entered);
    const problems = [
      ...(parsed.error?.issues.map(({ path, message }) => `--${path.join('.')}: ${message}`) ?? []),
      ...('problems' in signed ? signed.problems : []),
    ];
    if (!parsed.success || 'problems' in signed) return { problems };
    return { ...parsed.data, by: signed.by };
  } catch (error) {
    return { problems: [error instanceof Error ? error.message : String(error)] };
  }
}

export async function runFirstAgent(
  { parts, screen }: Running,
  { email, name, license: licenseNumber, office: officeName, language: locale, by }: FirstAgent,
  site: string | undefined,
): Promise<number> {
  const id = await makeFirstAgent(parts.pool, {
    email,
    name,
    licenseNumber,
    officeName,
    locale,
    by: `operator:${by}`,
    at: parts.clock.now(),
  });
  if (id === null) {
    screen.out('Nothing was done: there is an agent already. Invite others: npm run ops -- invite-agent');
    return NOT_DONE;
  }
  const page = `${site ?? ''}${locale === 'es' ? '/es' : ''}/sign-in`;
  screen.out(`${name} is an approved agent now, ${id}.`);
  screen.out(`To sign in, open ${page} and enter ${email}: a code is mailed to this address.`);
  return DONE;
}
