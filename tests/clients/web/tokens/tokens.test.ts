import { expect, test } from 'vitest';
import { COLORS, type ColorName, MARK_PAIRS, TEXT_PAIRS } from '../../../../clients/web/tokens/tokens.ts';

/** Contrast as WCAG 2.2 defines it. */
function luminance(color: string): number {
  const channel = (at: number): number => {
    const value = Number.parseInt(color.slice(at, at + 2), 16) / 255;
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  };
  return 0.2126 * channel(1) + 0.7152 * channel(3) + 0.0722 * channel(5);
}

function contrast(one: ColorName, other: ColorName, theme: 'light' | 'dark'): number {
  const [darker = 0, lighter = 0] = [COLORS[one], COLORS[other]]
    .map((role) => luminance(role[theme]))
    .toSorted((a, b) => a - b);
  return (lighter + 0.05) / (darker + 0.05);
}

for (const theme of ['light', 'dark'] as const) {
  test.each(TEXT_PAIRS)(`text: %s on %s has a contrast of 4.5 to 1 in the ${theme} theme`, (text, on) => {
    expect(contrast(text, on, theme)).toBeGreaterThanOrEqual(4.5);
  });
  test.each(MARK_PAIRS)(`marks: %s on %s has a contrast of 3 to 1 in the ${theme} theme`, (mark, on) => {
    expect(contrast(mark, on, theme)).toBeGreaterThanOrEqual(3);
  });
}

test('primary buttons are the same in both themes', () => {
  expect(COLORS.primarySolid.light).toBe(COLORS.primarySolid.dark);
});
