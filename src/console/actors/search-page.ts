import { html } from 'hono/html';
import { ACTOR_KINDS } from '../../../persistence/actors/actor-kinds.ts';
import type { Found } from '../../../persistence/console/search.ts';
import type { Html } from '../layout.ts';
import { searchForm } from './list-page.ts';

/** The address for a search result: an actor's page, or the list of the actors that belong to it. */
export function addressOfFound({ what, id }: Found): string {
  if (what === 'property') return `/console/listings/${id}`;
  if (what === 'person') return `/console/people/${id}`;
  return what === 'original' ? `/console/actors/search?q=${id}` : `/console/actors/${what}/${id}`;
}

export function searchBody({
  text,
  found,
  jobs,
}: {
  text: string;
  found: readonly Found[];
  /** The jobs of an original photo that was found. */
  jobs: readonly string[];
}): Html {
  return html`${searchForm(text)}
  ${text === '' ? howTo() : found.length === 0 ? nothing(text) : results(found, jobs)}`;
}

function howTo(): Html {
  return html`<p>Any id of the platform will do: of a job, an attempt, an image, a deletion, a tour, a listing or a person; the provider's id of a prediction; the key of an object.</p>`;
}

function nothing(text: string): Html {
  return html`<p class="notice">Nothing bears the id <code>${text}</code>.</p>
  <ul>
    <li>Take the whole id: shortened ones are not looked for.</li>
    <li>Prediction ids are known once the provider has answered; an attempt whose answer was lost has none.</li>
    <li>What is gone is found by its journal until that is pruned.</li>
  </ul>`;
}

function results(found: readonly Found[], jobs: readonly string[]): Html {
  return html`<ul class="results">${found.map(
    (one) =>
      html`<li>${one.what === 'original' ? html`Original photo <code>${one.id}</code>` : html`<a href="${addressOfFound(one)}">${wordOf(one)} <span class="mono">${one.id}</span></a>`} <span class="muted">found by its ${one.by} id</span></li>`,
  )}</ul>
  ${
    jobs.length === 0
      ? ''
      : html`<h2>Its staging jobs, newest first</h2><ul class="results">${jobs.map(
          (id) => html`<li><a class="mono" href="/console/actors/stagingJob/${id}">${id}</a></li>`,
        )}</ul>`
  }`;
}

function wordOf({ what }: Found): string {
  if (what === 'property') return 'Listing';
  if (what === 'person') return 'Person';
  return what === 'original' ? 'Original photo' : ACTOR_KINDS[what].label.one;
}
