import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { createReadStream, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';

export interface Archive {
  /** The folder of the unpacked release. */
  readonly from: string;
  /** Where the archive and its checksum are written. */
  readonly to: string;
  readonly version: string;
}

/**
 * Packs a release as `proscenium-VERSION-PLATFORM.tar.gz`, and its SHA-256 as `sha256sum --check` reads it.
 * The same files give the same archive: without the time of packing and the user's name.
 * @returns the archive's path
 * @throws Error when tar fails
 */
export async function archiveRelease({ from, to, version }: Archive): Promise<string> {
  const path = join(to, `proscenium-${version}-${process.platform}-${process.arch}.tar.gz`);
  const plain = ['--sort=name', '--owner=0', '--group=0', '--numeric-owner', '--mtime=@0'];
  const { status, stderr } = spawnSync(
    'tar',
    ['--create', '--file', path, '--use-compress-program', 'gzip -n', ...plain, '-C', from, '.'],
    { encoding: 'utf8' },
  );
  if (status !== 0) throw new Error(`tar could not pack ${from}: ${stderr}`);
  const hash = createHash('sha256');
  for await (const piece of createReadStream(path)) hash.update(piece);
  writeFileSync(`${path}.sha256`, `${hash.digest('hex')}  ${basename(path)}\n`);
  return path;
}
