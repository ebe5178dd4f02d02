/** `#rrggbb` made darker (factor below 1) or lighter (above 1). */
export function shade(colour: string, factor: number): string {
  const channels = channelsOf(colour).map((channel) =>
    factor <= 1 ? channel * factor : channel + (255 - channel) * Math.min(1, (factor - 1) * 1.6),
  );
  return toHex(channels);
}

/** `share` of `other` mixed into `colour`, 0 to 1. */
export function mix(colour: string, other: string, share: number): string {
  const theirs = channelsOf(other);
  return toHex(channelsOf(colour).map((channel, index) => channel + (theirs[index]! - channel) * share));
}

function channelsOf(colour: string): number[] {
  return [1, 3, 5].map((start) => Number.parseInt(colour.slice(start, start + 2), 16));
}

function toHex(channels: number[]): string {
  return `#${channels
    .map((channel) =>
      Math.round(Math.min(255, Math.max(0, channel)))
        .toString(16)
        .padStart(2, '0'),
    )
    .join('')}`;
}
