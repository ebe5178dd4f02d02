import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * The HTTP server is a binary of a repack of its maker's. Its bytes are pinned here besides the lock file, so that an
 * update of the package cannot change them unseen. They are checked by `npm run check` and by each release. They are not checked when
 * a role starts: anyone who can replace the binary can replace the check next to it.
 */
const SHA256: Readonly<Record<string, string>> = {
  'uws_darwin_arm64_127.node': 'abbeea53d48e21c01808203e9f9835728f2cea720d2e5b154837ee3045b513be',
  'uws_darwin_x64_127.node': 'afd992dc1ca1e33cdc7ce0c72a60baf236e590a257fcecbbbce7bc1a35451387',
  'uws_linux_arm64_127.node': 'd4c4f8b2c28c5f6544b49e36d91b0beee238a5b90a07904a947f77061c8b814d',
  'uws_linux_x64_127.node': '8cabc918bbf9a07323e54f89a33882491080b2eb35df0607f473ccdb1f3c31af',
};
const FOLDER = 'node_modules/uWebSockets.js/dist/bin';

/** The file that this Node.js loads on this platform. */
export const HTTP_SERVER_BINARY = `uws_${process.platform}_${process.arch}_${process.versions.modules}.node`;

/** What is wrong with the binary below a folder that has `node_modules`; undefined when its bytes are the pinned ones. */
export function binaryProblem(root: string, name: string = HTTP_SERVER_BINARY): string | undefined {
  const pinned = SHA256[name];
  if (pinned === undefined) return `${name}: no SHA-256 is pinned in ops/release/http-server-binary.ts`;
  const path = join(root, FOLDER, name);
  if (!existsSync(path)) return `${name}: is missing`;
  const found = createHash('sha256').update(readFileSync(path)).digest('hex');
  return found === pinned ? undefined : `${name}: its SHA-256 is ${found}, pinned is ${pinned}`;
}

/** The problems of every pinned binary below a folder that has all of them. */
export const binaryProblems = (root: string): string[] =>
  [...new Set([...Object.keys(SHA256), HTTP_SERVER_BINARY])].flatMap(
    (name) => binaryProblem(root, name) ?? [],
  );
