import { DISCLOSURE_LABEL } from '../../../machines/vocabulary.ts';
import { PAGE_STYLE } from './contact-page-style.ts';
import { type DemoJob, elapsedMs, type Refused, seconds } from './job.ts';
import type { RunResult } from './outcome.ts';
import { escapeMarkup, standingOf, toText } from './standing.ts';

/** The contact sheet as one HTML page beside its pictures: no script, no resources from other hosts. */
export function renderPage(result: RunResult): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Proscenium · staging demo</title>
<style>${PAGE_STYLE}</style>
</head>
<body>
<header>
<h1>Staging demo</h1>
<p class="lead">Every room as it was photographed and as it was staged. This is the agent’s view: pictures that are not approved stay private.</p>
${facts(result)}
</header>
<main>
${result.jobs.map(card).join('\n')}
</main>
${rejections(result.refused)}
<footer><ul class="checks">
${result.checks.map(({ holds, what }) => `<li class="${holds ? 'holds' : 'fails'}">${escapeMarkup(what)}</li>`).join('\n')}
</ul></footer>
</body>
</html>
`;
}

function facts({ startedAt, crashed, jobs, ledgerSummary }: RunResult): string {
  const count = (status: string) => String(jobs.filter(({ seen }) => seen.status === status).length);
  const rows = [
    ['Rooms', String(jobs.length)],
    ['Staged', count('SUCCESS')],
    ['Canceled', count('CANCELED')],
    ['Purchases', `${ledgerSummary.purchases} for ${ledgerSummary.attempts} attempts`],
    ['Worker', crashed ? 'killed half-way (kill -9)' : 'ran through'],
    ['Run', `${new Date(startedAt).toISOString().slice(0, 16).replace('T', ' ')} UTC`],
  ];
  const cells = rows.map(
    ([name = '', value = '']) => `<div><dt>${name}</dt><dd>${escapeMarkup(value)}</dd></div>`,
  );
  return `<dl class="facts">${cells.join('')}</dl>`;
}

function card(job: DemoJob): string {
  const { number, photo, seen } = job;
  const { kind, badge, note } = standingOf(job);
  const attempts = `${seen.attempts.length} attempt${seen.attempts.length === 1 ? '' : 's'}`;
  return `<article>
<h2><span class="number">${number}</span> ${toText(photo.room)} <span class="style">${toText(photo.style)}</span> <span class="badge ${kind}">${escapeMarkup(badge)}</span></h2>
<div class="pair">
${before(job)}
${after(job)}
</div>
<p class="note">${escapeMarkup(note)}</p>
<p class="meta">${escapeMarkup(photo.fileName)} · job ${escapeMarkup(job.aiJobId.slice(0, 8))} · ${attempts} · ${seconds(elapsedMs(job, Date.now()))}</p>
</article>`;
}

const shapeOf = ({ shape: { width, height } }: DemoJob): string =>
  `style="aspect-ratio: ${width} / ${height}"`;

function before(job: DemoJob): string {
  const { before: file, photo } = job;
  const picture =
    file === null
      ? `<div class="empty" ${shapeOf(job)}>no picture</div>`
      : `<a class="frame" ${shapeOf(job)} href="${encodeURI(file)}"><img src="${encodeURI(file)}" alt="${escapeMarkup(toText(photo.room))} before staging, ${escapeMarkup(photo.fileName)}" loading="lazy"></a>`;
  return `<figure>${picture}<figcaption>Before</figcaption></figure>`;
}

function after(job: DemoJob): string {
  const { after: file, photo } = job;
  const { kind, badge } = standingOf(job);
  const picture =
    file === null
      ? `<div class="empty" ${shapeOf(job)}>${escapeMarkup(badge.toLowerCase())}</div>`
      : `<a class="frame ${kind}" ${shapeOf(job)} href="${encodeURI(file)}"><img src="${encodeURI(file)}" alt="${escapeMarkup(toText(photo.room))} staged, ${toText(photo.style)}" loading="lazy"><span class="label">${DISCLOSURE_LABEL}</span></a>`;
  return `<figure>${picture}<figcaption>After · ${toText(photo.style)}</figcaption></figure>`;
}

function rejections(refused: readonly Refused[]): string {
  if (refused.length === 0) return '';
  const items = refused.map(
    ({ photo, why }) => `<li><b>${escapeMarkup(photo.fileName)}</b> ${escapeMarkup(why)}</li>`,
  );
  return `<section class="refused"><h2>Not accepted</h2><ul>${items.join('')}</ul></section>`;
}
