import { gptImage2, gptImage15 } from './gpt-image.ts';
import type { ModelHandler } from './model-handler.ts';
import { gpt5Mini } from './text-writer.ts';

/** The models of this provider. A new one is one line here and one file in this folder. */
const MODELS: Readonly<Record<string, ModelHandler>> = {
  'openai/gpt-image-2': gptImage2,
  'openai/gpt-image-1.5': gptImage15,
  'openai/gpt-5-mini': gpt5Mini,
};

export function findModel(name: string): ModelHandler | undefined {
  return Object.hasOwn(MODELS, name) ? MODELS[name] : undefined;
}
