import { z } from 'zod';

export const SPEEDS = ['realistic', 'fast', 'instant'] as const;
export type Speed = (typeof SPEEDS)[number];

const HOUR_MS = 3_600_000;
/**
 * Doubling waits whose last retry falls about a minute after completion (docs/provider.md#callbacks-of-the-provider).
 */
const WEBHOOK_RETRY_DELAYS_MS = [1_000, 2_000, 4_000, 8_000, 16_000, 32_000];

/** What `POST /__control/settings` may change while the simulator runs. */
export const settingsChangeSchema = z
  .strictObject({
    speed: z.enum(SPEEDS),
    pageSize: z.int().min(1).max(1000),
    outputTtlMs: z.number().min(0),
    hold: z.boolean(),
    pictures: z.enum(['staged', 'plain']),
    webhookRetryDelaysMs: z.array(z.number().min(0)).max(20),
  })
  .partial();
export type SettingsChange = z.output<typeof settingsChangeSchema>;

export interface Settings {
  speed: Speed;
  pageSize: number;
  /** Age after completion at which output, input and files are removed. */
  outputTtlMs: number;
  /** While true no prediction finishes by itself. */
  hold: boolean;
  /** `plain` answers with a flat picture and never fetches the input photo: for load runs. */
  pictures: 'staged' | 'plain';
  webhookRetryDelaysMs: number[];
}

export function defaultSettings(speed: Speed): Settings {
  return {
    speed,
    pageSize: 100,
    outputTtlMs: HOUR_MS,
    hold: false,
    pictures: 'staged',
    webhookRetryDelaysMs: WEBHOOK_RETRY_DELAYS_MS,
  };
}

const DELAYS_MS: Record<Speed, { start: [number, number]; run: [number, number] }> = {
  realistic: { start: [1_000, 3_000], run: [8_000, 20_000] },
  fast: { start: [10, 60], run: [40, 240] },
  instant: { start: [0, 0], run: [0, 0] },
};

/** How long a new prediction stays `starting`, then `processing`, in milliseconds. */
export function drawDelays(speed: Speed, random: () => number): { startDelayMs: number; runDelayMs: number } {
  const draw = ([low, high]: [number, number]) => Math.round(low + (high - low) * random());
  return { startDelayMs: draw(DELAYS_MS[speed].start), runDelayMs: draw(DELAYS_MS[speed].run) };
}
