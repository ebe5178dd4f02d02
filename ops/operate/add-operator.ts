import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { speakFor } from '../../i18n/translator.ts';
import {
  newOperator,
  type OperatorEntry,
  operatorsFile,
  PASSWORD_LENGTH,
  readOperators,
} from '../../src/console/sign-in/operators.ts';
import { readSite } from '../../src/site/read-site.ts';
import { type Command, DONE, NOT_DONE, NOT_UNDERSTOOD } from './run-operation.ts';

/** Adds an operator to OPERATORS_FILE, or gives one a new password. */
export const ADD_OPERATOR = {
  name: 'add-operator',
  sentence: 'Adds an operator of the console to OPERATORS_FILE, or prints the line for it.',
} as const;

const ADD_OPERATOR_HELP = `Usage: npm run ops -- add-operator --name NAME [--file PATH] [--password-file PATH] [--totp] [--replace]

${ADD_OPERATOR.sentence} Restart the workers afterwards.

--name           1 to 64 letters, digits, dots, dashes or underscores; appears in every trail
--file           the file, else that of OPERATORS_FILE; without either the line is printed
--password-file  holds the password, of at least ${PASSWORD_LENGTH} characters; without it one is made and printed once
--totp           asks for a one-time code at sign-in as well; the address for the authenticator app is printed once
--replace        gives an operator who is in the file a new password, and new codes with --totp
`;

export async function addOperator({ args, environment, screen }: Command): Promise<number> {
  try {
    const { values } = parseArgs({
      args: [...args],
      options: {
        name: { type: 'string', default: '' },
        file: { type: 'string' },
        'password-file': { type: 'string' },
        totp: { type: 'boolean', default: false },
        replace: { type: 'boolean', default: false },
        help: { type: 'boolean', default: false },
      },
    });
    if (values.help) {
      screen.out(ADD_OPERATOR_HELP);
      return DONE;
    }
    const from = values['password-file'];
    const given = from === undefined ? null : readFileSync(from, 'utf8').trimEnd();
    if (given !== null && given.length < PASSWORD_LENGTH)
      throw new Error(`the password must have at least ${PASSWORD_LENGTH} characters`);
    const password = given ?? randomBytes(18).toString('base64url');
    const { site } = readSite(environment.SITE_DIR || undefined);
    if (site !== null) speakFor(site);
    const { entry, enrolment } = await newOperator(
      { user: values.name, password },
      { withCodes: values.totp },
    );
    const [problem] = operatorsFile.safeParse([entry]).error?.issues ?? [];
    if (problem !== undefined) throw new Error(`--name: ${problem.message}`);
    const file = values.file ?? environment.OPERATORS_FILE;
    if (file === undefined || file === '') screen.out(JSON.stringify(entry));
    else if (!added(file, entry, values.replace)) {
      screen.err(`${values.name} is in ${file} already; --replace gives a new password.`);
      return NOT_DONE;
    } else screen.out(`${values.name} is in ${file}. Restart the workers.`);
    if (given === null) screen.out(`Password, shown only now: ${password}`);
    if (enrolment !== null) screen.out(`For the authenticator app, shown only now: ${enrolment}`);
    return DONE;
  } catch (error) {
    screen.err(error instanceof Error ? error.message : String(error));
    return NOT_UNDERSTOOD;
  }
}

/** The new file takes the place of the old one at once, readable only by its owner. */
function added(file: string, entry: OperatorEntry, replace: boolean): boolean {
  const present = existsSync(file) ? readOperators(file) : [];
  const others = present.filter(({ name }) => name !== entry.name);
  if (others.length < present.length && !replace) return false;
  const next = `${file}.new`;
  writeFileSync(next, `${JSON.stringify([...others, entry], null, 2)}\n`, { mode: 0o600 });
  renameSync(next, file);
  return true;
}
