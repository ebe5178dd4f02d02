import { darker, ellipse, lighter, line, path, polygon, rect } from '../../canvas.ts';
import type { Scene } from './scene.ts';

interface Pane {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  readonly panes?: readonly [number, number];
  readonly shutters?: string;
  readonly arch?: boolean;
  readonly dark?: boolean;
}

export function pane(
  scene: Scene,
  { x, y, width, height, panes = [2, 2], shutters, arch = false, dark = false }: Pane,
): void {
  const { canvas, evening, chance, trim } = scene;
  const lit = evening && chance() > 0.24;
  const frame = dark ? '#33363b' : trim;
  const glass = lit
    ? canvas.linear([
        [0, '#ffd98a'],
        [0.6, '#ffc46b'],
        [1, '#e89a4c'],
      ])
    : evening
      ? canvas.linear([
          [0, '#39466f'],
          [1, '#8a6f88'],
        ])
      : canvas.linear(
          [
            [0, '#7f9db4'],
            [0.5, '#b7cfdb'],
            [1, '#54708a'],
          ],
          [0, 0, 1, 1],
        );
  if (lit)
    canvas.add(
      ellipse(x + width / 2, y + height / 2, width * 1.3, height * 1.1, {
        fill: canvas.radial([
          [0, '#ffc873', 0.42],
          [1, '#ffc873', 0],
        ]),
      }),
    );
  if (shutters !== undefined)
    for (const sx of [x - width * 0.42 - 6, x + width + 6]) {
      canvas.add(
        rect(sx, y - 2, width * 0.42, height + 4, {
          fill: shutters,
          stroke: darker(shutters, 0.3),
          line: 1.5,
        }),
      );
      for (let up = y + 8; up < y + height; up += 9)
        canvas.add(
          line([sx + 5, up], [sx + width * 0.42 - 5, up], { stroke: darker(shutters, 0.26), line: 1.6 }),
        );
    }
  const rise = arch ? width / 2 : 0;
  const shape = (grow: number) =>
    arch
      ? `M${x - grow} ${y + height + grow}L${x - grow} ${y + rise}A${width / 2 + grow} ${width / 2 + grow} 0 0 1 ${x + width + grow} ${y + rise}L${x + width + grow} ${y + height + grow}Z`
      : `M${x - grow} ${y - grow}H${x + width + grow}V${y + height + grow}H${x - grow}Z`;
  canvas.add(
    path(shape(dark ? 5 : 9), { fill: frame, stroke: darker(frame, 0.26), line: 1.2 }),
    path(shape(0), { fill: glass }),
  );
  // Curtains, seen through the glass, and what the sky throws back.
  if (!dark)
    for (const [from, to] of [
      [x, x + width * 0.2],
      [x + width * 0.8, x + width],
    ] as const)
      canvas.add(
        rect(from, y + rise, to - from, height - rise, {
          fill: lit ? '#fff0cf' : '#f1ede4',
          opacity: lit ? 0.6 : 0.4,
        }),
      );
  if (!lit)
    canvas.add(
      polygon(
        [
          [x + width * 0.1, y + height],
          [x + width * 0.4, y + height],
          [x + width * 0.9, y + rise],
          [x + width * 0.6, y + rise],
        ],
        { fill: '#ffffff', opacity: evening ? 0.08 : 0.22 },
      ),
    );
  canvas.add(rect(x, y + rise * 0.3, width, 7, { fill: '#0e0b12', opacity: 0.25 }));
  for (let part = 1; part < panes[0]; part += 1)
    canvas.add(
      line([x + (width * part) / panes[0], y + (arch ? 4 : 0)], [x + (width * part) / panes[0], y + height], {
        stroke: frame,
        line: 4,
      }),
    );
  for (let part = 1; part < panes[1]; part += 1)
    canvas.add(
      line([x, y + (height * part) / panes[1]], [x + width, y + (height * part) / panes[1]], {
        stroke: frame,
        line: 4,
      }),
    );
  if (!dark)
    canvas.add(
      rect(x - 14, y + height + 8, width + 28, 9, {
        fill: lighter(frame, 0.2),
        stroke: darker(frame, 0.26),
        line: 1,
      }),
    );
}

export function row(scene: Scene, xs: readonly number[], given: Omit<Pane, 'x'>): void {
  for (const x of xs) pane(scene, { ...given, x });
}
