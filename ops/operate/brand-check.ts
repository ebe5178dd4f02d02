import { OWN_SITE, problemLine, readSite } from '../../src/site/read-site.ts';
import { type Command, DONE, NOT_DONE } from './run-operation.ts';

export const BRAND_CHECK_HELP = `Usage: [SITE_DIR=…] npm run ops -- brand-check [FOLDER]

Reads the folder of a site as the roles do at their start, and prints every problem with file, line and an example.
Without a folder it reads the one of SITE_DIR, or the one that comes with the software (docs/brand.md).
`;

/** @returns the exit code: 1 when the roles would refuse the folder */
export function brandCheck({ args, environment, screen }: Command): number {
  const folder = args[0] ?? (environment.SITE_DIR || OWN_SITE);
  const { site, problems } = readSite(folder);
  if (site !== null) {
    screen.out(`${folder} is the site of ${site.name}, without a problem.`);
    return DONE;
  }
  for (const one of problems) screen.err(problemLine(one));
  screen.err(
    `${problems.length === 1 ? 'One problem' : `${problems.length} problems`} in ${folder}: neither role would start.`,
  );
  return NOT_DONE;
}
