import { type AppliedFault, findFault } from '../faults/fault-catalogue.ts';
import { findInvalidFields, type InputSchema } from './input-schema.ts';
import type { ModelHandler, ModelJob, ModelResult } from './model-handler.ts';

/** Input of openai/gpt-5-mini, as its page on the provider lists it. */
const GPT_5_MINI: InputSchema = {
  required: ['prompt'],
  fields: {
    prompt: { kind: 'text' },
    system_prompt: { kind: 'text' },
    image_input: { kind: 'addresses' },
    reasoning_effort: { kind: 'choice', values: ['minimal', 'low', 'medium', 'high'] },
    verbosity: { kind: 'choice', values: ['low', 'medium', 'high'] },
    max_completion_tokens: { kind: 'integer', min: 1, max: 128_000 },
  },
};

export const gpt5Mini: ModelHandler = { findInvalid: (input) => findInvalidFields(input, GPT_5_MINI), run };

/**
 * A listing's description from the facts in the prompt, in pieces, as text models answer; any other prompt is
 * echoed.
 */
async function run({ input, faults }: ModelJob): Promise<ModelResult> {
  if (findFault(faults, 'output-empty-array')) return { kind: 'value', value: [] };
  const text = damaged(write(String(input.prompt)), faults);
  return { kind: 'value', value: findFault(faults, 'output-string') ? text : text.split(/(?<=\s)/) };
}

/** The picture faults applied to a text: another kind of output, or an unusable one. */
function damaged(text: string, faults: readonly AppliedFault[]): string {
  if (findFault(faults, 'output-wrong-type')) return `<p>${text}</p>`;
  if (findFault(faults, 'output-truncated')) return text.slice(0, 40);
  if (findFault(faults, 'output-huge')) return text.repeat(200);
  return text;
}

interface Facts {
  address?: string;
  city?: string;
  propertyType?: string;
  bedrooms?: number;
  bathrooms?: number;
  livingArea?: string;
  lotSize?: string;
  yearBuilt?: number;
  features?: string[];
}

function write(prompt: string): string {
  const json = /<listing_facts>\n(.*?)\n<\/listing_facts>/s.exec(prompt)?.[1];
  if (json === undefined) return `You wrote: ${prompt.slice(0, 200)}`;
  const facts = JSON.parse(json) as Facts;
  return (/ in Spanish,/.test(prompt) ? spanish(facts) : english(facts)).join('\n\n');
}

function english(facts: Facts): string[] {
  const kind = facts.propertyType ?? 'home';
  const rooms = sizes([
    [facts.bedrooms, 'bedrooms'],
    [facts.bathrooms, 'bathrooms'],
  ]).join(' and ');
  return [
    `This ${kind.toLowerCase()} is located at ${facts.address} in ${facts.city}.${rooms === '' ? '' : ` It has ${rooms}.`}`,
    [
      facts.livingArea && `The living area measures ${facts.livingArea}.`,
      facts.lotSize && `The lot measures ${facts.lotSize}.`,
      facts.yearBuilt && `It was built in ${facts.yearBuilt}.`,
      facts.features?.length && `The property offers the following: ${facts.features.join(', ')}.`,
      'Contact the agent to arrange a visit.',
    ]
      .filter(Boolean)
      .join(' '),
  ];
}

function spanish(facts: Facts): string[] {
  const rooms = sizes([
    [facts.bedrooms, 'dormitorios'],
    [facts.bathrooms, 'baños'],
  ]).join(' y ');
  return [
    `Esta vivienda se encuentra en ${facts.address}, ${facts.city}.${rooms === '' ? '' : ` Dispone de ${rooms}.`}`,
    [
      facts.livingArea && `La superficie es de ${facts.livingArea}.`,
      facts.lotSize && `La parcela mide ${facts.lotSize}.`,
      facts.yearBuilt && `Se construyó en ${facts.yearBuilt}.`,
      facts.features?.length && `La propiedad ofrece lo siguiente: ${facts.features.join(', ')}.`,
      'Póngase en contacto con el agente para concertar una visita.',
    ]
      .filter(Boolean)
      .join(' '),
  ];
}

function sizes(of: readonly (readonly [number | undefined, string])[]): string[] {
  return of.flatMap(([count, name]) => (count === undefined ? [] : [`${count} ${name}`]));
}
