import { type AppliedFault, findFault, textOption } from '../faults/fault-catalogue.ts';
import { decompressionBomb } from '../pictures/bombs.ts';
import { encodePicture, type PictureFormat, plainPicture } from '../pictures/encoding.ts';
import { stagePhoto } from '../pictures/staging.ts';
import { findInvalidFields, type InputSchema } from './input-schema.ts';
import { type ModelHandler, type ModelJob, type ModelResult, PredictionFailure } from './model-handler.ts';

const FORMATS = ['png', 'jpeg', 'webp'] as const;
const CANVASES = {
  '1:1': { width: 1024, height: 1024 },
  '3:2': { width: 1536, height: 1024 },
  '2:3': { width: 1024, height: 1536 },
} as const;
/** The size that `output-wrong-aspect` answers with: a ratio that no request can ask for. */
const FOREIGN_CANVAS = { width: 1600, height: 900 };

/** Input of gpt-image-2 at launch (docs/provider.md#the-picture-model). */
const GPT_IMAGE_2: InputSchema = {
  required: ['prompt'],
  fields: {
    prompt: { kind: 'text' },
    input_images: { kind: 'addresses' },
    aspect_ratio: { kind: 'choice', values: Object.keys(CANVASES) },
    quality: { kind: 'choice', values: ['low', 'medium', 'high', 'auto'] },
    output_format: { kind: 'choice', values: FORMATS },
    output_compression: { kind: 'integer', min: 0, max: 100 },
    number_of_images: { kind: 'integer', min: 1, max: 10 },
    background: { kind: 'choice', values: ['auto', 'opaque'] },
    moderation: { kind: 'choice', values: ['auto', 'low'] },
    user_id: { kind: 'text' },
    openai_api_key: { kind: 'text' },
  },
};

const GPT_IMAGE_15: InputSchema = {
  required: ['prompt'],
  fields: {
    ...GPT_IMAGE_2.fields,
    background: { kind: 'choice', values: ['auto', 'transparent', 'opaque'] },
    input_fidelity: { kind: 'choice', values: ['low', 'high'] },
  },
};

export const gptImage2: ModelHandler = { findInvalid: (input) => findInvalidFields(input, GPT_IMAGE_2), run };
export const gptImage15: ModelHandler = {
  findInvalid: (input) => findInvalidFields(input, GPT_IMAGE_15),
  run,
};

async function run(job: ModelJob): Promise<ModelResult> {
  if (findFault(job.faults, 'output-empty-array')) return { kind: 'value', value: [] };
  const asked = (job.input.output_format ?? 'webp') as PictureFormat;
  const count = (job.input.number_of_images ?? 1) as number;
  const bytes = await makeFile(job, asked);
  if (findFault(job.faults, 'output-data-uri')) {
    return { kind: 'value', value: [`data:image/${asked};base64,${bytes.toString('base64')}`] };
  }
  const files = Array.from({ length: count }, (_, index) => ({ name: `out-${index}.${asked}`, bytes }));
  return { kind: 'files', files };
}

async function makeFile(job: ModelJob, asked: PictureFormat): Promise<Buffer> {
  if (findFault(job.faults, 'output-bomb')) return decompressionBomb(asked);
  const wrongType = findFault(job.faults, 'output-wrong-type');
  if (wrongType && textOption(wrongType, 'type', '') === 'html') {
    return Buffer.from('<!doctype html><title>Not a picture</title>');
  }
  const format = wrongType ? otherFormat(asked) : asked;
  const compression = (job.input.output_compression ?? 90) as number;
  const [canvas, encoding] = [canvasFor(job.input, job.faults), { format, compression }];
  if (job.pictures === 'plain') return plainPicture(canvas, encoding);
  return encodePicture(await drawPicture(job, canvas), encoding);
}

async function drawPicture(job: ModelJob, canvas: { width: number; height: number }) {
  const prompt = String(job.input.prompt);
  const addresses = (job.input.input_images ?? []) as string[];
  // All are read, as the provider does; the drawing uses only the first, the photo to edit.
  const [photo = null] = await Promise.all(addresses.map((address) => job.fetchInput(address)));
  try {
    return await stagePhoto({ photo, prompt, ...canvas });
  } catch {
    throw new PredictionFailure(
      'The input image could not be processed. Please check that it is a valid image.',
    );
  }
}

function canvasFor(input: Record<string, unknown>, faults: readonly AppliedFault[]) {
  if (findFault(faults, 'output-wrong-aspect')) return FOREIGN_CANVAS;
  return CANVASES[(input.aspect_ratio ?? '1:1') as keyof typeof CANVASES];
}

function otherFormat(asked: PictureFormat): PictureFormat {
  return asked === 'png' ? 'jpeg' : 'png';
}
