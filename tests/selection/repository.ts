import { execFileSync } from 'node:child_process';

/** Git's answers about the checkout at `root`. Each call throws when git fails. */
export class Repository {
  readonly #root: string;

  constructor(root: string) {
    this.#root = root;
  }

  /** Every file that git tracks, by its path from the root. */
  files(): string[] {
    return this.#lines('ls-files', '-z');
  }

  /** The hash of the commit that is checked out, in full. */
  head(): string {
    return this.#git('rev-parse', '--verify', 'HEAD').trim();
  }

  /** Changes that no commit holds, tracked or not, but for files that git ignores. */
  uncommitted(): string[] {
    return this.#git('status', '--porcelain').split('\n').filter(Boolean);
  }

  /** Whether this checkout has `commit` among the ancestors of `of`. */
  isAncestor(commit: string, of: string): boolean {
    try {
      this.#git('merge-base', '--is-ancestor', commit, of);
      return true;
    } catch {
      // Git exits with 1 for a commit of another branch and with 128 for one that this clone does not have.
      return false;
    }
  }

  /** Paths that differ between two commits; a renamed file is both of its paths. */
  changedBetween(from: string, to: string): string[] {
    return this.#lines('diff', '-z', '--name-only', '--no-renames', from, to);
  }

  /** A file's text in a commit, or null where that commit does not have it. */
  textAt(commit: string, path: string): string | null {
    const isThere = this.#lines('ls-tree', '-z', '--name-only', commit, '--', path).length > 0;
    return isThere ? this.#git('show', `${commit}:${path}`) : null;
  }

  #lines(...args: string[]): string[] {
    return this.#git(...args)
      .split('\0')
      .filter(Boolean);
  }

  #git(...args: string[]): string {
    return execFileSync('git', args, {
      cwd: this.#root,
      encoding: 'utf8',
      maxBuffer: 256 * 1024 * 1024,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
  }
}
