import { relative } from 'node:path';
import { parseArgs } from 'node:util';
import { VERSION } from '../../src/version.ts';
import { archiveRelease } from '../release/archive.ts';
import { ROOT } from '../release/lock-file.ts';
import { makeRelease } from '../release/make-release.ts';

/** `npm run release`: makes the unpacked release in `dist/release` and its archive, and prints its sizes. */
const HELP = `Usage: npm run release -- [options]

Makes an unpacked release in dist/release: the code that runs, the built site, the modules of this platform, the
notices of third parties (THIRD-PARTY-NOTICES.txt) and a bill of materials (bom.cdx.json, CycloneDX). Prints what each
part takes on the disk; fails when the release is too large, or the HTTP server's binary is not the pinned one. Packs
it as dist/proscenium-VERSION-PLATFORM.tar.gz, with its SHA-256 in a file next to it.

  --without-node   leaves Node.js out, for an image that has its own, and packs nothing
  --help           this text
`;
const DIST = `${ROOT}dist`;
const TO = `${DIST}/release`;

const { values } = parseArgs({ options: { 'without-node': { type: 'boolean' }, help: { type: 'boolean' } } });
if (values.help === true) process.stdout.write(HELP);
else {
  try {
    const withNode = values['without-node'] !== true;
    const sizes = await makeRelease({ to: TO, withNode });
    const made = withNode ? [TO, await archiveRelease({ from: TO, to: DIST, version: VERSION })] : [TO];
    process.stdout.write([...sizes, ...made.map((path) => relative(process.cwd(), path)), ''].join('\n'));
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : error}\n`);
    process.exitCode = 1;
  }
}
