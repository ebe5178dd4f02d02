import { html } from 'hono/html';
import { type BulkReport, formatReport } from '../../operations/bulk.ts';
import type {
  BulkForm,
  Operation,
  OperationInfo,
  Preview,
  Selection,
  Selector,
} from '../../operations/operation.ts';
import { grouped } from '../labels.ts';
import type { Html } from '../layout.ts';
import { table } from '../table.ts';
import { pathOf, previewBox, reasonForm, warning } from './views.ts';

/** Parts of the pages for bulk operations: choose, preview, confirm, read the report. */
const LABELS: Readonly<Record<Selector, string>> = {
  type: 'Type of job',
  status: 'Status',
  'error-class': 'Class of error',
  'older-than': 'Older than',
};

export interface Chosen {
  operation: Operation;
  bulk: BulkForm;
}
export interface ChoosingParts extends Chosen {
  /** The filters as entered. */
  said: Readonly<Record<string, string | undefined>>;
  problems: readonly string[];
}

export function choosingView({ operation, bulk, said, problems }: ChoosingParts): Html {
  const selectors = Object.entries(bulk.selectors) as [Selector, readonly string[] | null][];
  return html`<p class="lead">${bulk.sentence} ${operation.sentence}</p>
  ${problems.map(warning)}
  <form method="get" action="${pathOf(operation)}/all">
    <input type="hidden" name="look" value="yes">
    ${selectors.map(([name, values]) => selectorField({ name, values, said: said[name] ?? '', required: bulk.required.includes(name) }))}
    ${
      operation.forceMeans === null
        ? ''
        : html`<p><label><input type="checkbox" name="force" value="yes" ${said.force === 'yes' ? 'checked' : ''}> Force. ${operation.forceMeans}</label></p>`
    }
    <p><button type="submit">Show what it will do</button></p>
  </form>`;
}

function selectorField(field: {
  name: Selector;
  values: readonly string[] | null;
  said: string;
  required: boolean;
}): Html {
  const { name, values, said } = field;
  const label = html`<label for="${name}">${LABELS[name]}${field.required ? '' : ' (any)'}</label>`;
  const required = field.required ? 'required' : '';
  if (values === null)
    return html`<p>${label} <input id="${name}" name="${name}" value="${said}" placeholder="30m, 2h, 7d" pattern="\\d{1,6}[smhd]" ${required}></p>`;
  return html`<p>${label} <select id="${name}" name="${name}" ${required}>
    <option value=""></option>
    ${values.map((value) => html`<option value="${value}" ${value === said ? 'selected' : ''}>${value}</option>`)}
  </select></p>`;
}

export interface BulkRequest extends Chosen {
  selection: Selection;
  force: boolean;
  /** When the actors were counted; those created later are not included. */
  at: number;
}
export interface LookParts extends BulkRequest {
  count: number;
  previews: readonly Preview[];
  reason: string;
}

export function lookView({ operation, selection, force, at, count, previews, reason }: LookParts): Html {
  const address = `${pathOf(operation)}/all`;
  if (count === 0)
    return html`<p class="notice">There are none.</p><p><a href="${address}">Choose again</a></p>`;
  return html`<p class="lead">${grouped(count)} of them. ${previews.length < count ? `The first ${previews.length}:` : ''}</p>
  ${previews.map(previewBox)}
  ${reasonForm({
    action: address,
    hidden: { ...selection, ...(force ? { force: 'yes' } : {}), at },
    reason,
    submit: `${operation.title}: all ${grouped(count)}`,
    danger: true,
  })}
  <p><a href="${address}">Choose again</a></p>`;
}

export function progressLine(report: BulkReport, count: number): Html {
  const { applied, ignored, missing, failed } = report;
  return html`<li>${grouped(applied + ignored + missing + failed)} of ${grouped(count)}: ${grouped(applied)} done, ${grouped(failed)} failed</li>`;
}

export function reportView(operation: OperationInfo, report: BulkReport): Html {
  const { told, ended, ignored, missing, failed } = report;
  const fine = ended === 'done' && failed === 0;
  const first = told.length < ignored + missing + failed ? `, the first ${told.length}` : '';
  const notDone = table({
    caption: `Not done${first}`,
    columns: [
      ['Id', ({ id }) => id, 'mono'],
      ['What came of it', ({ outcome }) => outcome],
      ['Why', ({ why }) => why],
    ],
    rows: told,
  });
  return html`<p class="notice ${fine ? 'good' : 'warn'}" role="status">${formatReport(report)}</p>
  ${told.length === 0 ? '' : html`<div class="scroll">${notDone}</div>`}
  <p><a href="${pathOf(operation)}/all">Again, for what is left</a></p>`;
}
