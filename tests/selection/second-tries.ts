import type { RunRecord } from './records.ts';

/** Three second tries of one test within this many days are a defect of the test, or of what it tests. */
const MONTH_DAYS = 31;
const DEFECT = 3;
const DAY_MS = 86_400_000;

const HEAD = `# Second tries

Tests that failed and then passed in their second try (\`retry\` in tests/vitest.config.ts), one line each time.
\`npm run test:all\` and \`npm run test:selected\` add the lines. A test with ${DEFECT} lines within ${MONTH_DAYS} days is a defect and
fails the run. Remove its lines in the commit that fixes the cause.

| day | test | why the first try failed |
| --- | --- | --- |
`;
const ROW = /^\| (\d{4}-\d{2}-\d{2}) \| (.*?) \| (.*) \|$/gm;

/** `text` of the list ('' before its first entry) with one line for each of `tries`, on `day` (YYYY-MM-DD). */
export function addSecondTries(text: string, tries: RunRecord['secondTries'], day: string): string {
  if (tries.length === 0) return text;
  const lines = tries.map(({ test, reason }) => `| ${day} | ${cell(test)} | ${cell(reason)} |\n`);
  return `${text === '' ? HEAD : text}${lines.join('')}`;
}

/** The tests that stand in the list three times or more in the month before `day`, with how often. */
export function defects(text: string, day: string): { test: string; times: number }[] {
  const oldest = Date.parse(day) - MONTH_DAYS * DAY_MS;
  const times = new Map<string, number>();
  for (const [, on = '', test = ''] of text.matchAll(ROW)) {
    if (Date.parse(on) >= oldest) times.set(test, (times.get(test) ?? 0) + 1);
  }
  return [...times]
    .filter(([, count]) => count >= DEFECT)
    .map(([test, count]) => ({ test, times: count }))
    .toSorted((a, b) => b.times - a.times);
}

/** A text that stays in its cell of the table. */
const cell = (text: string): string => text.replaceAll('|', '/').replace(/\s+/g, ' ').trim().slice(0, 200);
