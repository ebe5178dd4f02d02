import { join } from 'node:path';
import { html } from 'hono/html';
import sharp, { type OverlayOptions } from 'sharp';
import { DISCLOSURE_LABEL } from '../../../machines/vocabulary.ts';
import { type DemoJob, elapsedMs, seconds, toText } from './job.ts';
import type { RunResult } from './outcome.ts';

/** Pixels. A pair is a room before and after; each row has two pairs. A photo is shown whole, in its own shape. */
const PHOTO = { width: 420, height: 315 };
const MARGIN = 40;
const GAP = 10;
const HEAD = 118;
const CAPTION = 66;
const ROW_GAP = 30;
const COLUMN_GAP = 44;
const PAIR_WIDTH = PHOTO.width * 2 + GAP;

const INK = '#1d1f23';
const SOFT = '#62666e';
const PAPER = '#f7f6f3';
const HOLLOW = '#e9e6df';
const BADGES = {
  APPROVED: { ink: '#17693a', ground: '#dcf1e3' },
  PENDING_REVIEW: { ink: '#7a5200', ground: '#fbecc8' },
  REJECTED: { ink: '#a02020', ground: '#fbdedc' },
};
const NO_PICTURE = { ink: '#4b5058', ground: '#e3e1db' };
const FONT = 'font-family="Inter, Helvetica, Arial, DejaVu Sans, sans-serif"';

/**
 * The contact sheet as one PNG. Captions are beside the pictures, never in them: the pixels of a staged picture are
 * only the provider's.
 */
export async function drawContactSheet(out: string, result: RunResult): Promise<Buffer> {
  const { jobs } = result;
  const columns = jobs.length > 1 ? 2 : 1;
  const rows = Math.ceil(jobs.length / columns);
  const width = MARGIN * 2 + PAIR_WIDTH * columns + COLUMN_GAP * (columns - 1);
  const height = HEAD + rows * (PHOTO.height + CAPTION + ROW_GAP) + MARGIN - ROW_GAP;
  const places = jobs.map((job, index) => ({
    job,
    left: MARGIN + (index % columns) * (PAIR_WIDTH + COLUMN_GAP),
    top: HEAD + Math.floor(index / columns) * (PHOTO.height + CAPTION + ROW_GAP),
  }));
  const pictures: OverlayOptions[] = [];
  for (const { job, left, top } of places) {
    pictures.push(...(await pictureAt(out, job.before, { left, top })));
    const after = { left: left + PHOTO.width + GAP, top };
    const faded = job.review === 'REJECTED';
    pictures.push(...(await pictureAt(out, job.after, { ...after, faded })));
  }
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">
    ${heading(result)}${places.map(caption).join('')}</svg>`;
  return sharp({ create: { width, height, channels: 3, background: PAPER } })
    .composite([{ input: Buffer.from(svg) }, ...pictures])
    .png({ palette: false, compressionLevel: 9 })
    .toBuffer();
}

async function pictureAt(
  out: string,
  file: string | null,
  { left, top, faded = false }: { left: number; top: number; faded?: boolean },
): Promise<OverlayOptions[]> {
  if (file === null) return [];
  const picture = sharp(join(out, file))
    .autoOrient()
    .resize({ ...PHOTO, fit: 'inside' });
  if (faded) picture.modulate({ saturation: 0.15 }).linear(0.5, 120);
  const { data, info } = await picture.png().toBuffer({ resolveWithObject: true });
  const [beside, above] = [PHOTO.width - info.width, PHOTO.height - info.height].map((free) =>
    Math.floor(free / 2),
  );
  return [{ input: data, left: left + (beside ?? 0), top: top + (above ?? 0) }];
}

function heading({ jobs, startedAt, crashed, ledgerText }: RunResult): string {
  const when = `${new Date(startedAt).toISOString().slice(0, 16).replace('T', ' ')} UTC`;
  const staged = jobs.filter(({ seen }) => seen.status === 'SUCCESS').length;
  const line = `${jobs.length} rooms, ${staged} staged · ${ledgerText}${crashed ? ' · the worker was killed half-way' : ''} · ${when}`;
  return `<text x="${MARGIN}" y="62" ${FONT} font-size="30" font-weight="700" fill="${INK}">Proscenium staging demo</text>
    <text x="${MARGIN}" y="92" ${FONT} font-size="15" fill="${SOFT}">${escapeMarkup(line)}</text>`;
}

function caption({ job, left, top }: { job: DemoJob; left: number; top: number }): string {
  const badge = (job.review ?? job.seen.status).replace('_', ' ');
  const badgeColors = job.review === null ? NO_PICTURE : BADGES[job.review];
  const ground = (x: number) =>
    `<rect x="${x}" y="${top}" width="${PHOTO.width}" height="${PHOTO.height}" rx="4" fill="${HOLLOW}"/>`;
  const hollow = (x: number) =>
    `<text x="${x + PHOTO.width / 2}" y="${top + PHOTO.height / 2 + 6}" text-anchor="middle" ${FONT} font-size="17" fill="${SOFT}">${escapeMarkup(badge.toLowerCase())}</text>`;
  const right = left + PHOTO.width + GAP;
  const base = top + PHOTO.height;
  const badgeWidth = Math.round(badge.length * 9.4 + 20);
  const badgeLeft = left + PAIR_WIDTH - badgeWidth;
  const title = `${job.number}  ${toText(job.photo.room)}`;
  const facts = `${clip(job.photo.fileName, 34)} · ${seconds(elapsedMs(job, Date.now()))}`;
  const label = job.after === null ? '' : DISCLOSURE_LABEL;
  return `${ground(left)}${ground(right)}${job.before === null ? hollow(left) : ''}${job.after === null ? hollow(right) : ''}
    <text x="${left}" y="${base + 27}" ${FONT} font-size="17" font-weight="700" fill="${INK}">${escapeMarkup(title)}</text>
    <text x="${left}" y="${base + 49}" ${FONT} font-size="13" fill="${SOFT}">${escapeMarkup(facts)}</text>
    <text x="${right}" y="${base + 27}" ${FONT} font-size="16" fill="${INK}">${toText(job.photo.style)}</text>
    <text x="${right}" y="${base + 49}" ${FONT} font-size="13" fill="${SOFT}">${label}</text>
    <rect x="${badgeLeft}" y="${base + 12}" width="${badgeWidth}" height="24" rx="6" fill="${badgeColors.ground}"/>
    <text x="${badgeLeft + badgeWidth / 2}" y="${base + 28.5}" text-anchor="middle" ${FONT} font-size="12" font-weight="700" letter-spacing="0.5" fill="${badgeColors.ink}">${escapeMarkup(badge)}</text>`;
}

function clip(text: string, length: number): string {
  return text.length <= length ? text : `${text.slice(0, length - 1)}…`;
}

const escapeMarkup = (text: string): string => String(html`${text}`);
