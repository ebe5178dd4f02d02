import { relative } from 'node:path';
import { parseArgs } from 'node:util';
import { ROOT } from '../release/lock-file.ts';
import { makeRelease } from '../release/make-release.ts';

/** `npm run release`: makes the unpacked release in `dist/release`, and prints its sizes. */
const HELP = `Usage: npm run release -- [options]

Makes an unpacked release in dist/release: the code that runs, the built site, the modules of this platform, the
notices of third parties (THIRD-PARTY-NOTICES.txt) and a bill of materials (bom.cdx.json, CycloneDX). Prints what each
part takes on the disk; fails when the release is too large, or the HTTP server's binary is not the pinned one.

  --without-node   leaves Node.js out, for an image that has its own
  --help           this text
`;
const TO = `${ROOT}dist/release`;

const { values } = parseArgs({ options: { 'without-node': { type: 'boolean' }, help: { type: 'boolean' } } });
if (values.help === true) process.stdout.write(HELP);
else {
  try {
    const sizes = await makeRelease({ to: TO, withNode: values['without-node'] !== true });
    process.stdout.write(`${sizes.join('\n')}\n${relative(process.cwd(), TO)}\n`);
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : error}\n`);
    process.exitCode = 1;
  }
}
