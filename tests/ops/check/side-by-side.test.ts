import { describe, expect, test } from 'vitest';
import { type Part, type PartResult, runParts } from '../../../ops/check/side-by-side.ts';

/** Runs programs of Node at the repository's root, and returns the results in the order in which they were reported. */
async function resultsOf(programs: Record<string, string>, limit = 2): Promise<PartResult[]> {
  const parts: Part[] = Object.entries(programs).map(([name, program]) => ({
    name,
    command: `"${process.execPath}" -e "${program}"`,
  }));
  const reported: PartResult[] = [];
  const returned = await runParts(parts, { limit, cwd: process.cwd(), onEnd: (one) => reported.push(one) });
  expect(returned).toEqual(reported);
  return reported;
}

describe('parts of a check', () => {
  test('all run, whichever fails, and each has its own output and exit code', async () => {
    const results = await resultsOf({
      first: "console.error('wrong type'); process.exit(2)",
      second: "console.log('fine')",
      third: "process.kill(process.pid, 'SIGKILL')",
    });
    const byName = new Map(results.map((one) => [one.name, one]));
    expect(byName.get('first')).toMatchObject({ code: 2, output: 'wrong type\n' });
    expect(byName.get('second')).toMatchObject({ code: 0, output: 'fine\n' });
    expect(byName.get('third')?.code).not.toBe(0);
    expect(byName.get('first')?.command).toContain('wrong type');
  });

  test('one at a time run in the order given', async () => {
    const results = await resultsOf({ slow: 'setTimeout(() => {}, 300)', quick: '0' }, 1);
    expect(results.map(({ name }) => name)).toEqual(['slow', 'quick']);
  });

  test('side by side end as they are done', async () => {
    const results = await resultsOf({
      waits: "process.stdin.on('end', () => {}); setTimeout(() => {}, 2000)",
      quick: '0',
    });
    expect(results.map(({ name }) => name)).toEqual(['quick', 'waits']);
  });

  test('a program that does not exist fails', async () => {
    const [result] = await runParts([{ name: 'none', command: 'no-such-program-at-all' }], {
      limit: 1,
      cwd: process.cwd(),
      onEnd: () => {},
    });
    expect(result?.code).not.toBe(0);
  });
});
