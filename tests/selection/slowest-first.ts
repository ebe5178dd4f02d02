import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { readVerified } from './records.ts';

/**
 * Starts the slowest files of a group first, so that none of them runs alone at the end. Times are those of the last
 * whole run. Files that it did not have come first.
 */
export default class SlowestFirst extends BaseSequencer {
  readonly #seconds = readVerified(this.ctx.config.root)?.seconds ?? {};

  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const expected = ({ moduleId }: TestSpecification): number =>
      this.#seconds[moduleId.slice(this.ctx.config.root.length + 1)] ?? Number.POSITIVE_INFINITY;
    const sorted = await super.sort(files);
    return sorted.toSorted(
      (a, b) => groupOf(a) - groupOf(b) || (expected(a) === expected(b) ? 0 : expected(b) - expected(a)),
    );
  }
}

const groupOf = ({ project }: TestSpecification): number => project.config.sequence.groupOrder;
