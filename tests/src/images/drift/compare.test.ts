import { beforeAll, describe, expect, test } from 'vitest';
import { padTo } from '../../../../machines/framing.ts';
import { ALTERATIONS } from '../../../../ops/bench/drift/alterations.ts';
import { openCanvas } from '../../../../ops/bench/drift/canvas.ts';
import { compareDrift } from '../../../../src/images/decoding/drift-comparison.ts';
import { sharp } from '../../../../src/images/decoding/sharp-settings.ts';
import {
  drawnRoom,
  emptyRoom,
  ROOM_SIZE,
  recoloredFloor,
  relitRoom,
  scaledRoom,
  stagedRoom,
  withoutWindow,
} from '../../../support/pictures/room-changes.ts';

/** docs/contract.md#drift. What is found of more rooms is measured by `npm run bench -- drift`. */
let photo: Buffer;
beforeAll(async () => {
  photo = await drawnRoom();
});
const compared = (staged: Buffer, pad: Parameters<typeof compareDrift>[1]['pad'] = null) =>
  compareDrift(staged, { photo, pad });

/** A change of the benchmark's table. */
async function altered(kind: (typeof ALTERATIONS)[number]['kind']): Promise<Buffer> {
  const changed = await ALTERATIONS.find((one) => one.kind === kind)?.make(await openCanvas(photo));
  if (!changed) throw new Error(`the room cannot be changed: ${kind}`);
  return changed;
}

describe('honest pictures', () => {
  test('the same picture, other light and furniture raise no flag, and their score is below one half', async () => {
    for (const staged of [photo, await relitRoom(photo), await stagedRoom(photo)]) {
      const { flags, score } = await compared(staged);
      expect(flags).toEqual([]);
      expect(score).toBeLessThan(0.5);
    }
  });

  test('furniture in an empty room, whose few edges are mostly behind it, is no lost fixture', async () => {
    const empty = await emptyRoom();
    const staged = await stagedRoom(empty, 'a scandinavian dining room');
    const { flags, measures } = await compareDrift(staged, { photo: empty, pad: null });
    expect(flags).toEqual([]);
    expect(measures.melted).toBeGreaterThan(0);
  });

  test('the same picture has a score of nearly 0, no boxes and an empty heat map', async () => {
    const { score, boxes, heatMap } = await compared(photo);
    expect(score).toBeLessThan(0.01);
    expect(boxes).toEqual([]);
    const { channels } = await sharp(heatMap).stats();
    expect(channels.at(-1)?.max).toBe(0);
  });
});

describe('geometry', () => {
  test.each([
    ['widened', 1.04, 1],
    ['stretched', 1, 1.03],
    ['zoomed', 1.05, 1.05],
  ])('%s', async (_, across, down) => {
    const { flags, measures, score } = await compared(await scaledRoom(photo, across, down));
    expect(flags).toContain('GEOMETRY_MOVED');
    expect(measures.scale).toBeCloseTo(Math.max(across, down) - 1, 2);
    expect(score).toBeGreaterThan(0.5);
  });

  test('moved by less than 1.2 % is not moved', async () => {
    expect((await compared(await scaledRoom(photo, 1.006, 1.006))).flags).toEqual([]);
  });

  test('another room has moved, a plain wall has not: it has no corners to judge by', async () => {
    expect((await compared(await drawnRoom('KITCHEN'))).flags).toContain('GEOMETRY_MOVED');
    const plain = await sharp({ create: { ...ROOM_SIZE, channels: 3, background: '#c9c2b4' } })
      .png()
      .toBuffer();
    const { flags, measures } = await compareDrift(plain, { photo: plain, pad: null });
    expect([flags, measures.corners]).toEqual([[], 0]);
  });
});

describe('structure and surfaces', () => {
  test('a removed thing is lost, and red in the heat map', async () => {
    const { flags, heatMap } = await compared(await withoutWindow(photo));
    expect(flags).toContain('STRUCTURE_LOST');
    const { data } = await sharp(heatMap).ensureAlpha().raw().toBuffer({ resolveWithObject: true });
    const isRed = (at: number) => data[at]! > 150 && data[at + 2]! < 100 && data[at + 3]! > 0;
    let red = 0;
    for (let at = 0; at < data.length; at += 4) if (isRed(at)) red++;
    expect(red).toBeGreaterThan(50);
  });

  test('a recolored wall', async () => {
    expect((await compared(await altered('wall recolored'))).flags).toContain('SURFACE_REPAINTED');
  });

  test('a wall with a pattern in nearly its color, behind furniture', async () => {
    const { flags, measures } = await compared(await altered('wall papered'));
    expect(flags).toContain('SURFACE_REPAINTED');
    // Not by its color.
    expect(measures.surface).toBeLessThan(0.12);
  });

  test('a floor in another color has no flag: floors are not checked', async () => {
    expect((await compared(await recoloredFloor(photo))).flags).toEqual([]);
  });

  test('a window that was added is listed as a box, without a flag', async () => {
    const { boxes, flags } = await compared(await altered('window or pendant added'));
    expect(flags).toEqual([]);
    expect(boxes.length).toBeGreaterThan(0);
    for (const { left, top, width, height } of boxes) {
      expect(Math.min(left, top, width, height)).toBeGreaterThanOrEqual(0);
      expect([left + width <= 1, top + height <= 0.6]).toEqual([true, true]);
    }
  });
});

describe('sizes', () => {
  test('of a padded picture only the frame is compared', async () => {
    const pad = padTo(ROOM_SIZE, '1:1');
    const { left, top, width, height } = pad.frame;
    const inside = await sharp(await stagedRoom(photo))
      .resize(width, height, { fit: 'fill' })
      .toBuffer();
    const padded = await sharp({
      create: { width: pad.width, height: pad.height, channels: 3, background: '#705030' },
    })
      .composite([{ input: inside, left, top }])
      .jpeg()
      .toBuffer();
    expect((await compared(padded, pad)).flags).toEqual([]);
    expect((await compared(padded)).flags).toContain('GEOMETRY_MOVED');
  });

  test('a picture of other proportions is scaled to those of the photo, and the heat map has them', async () => {
    const square = await sharp(photo).resize(768, 768, { fit: 'fill' }).toBuffer();
    const { flags, heatMap } = await compared(square);
    expect(flags).toEqual([]);
    const { width, height, hasAlpha } = await sharp(heatMap).metadata();
    expect([width, height, hasAlpha]).toEqual([640, 427, true]);
  });

  test('gray, transparent and turned pictures are compared like others', async () => {
    const turned = await sharp(photo).rotate(90).withMetadata({ orientation: 8 }).jpeg().toBuffer();
    const transparent = await sharp(photo).ensureAlpha().png().toBuffer();
    for (const staged of [turned, transparent, await sharp(photo).greyscale().jpeg().toBuffer()])
      expect((await compared(staged)).flags).not.toContain('GEOMETRY_MOVED');
  });
});
