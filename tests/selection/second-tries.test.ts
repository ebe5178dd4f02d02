import { describe, expect, test } from 'vitest';
import { addSecondTries, defects } from './second-tries.ts';

const slow = { test: 'tests/a.test.ts > a mail | arrives', reason: 'waited 45 s for\na mail' };

describe('the list of second tries', () => {
  test('stays as it is when there was none', () => {
    expect(addSecondTries('', [], '2026-11-27')).toBe('');
  });

  test('gains a line for each, under one head, and every line stays in its cells', () => {
    const once = addSecondTries('', [slow], '2026-11-27');
    const twice = addSecondTries(once, [slow], '2026-11-28');
    expect(twice.match(/^# /gm)).toHaveLength(1);
    expect(twice).toContain('| 2026-11-27 | tests/a.test.ts > a mail / arrives | waited 45 s for a mail |\n');
    expect(twice.startsWith(once)).toBe(true);
  });

  test('names a test that stands there three times within a month', () => {
    const list = ['2026-11-01', '2026-11-20', '2026-11-27'].reduce(
      (text, day) => addSecondTries(text, [slow], day),
      '',
    );
    expect(defects(list, '2026-11-27')).toEqual([{ test: 'tests/a.test.ts > a mail / arrives', times: 3 }]);
    expect(defects(list, '2026-12-10')).toEqual([]);
  });
});
